import type { Task } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'
import { facts, folderOf, images, made, said } from '../../../../test/dataset-texts.ts'
import { inLongRun } from '../../../../test/long-run.ts'
import { assemble } from './assemble.ts'
import { recognise } from './recognise.ts'

const MOST_MS = inLongRun(5000)

describe('tables of labels', () => {
  const three = images('1.png', 'b/2.png', '3.png')

  it.each([
    ['commas', 'image,label\n1.png,cat\nb/2.png,dog\n3,cat\n'],
    [
      'semicolons, a mark and Windows lines',
      '\ufeffFile name;Class\r\n1.png;cat\r\n2.png;dog\r\n3.png;cat\r\n',
    ],
    ['tabs', 'filename\tage\tlabel\n1.png\t7\tcat\n2\t8\tdog\n3\t9\tcat'],
    ['quotes', '"file","label","note"\n"1.png","cat","a ""good"", one"\n2.png,dog,"two\nlines"\n3.png,cat,'],
    ['a column a class', 'image,sex,cat,dog\n1,m,1,0\n2,f,0,1.0\n3,m,1,0\n'],
    ['Chinese words', '图像,标签\n1,cat\n2,dog\n3,cat'],
  ])('are read with %s', async (_, table) => {
    const found = await made('classification', { ...three, 'labels.csv': table })
    expect(found.failed).toBeNull()
    expect(found.classes).toEqual(['cat', 'dog'])
    expect(found.items.map((item) => [item.name, item.class])).toEqual([
      ['1.png', 0],
      ['3.png', 0],
      ['b/2.png', 1],
    ])
    expect(found.facts?.classCounts).toEqual([2, 1])
    expect(found.problems).toEqual([])
  })

  it.each([
    ['in one cell', 'image,labels\n1,cat|dog\n2,dog; cat\n3,'],
    ['in rows of their own', 'image,label\n1,cat\n1,dog\n2,dog\n2,cat\n3,'],
    ['in columns', 'image,cat,dog\n1,1,1\n2,1,1\n3,0,0'],
    ['in columns, by words', 'image,cat,dog\n1,Y,是\n2,y,有\n3,N,否'],
    ['in columns, by signs', 'image,cat,dog\n1,+,x\n2,+,１\n3,-,'],
    ['in columns, with decimal commas', 'image;cat;dog\n1;1,0;1,0\n2;1,0;1,0\n3;0,0;0,00'],
  ])('give several labels %s', async (_, table) => {
    const found = await made('multilabel', { ...three, 't.csv': table })
    expect(found.items.map(({ class: one, labels }) => [one, labels])).toEqual([
      [null, [0, 1]],
      [null, []],
      [null, [0, 1]],
    ])
    expect(found.facts?.classCounts).toEqual([2, 2])
  })

  it('of several labels are for another task than classification', async () => {
    const found = await made('classification', { ...three, 't.csv': 'image,label\n1,a|b\n2,a\n3,b' })
    expect(found.failed).toBe('task_differs')
  })

  it('name images that are missing, twice, contradicted or without a label, and broken rows', async () => {
    const table = 'image,label\n1,cat\n1.png,cat\n2,dog\nb/2.png,cat\n9.png,cat\n4,dog\n5,\n6,dog,more\n'
    const found = await made('classification', {
      ...three,
      ...images('4.png', '5.png', '6.png', '7.png'),
      't.csv': table,
    })
    expect(found.items.map(({ name }) => name)).toEqual(['1.png', '4.png'])
    expect(said(found)).toEqual([
      ['t.csv', 'duplicate_entry', { name: '1.png', line: 3 }],
      ['t.csv', 'image_missing', { name: '9.png', line: 6 }],
      ['t.csv', 'annotation_unreadable', { line: 9 }],
      ['b/2.png', 'duplicate_other_class', { other: 'cat' }],
      ['5.png', 'label_missing', {}],
      ['3.png', 'label_missing', {}],
      ['6.png', 'label_missing', {}],
      ['7.png', 'label_missing', {}],
    ])
  })

  it('give parts and patients by column, and parts by the name of the table', async () => {
    const table = 'image,label,Split,Patient ID\n1,cat,train,p1\n2,dog,val,p1\n3,cat,Test,p2'
    const found = await made('classification', { ...three, 't.csv': table })
    expect(found.items.map(({ part, patient }) => [part, patient])).toEqual([
      ['train', 'p1'],
      ['test', 'p2'],
      ['validation', 'p1'],
    ])
    expect(found.facts).toMatchObject({ given: { train: 1, validation: 1, test: 1 }, patients: 2 })
    const two = { 'train.csv': 'image,label\n1,cat\n2,dog', 'test.csv': 'image,label\n3,cat' }
    const byName = await made('classification', { ...three, ...two })
    expect(byName.facts?.given).toEqual({ train: 2, validation: 0, test: 1 })
  })

  it('count before folders unless they say the same', async () => {
    const files = images('a/1.png', 'a/2.png', 'b/3.png')
    const same = await recognise(
      folderOf({ ...files, 't.csv': 'file,class,split\na/1.png,a,x\nb/3.png,b,y' }),
      'classification',
    )
    expect(same.layout).toBe('class_folders')
    const other = await recognise(
      folderOf({ ...files, 't.csv': 'file,class\n1,x\n2,y\n3,x' }),
      'classification',
    )
    expect(other.layout).toBe('csv_labels')
  })

  it.each([
    ['a quote that never ends', 'image,label\n1,"cat\n2,dog\n', 2],
    ['ten megabytes in one line', `image,label\n1,cat\n${','.repeat(10_000_000)}`, 3],
  ])('refuse %s, with its line', async (_, table, line) => {
    // habit: the limit counts in the long run alone
    const start = performance.now()
    const found = await made('multilabel', { ...three, 't.csv': table })
    expect(said(found)).toContainEqual(['t.csv', 'annotation_unreadable', { line }])
    // habit: the limit counts in the long run alone
    expect(performance.now() - start).toBeLessThan(MOST_MS)
  })

  it('refuse what is too large or no text', async () => {
    const folder = folderOf(three)
    const none = { ...folder, paths: [...folder.paths, 't.csv'], read: async () => null }
    const found = await recognise(none, 'multilabel')
    expect(found).toMatchObject({ layout: null, problems: [{ path: 't.csv', params: { line: 0 } }] })
  })
})

describe('cells that say that nothing is known', () => {
  const four = images('1.png', '2.png', '3.png', '4.png', '5.png', '6.png', '7.png')
  it.each(['classification', 'multilabel'] as const)(
    'are no class, and their pictures are named (%s)',
    async (task) => {
      const table = 'image,label\n1,cat\n2,dog\n3,NA\n4,n/a\n5,nan\n6,?\n7,#N/A'
      const found = await made(task, { ...four, 'labels.csv': table })
      expect([found.classes, found.items.length]).toEqual([['cat', 'dog'], 2])
      expect(said(found)).toEqual(
        ['3', '4', '5', '6', '7'].map((name) => [`${name}.png`, 'label_missing', {}]),
      )
    },
  )

  it('in a column of marks are counted as uncertain, and leave the column a class', async () => {
    const table = 'image,cat,dog\n1,1,0\n2,0,1\n3,NA,1\n4,0,1\n5,1,0\n6,1,0\n7,0,1'
    const found = await made('multilabel', { ...four, 'labels.csv': table })
    expect(found.classes).toEqual(['cat', 'dog'])
    expect(found.facts?.labelSource?.uncertain).toBe(1)
  })
})

describe('a comma in a cell', () => {
  const four = images('1.png', '2.png', '3.png', '4.png')
  it('parts labels that stand alone elsewhere', async () => {
    const table = 'image;findings\n1;mass, nodule\n2;nodule\n3;mass\n4;nodule,mass'
    const found = await made('multilabel', { ...four, 'labels.csv': table })
    expect(found.classes).toEqual(['mass', 'nodule'])
    expect(found.items.map(({ labels }) => labels)).toEqual([[0, 1], [1], [0], [0, 1]])
  })

  it('is part of a name otherwise', async () => {
    const table = 'image;findings\n1;pneumonia, viral\n2;pneumonia, bacterial\n3;pneumonia\n4;none'
    const found = await made('multilabel', { ...four, 'labels.csv': table })
    expect(found.classes).toEqual(['none', 'pneumonia', 'pneumonia, bacterial', 'pneumonia, viral'])
  })
})

describe('names in tables', () => {
  it('that lost their zeros in a spreadsheet are matched where each number is of one image', async () => {
    const table = { 'scores.csv': 'specimen,label\n9,moss\n10,fern\n11.0,moss\n' }
    const found = await made('classification', {
      ...images('p/0009.png', 'p/0010.png', 'p/0011.png'),
      ...table,
    })
    expect([found.failed, found.classes]).toEqual([null, ['fern', 'moss']])
    expect(found.items.map((item) => item.class)).toEqual([1, 0, 1])
    // Two images of one number: neither is guessed.
    const twice = await made('classification', { ...images('p/0009.png', 'p/009.png', 'p/10.png'), ...table })
    expect(twice.items.map(({ name }) => name)).not.toContain('p/0009.png')
  })

  it('that fit no image are told, with the number of lines, in place of a single class', async () => {
    const table = 'subject,score\nx1,high\nx2,low\nx3,high\n'
    const found = await made('classification', { ...images('p/a.png', 'p/b.png'), 'scores.csv': table })
    expect(found.failed).toBe('nothing_matches')
    expect(said(found)).toEqual([['scores.csv', 'table_unmatched', { rows: 3 }]])
  })
})

it('takes a folder that fits another task for what it is', async () => {
  const table = { 't.csv': 'image,label\n1,a\n2,b' }
  const cases: [Task, Record<string, string>, string][] = [
    ['detection', images('images/1.png', 'masks/1.png'), 'task_differs'],
    ['super_resolution', images('a/1.png', 'b/1.png'), 'task_differs'],
    ['denoising', images('low/1.png', 'high/1.png'), 'task_differs'],
    ['segmentation', images('images/1.nii.gz', 'labels/1.nii.gz'), 'task_differs'],
    ['volume_segmentation', images('images/1.png', 'labels/1.png'), 'task_differs'],
    ['detection', images('1.png', '2.png'), 'layout_unknown'],
    ['volume_segmentation', images('1.nii'), 'layout_unknown'],
    ['multilabel', { ...images('1.png', '2.png'), ...table }, ''],
  ]
  for (const [task, files, failure] of cases) expect((await made(task, files)).failed ?? '').toBe(failure)
})

describe('a class folder in a project of several labels', () => {
  it('gives each image one label, and both to a picture that lies in two', async () => {
    const folder = folderOf(images('a/1.png', 'b/1.png', 'b/2.png'))
    const layout = await recognise(folder, 'multilabel')
    if (layout.layout === null) throw new Error(layout.failure)
    const sha256 = (path: string) => path.slice(2)
    const found = assemble(layout, { sha256, check: () => ({ facts, reason: null }) })
    expect(found.items.map(({ name, labels }) => [name, labels])).toEqual([
      ['a/1.png', [0, 1]],
      ['b/2.png', [1]],
    ])
  })
})

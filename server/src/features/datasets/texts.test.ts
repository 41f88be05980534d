import type { FileFacts } from '@neuroloom/contract/engine'
import { datasets as limits } from '@neuroloom/contract/limits'
import type { Task } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'
import { assemble } from './assemble.ts'
import { withOrigins } from './origins.ts'
import { recognise } from './recognise.ts'
import type { Assembled, Folder } from './shapes.ts'

const facts: FileFacts = {
  ...{ format: 'png', width: 100, height: 50, depth: null, spacing: null, orientation: null },
  ...{ channels: 1, bits: 8, mean: 0.5, std: 0.1, values: null },
}

const folderOf = (files: Record<string, string>): Folder => ({
  paths: Object.keys(files),
  emptyFolders: [],
  read: async (path, maxBytes) => {
    const text = files[path]
    return text === undefined || text.length > maxBytes ? null : text
  },
})

/** Every image is 100 by 50 pixels and can be read. */
async function made(
  task: Task,
  files: Record<string, string>,
): Promise<Assembled & { failed: string | null }> {
  const folder = folderOf(files)
  const layout = await recognise(folder, task)
  if (layout.layout === null) {
    const none = { items: [], classes: [], maskValues: {}, channels: 1, factor: null, facts: null } as const
    return {
      ...none,
      items: [],
      classes: [],
      failure: null,
      problems: layout.problems ?? [],
      failed: layout.failure,
    }
  }
  const look = { sha256: (path: string) => path, check: () => ({ facts, reason: null }) }
  const found = await withOrigins(assemble(layout, look), folder)
  return { ...found, failed: found.failure ?? (layout.task === task ? null : 'task_differs') }
}
const said = ({ problems }: Assembled) => problems.map(({ path, reason, params }) => [path, reason, params])
const images = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']))

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
    const start = performance.now()
    const found = await made('multilabel', { ...three, 't.csv': table })
    expect(said(found)).toContainEqual(['t.csv', 'annotation_unreadable', { line }])
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('refuse what is too large or no text', async () => {
    const folder = folderOf(three)
    const none = { ...folder, paths: [...folder.paths, 't.csv'], read: async () => null }
    const found = await recognise(none, 'multilabel')
    expect(found).toMatchObject({ layout: null, problems: [{ path: 't.csv', params: { line: 0 } }] })
  })
})

const voc = (objects: string, size = '<size><width>100</width><height>50</height></size>') =>
  `<?xml version="1.0"?><annotation><filename>x.png</filename>${size}${objects}</annotation>`
const object = (name: string, [x0, y0, x1, y1]: (number | string)[]) =>
  `<object><name>${name}</name><part><name>head</name><bndbox><xmin>0</xmin></bndbox></part>
  <bndbox><xmin>${x0}</xmin><ymin>${y0}</ymin><xmax>${x1}</xmax><ymax>${y1}</ymax></bndbox></object>`

describe('boxes in XML (Pascal VOC)', () => {
  it('become pixels of the image, with lists of parts', async () => {
    const found = await made('detection', {
      ...images('images/1.png', 'images/2.png', 'images/3.png'),
      'annotations/1.xml': voc(object('cell &amp; co', [1, 1, 10, 20]) + object('b', [90, 40, 120, 50])),
      'annotations/2.xml': voc(object('b', [5, 5, 6, 6])),
      'annotations/3.xml': voc(''),
      'splits/train.txt': '1\n2\n',
      'splits/test.txt': '3\n',
      'splits/trainval.txt': '1\n2\n3\n',
    })
    expect(found.failed).toBeNull()
    expect(found.classes).toEqual(['b', 'cell & co'])
    expect(found.items.map(({ boxes }) => boxes)).toEqual([
      [
        { class: 1, x0: 0, y0: 0, x1: 10, y1: 20 },
        { class: 0, x0: 89, y0: 39, x1: 100, y1: 50 },
      ],
      [{ class: 0, x0: 4, y0: 4, x1: 6, y1: 6 }],
      [],
    ])
    expect(found.items.map(({ part }) => part)).toEqual(['train', 'train', 'test'])
    expect(found.facts).toMatchObject({
      classCounts: [2, 1],
      boxSide: { min: 2, median: 11, max: 20 },
      given: { train: 2, validation: 0, test: 1 },
    })
    expect(found.problems).toEqual([])
  })

  it('are named by themselves when they are empty or outside, the whole text when it cannot be read', async () => {
    const found = await made('detection', {
      ...images('1.png', '2.png', '3.png', '4.png', '5.png'),
      '1.xml': voc(object('a', [5, 5, 5, 5]) + object('a', [200, 1, 220, 9]) + object('a', [1, 1, 9, 9])),
      '2.xml': `${voc('')}\n<object>`,
      '3.xml': voc(object('a', ['NaN', 1, 9, 9])),
      '4.xml': voc('', '<size><width>50</width><height>100</height></size>'),
      '9.xml': voc(object('a', [1, 1, 9, 9])),
    })
    expect(found.items.map(({ name, boxes }) => [name, boxes?.length])).toEqual([['1.png', 1]])
    expect(said(found)).toEqual([
      ['2.xml', 'annotation_unreadable', { line: 2 }],
      ['3.xml', 'annotation_unreadable', { line: 1 }],
      ['9.xml', 'image_missing', { name: 'x.png', line: 0 }],
      ['5.png', 'label_missing', {}],
      ['1.xml', 'box_empty', { class: 'a', number: 1 }],
      ['1.xml', 'box_outside', { class: 'a', number: 2 }],
      ['4.png', 'size_differs', { width: 100, height: 50, maskWidth: 50, maskHeight: 100 }],
    ])
  })

  it('take no entities of a text and no endless depth', async () => {
    const laughs = `<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
<annotation><object><name>&b;</name></object></annotation>`
    const outside = `<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]>
<annotation><filename>&f;</filename></annotation>`
    const start = performance.now()
    const found = await made('detection', {
      ...images('1.png', '2.png', '3.png', '4.png'),
      '1.xml': laughs,
      '2.xml': outside,
      '3.xml': '<annotation>'.repeat(80_000),
      '4.xml': voc(object('a', [1, 1, 9, 9])),
    })
    expect(found.items.map(({ name }) => name)).toEqual(['4.png'])
    expect(said(found)).toEqual([
      ['1.xml', 'annotation_unreadable', { line: 2 }],
      ['2.xml', 'annotation_unreadable', { line: 2 }],
      ['3.xml', 'annotation_unreadable', { line: 1 }],
    ])
    expect(performance.now() - start).toBeLessThan(5000)
  })
})

const coco = (more: object) =>
  JSON.stringify({
    images: [
      { id: 1, file_name: 'train/1.png', width: 100, height: 50 },
      { id: 2, file_name: '2.png' },
    ],
    annotations: [{ image_id: 1, category_id: 7, bbox: [10, 20.5, 30, 4] }],
    categories: [
      { id: 7, name: 'cell' },
      { id: 9, name: 'nothing' },
    ],
    ...more,
  })

describe('boxes in JSON (COCO)', () => {
  const two = images('images/1.png', 'images/2.png')

  it('are read from the list of all images, whose other classes are left out', async () => {
    const found = await made('detection', { ...two, 'odd.json': '[1]', 'all.json': coco({}) })
    expect(found.items.map(({ name, boxes }) => [name, boxes])).toEqual([
      ['images/1.png', [{ class: 0, x0: 10, y0: 20.5, x1: 40, y1: 24.5 }]],
      ['images/2.png', []],
    ])
    expect(found.classes).toEqual(['cell'])
    expect(said(found)).toEqual([['nothing', 'class_empty', {}]])
  })

  it('name what is wrong and leave out images whose boxes are not all known', async () => {
    const found = await made('detection', {
      ...two,
      ...images('images/3.png', 'images/4.png'),
      'all.json': coco({
        images: [
          { id: 1, file_name: '1.png' },
          { id: 2, file_name: '2.png' },
          { id: 3, file_name: '3.png' },
          { id: 4, file_name: 'gone.png' },
          { id: 5, file_name: '1.png' },
          { id: 6 },
        ],
        annotations: [
          { image_id: 1, category_id: 7, bbox: [1, 1, 0, 0] },
          { image_id: 1, category_id: 7, bbox: [1, 1, 5, 5], iscrowd: 1 },
          { image_id: 1, category_id: 7, bbox: [1, 1, 5, 5] },
          { image_id: 2, category_id: 8, bbox: [1, 1, 5, 5] },
          { image_id: 3, category_id: 7, bbox: [1, null, 5, 5] },
        ],
      }),
    })
    expect(found.items.map(({ name, boxes }) => [name, boxes?.length])).toEqual([['images/1.png', 1]])
    expect(said(found)).toEqual([
      ['all.json', 'image_missing', { name: 'gone.png', line: 0 }],
      ['all.json', 'duplicate_entry', { name: '1.png', line: 0 }],
      ['all.json', 'annotation_unreadable', { line: 0 }],
      ['all.json', 'box_crowd', { class: 'cell', number: 2 }],
      ['all.json', 'class_unknown', { class: '8', number: 4 }],
      ['all.json', 'annotation_unreadable', { line: 0, number: 5 }],
      ['images/4.png', 'label_missing', {}],
      ['all.json', 'box_empty', { class: 'cell', number: 1 }],
      ['nothing', 'class_empty', {}],
    ])
  })

  it.each([
    ['a text that breaks off', coco({}).slice(0, 60)],
    ['numbers that JSON does not know', coco({}).replace('20.5', 'NaN')],
    ['endless depth', '['.repeat(5_000_000)],
  ])('refuse %s', async (_, text) => {
    const found = await made('detection', { ...two, 'all.json': text })
    expect(found.failed).toBe('nothing_matches')
    expect(found.problems).toMatchObject([{ path: 'all.json', reason: 'annotation_unreadable' }])
  })
})

describe('boxes in texts (YOLO)', () => {
  it.each([
    ['data.yaml', 'names: [cell, other]'],
    ['data.yaml', 'train: x\nnames:\n  0: cell\n  1: other\n'],
    ['labels/classes.txt', 'cell\r\nother\r\n'],
    ['obj.names', 'cell\nother'],
  ])('are shares of the image, named in %s', async (path, text) => {
    const found = await made('detection', {
      ...images('images/train/1.png', 'images/val/1.png', 'images/train/2.png'),
      'labels/train/1.txt': '0 0.5 0.5 0.2 0.4\n1 0.05 0.5 0.2 0.2\r\n\n',
      'labels/val/1.txt': '0 0.5 0.5 1 1',
      'labels/train/2.txt': '',
      [path]: text,
    })
    expect(found.failed).toBeNull()
    expect(found.classes).toEqual(['cell', 'other'])
    expect(found.items.map(({ name, part, boxes }) => [name, part, boxes])).toEqual([
      [
        'images/train/1.png',
        'train',
        [
          { class: 0, x0: 40, y0: 15, x1: 60, y1: 35 },
          { class: 1, x0: 0, y0: 20, x1: 15, y1: 30 },
        ],
      ],
      ['images/train/2.png', 'train', []],
      ['images/val/1.png', 'validation', [{ class: 0, x0: 0, y0: 0, x1: 100, y1: 50 }]],
    ])
  })

  it('name outlines, unknown classes, broken lines and missing halves', async () => {
    const found = await made('detection', {
      ...images('images/1.png', 'images/2.png', 'images/3.png', 'images/4.png', 'images/5.png'),
      'classes.txt': 'cell',
      'README.txt': 'about',
      'labels/1.txt': '0 0.5 0.5 0.1 0.1\n0 0.5 0.5 0 0.1\n0 3.5 0.5 0.1 0.1',
      'labels/2.txt': '0 0.5 0.5 0.1 0.1\n0 0.1 0.1 0.2 0.1 0.2 0.2',
      'labels/3.txt': '1 0.5 0.5 0.1 0.1',
      'labels/4.txt': '0 0.5 nan 0.1 0.1',
      'labels/9.txt': '0 0.5 0.5 0.1 0.1',
    })
    expect(found.items.map(({ name, boxes }) => [name, boxes?.length])).toEqual([['images/1.png', 1]])
    expect(said(found)).toEqual([
      ['labels/2.txt', 'segments_not_boxes', { line: 2 }],
      ['labels/3.txt', 'class_unknown', { class: 1, line: 1 }],
      ['labels/4.txt', 'annotation_unreadable', { line: 1 }],
      ['labels/9.txt', 'image_missing', { name: '9.txt', line: 0 }],
      ['images/5.png', 'label_missing', {}],
      ['labels/1.txt', 'box_empty', { class: 'cell', number: 2 }],
      ['labels/1.txt', 'box_outside', { class: 'cell', number: 3 }],
    ])
  })

  it('take no names from a text that multiplies itself, and no more boxes than an image can have', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghij']
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[index]}`).join()}]`)
      .join('\n')}\nnames: *j`
    const found = await made('detection', {
      ...images('1.png', '2.png'),
      '1.txt': '0 0.5 0.5 0.1 0.1',
      '2.txt': '0 0.5 0.5 0.1 0.1\n'.repeat(limits.boxes + 1),
      'data.yaml': bomb,
    })
    expect(found.classes).toEqual(['class 0'])
    expect(said(found)).toEqual([['2.txt', 'annotation_unreadable', { line: limits.boxes + 1 }]])
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

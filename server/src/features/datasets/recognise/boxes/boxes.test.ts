import { datasets as limits } from '@neuroloom/contract/limits'
import { describe, expect, it } from 'vitest'
import { images, made, said } from '../../../../../test/dataset-texts.ts'
import { inLongRun } from '../../../../../test/long-run.ts'

const MOST_MS = inLongRun(5000)

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

  it('are named by themselves when they are empty; an image that lost one, or all, is set aside', async () => {
    const found = await made('detection', {
      ...images('1.png', '2.png', '3.png', '4.png', '5.png', '6.png', '7.png'),
      '1.xml': voc(object('a', [5, 5, 5, 5]) + object('a', [1, 1, 9, 9])),
      '6.xml': voc(object('a', [200, 1, 220, 9]) + object('a', [1, 1, 9, 9])),
      '7.xml': voc(object('a', [5, 5, 5, 5])),
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
      ['4.png', 'size_differs', { width: 100, height: 50, maskWidth: 50, maskHeight: 100 }],
      ['6.xml', 'box_outside', { class: 'a', number: 1 }],
      ['6.png', 'labels_not_used', {}],
      ['7.xml', 'box_empty', { class: 'a', number: 1 }],
      ['7.png', 'labels_not_used', {}],
    ])
  })

  it('take no entities of a text and no endless depth', async () => {
    const laughs = `<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
<annotation><object><name>&b;</name></object></annotation>`
    const outside = `<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]>
<annotation><filename>&f;</filename></annotation>`
    // habit: the limit counts in the long run alone
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
    // habit: the limit counts in the long run alone
    expect(performance.now() - start).toBeLessThan(MOST_MS)
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

  it('are two corners where they could be nothing else', async () => {
    const list = (...boxes: number[][]) =>
      coco({
        images: [{ id: 1, file_name: '1.png', width: 100, height: 50 }],
        annotations: boxes.map((bbox) => ({ image_id: 1, category_id: 7, bbox })),
      })
    const first = async (text: string) =>
      (await made('detection', { ...two, 'all.json': text })).items[0]?.boxes?.[0]
    const few = [[2, 2, 20, 20], [5, 5, 9, 9], [1, 1, 7, 7], [10, 2, 60, 12]] // biome-ignore format: boxes
    expect(await first(list(...few, [50, 10, 90, 40]))).toMatchObject({ x1: 20, y1: 20 })
    // All of them fit as sides too, one is no corner, or they are too few.
    for (const last of [[5, 5, 30, 30], [50, 10, 20, 40]]) // biome-ignore format: boxes
      expect(await first(list(...few, last))).toMatchObject({ x1: 22, y1: 22 })
    expect(await first(list(...few.slice(0, 2), [50, 10, 90, 40]))).toMatchObject({ x1: 22, y1: 22 })
  })

  it('name what is wrong and leave out images whose boxes are not all known', async () => {
    const found = await made('detection', {
      ...two,
      ...images('images/3.png', 'images/4.png', 'images/5.png'),
      'all.json': coco({
        images: [
          { id: 1, file_name: '1.png' },
          { id: 2, file_name: '2.png' },
          { id: 3, file_name: '3.png' },
          { id: 4, file_name: 'gone.png' },
          { id: 5, file_name: '1.png' },
          { id: 6 },
          { id: 7, file_name: '5.png' },
        ],
        annotations: [
          { image_id: 1, category_id: 7, bbox: [1, 1, 0, 0] },
          { image_id: 7, category_id: 7, bbox: [1, 1, 5, 5], iscrowd: 1 },
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
      ['images/2.png', 'labels_not_used', {}],
      ['images/3.png', 'labels_not_used', {}],
      ['images/5.png', 'labels_not_used', {}],
      ['images/4.png', 'label_missing', {}],
      ['all.json', 'box_empty', { class: 'cell', number: 1 }],
      ['nothing', 'class_empty', {}],
    ])
  })

  it('take what Python writes for numbers that are none as unsaid: no place of a box, and nothing beside it', async () => {
    const besides = await made('detection', {
      ...two,
      'all.json': coco({}).replace('"bbox"', '"score":NaN,"area":-Infinity,"bbox"'),
    })
    expect([besides.failed, said(besides)]).toEqual([null, said(await made('detection', { ...two, 'all.json': coco({}) }))]) // biome-ignore format: pairs
    const inBox = await made('detection', { ...two, 'all.json': coco({}).replace('20.5', 'NaN') })
    expect(inBox.items.map(({ name }) => name)).not.toContain('images/1.png')
    expect(said(inBox)).toContainEqual(['all.json', 'annotation_unreadable', { line: 0, number: 1 }])
  })

  it.each([
    ['a text that breaks off', coco({}).slice(0, 60)],
    ['endless depth', '['.repeat(5_000_000)],
    ['endless length', `{"images":[${'{},'.repeat(9_000_000)}{}],"annotations":[],"categories":[]}`],
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

  it('name unknown classes, broken lines, numbers that are no shares and missing halves', async () => {
    const found = await made('detection', {
      ...images('images/1.png', 'images/2.png', 'images/3.png', 'images/4.png', 'images/5.png'),
      'classes.txt': 'cell',
      'README.txt': 'about',
      'labels/1.txt': '0 0.5 0.5 0.1 0.1\n0 0.5 0.5 0 0.1',
      'labels/2.txt': '0 0.5 0.5 0.1 0.1\n0 20 5 3 4\n0 30 8 3 4',
      'labels/3.txt': '1 0.5 0.5 0.1 0.1',
      'labels/4.txt': '0 0.5 nan 0.1 0.1',
      'labels/9.txt': '0 0.5 0.5 0.1 0.1',
    })
    expect(found.items.map(({ name, boxes }) => [name, boxes?.length])).toEqual([['images/1.png', 1]])
    expect(said(found)).toEqual([
      ['labels/2.txt', 'box_not_in_shares', { line: 2 }],
      ['labels/3.txt', 'class_unknown', { class: 1, line: 1 }],
      ['labels/4.txt', 'annotation_unreadable', { line: 1 }],
      ['labels/9.txt', 'image_missing', { name: '9.txt', line: 0 }],
      ['images/5.png', 'label_missing', {}],
      ['labels/1.txt', 'box_empty', { class: 'cell', number: 2 }],
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

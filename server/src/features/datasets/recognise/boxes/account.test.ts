/** Every label that is read is used or named, and no image that lost one is learned from. */
import { describe, expect, it } from 'vitest'
import { images, made, said } from '../../../../../test/dataset-texts.ts'

const three = images('photos/n1.png', 'photos/n2.png', 'photos/n3.png')
const listed = ['n1', 'n2', 'n3'].map((name, index) => ({ id: index + 1, file_name: `${name}.png` }))
const box = (image_id: unknown, bbox: number[], more: object = {}) => ({
  ...{ image_id, category_id: 4, bbox },
  ...more,
})
const coco = (annotations: object[], list: object[] = listed) =>
  JSON.stringify({ images: list, annotations, categories: [{ id: '4', name: 'spore' }] })
const sidesOf = (found: Awaited<ReturnType<typeof made>>) =>
  found.items.map(({ name, boxes }) => [
    name,
    (boxes ?? []).map(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1].map((side) => Math.round(side))),
  ])

describe('a list of boxes (COCO)', () => {
  it('finds images by ids whether they are numbers or texts', async () => {
    const list = coco([box('1', [2, 3, 4, 5]), box(2, [6, 7, 8, 9]), box(' 3 ', [1, 1, 2, 2])])
    expect(sidesOf(await made('detection', { ...three, 'list.json': list }))).toEqual([
      ['photos/n1.png', [[2, 3, 6, 8]]],
      ['photos/n2.png', [[6, 7, 14, 16]]],
      ['photos/n3.png', [[1, 1, 3, 3]]],
    ])
  })

  it('sets images without boxes aside where boxes belong to images that are not listed', async () => {
    const list = coco([box(1, [2, 3, 4, 5]), box('img-2', [6, 7, 8, 9]), box('img-3', [6, 7, 8, 9])])
    const found = await made('detection', { ...three, 'list.json': list })
    expect(sidesOf(found)).toEqual([['photos/n1.png', [[2, 3, 6, 8]]]])
    expect(said(found)).toEqual([
      ['list.json', 'image_unlisted', { name: 'img-2', count: 2 }],
      ['photos/n2.png', 'labels_not_used', {}],
      ['photos/n3.png', 'labels_not_used', {}],
    ])
  })

  it('keeps images without boxes where every box found its image', async () => {
    const found = await made('detection', { ...three, 'list.json': coco([box(1, [2, 3, 4, 5])]) })
    expect([found.items.length, found.problems]).toEqual([3, []])
  })

  it('sets both images aside that have one id', async () => {
    const [first, second, third] = listed
    const list = coco(
      [box(1, [2, 3, 4, 5]), box(3, [2, 3, 4, 5])],
      [first ?? {}, { ...second, id: '1' }, third ?? {}],
    )
    const found = await made('detection', { ...three, 'list.json': list })
    expect(sidesOf(found)).toEqual([['photos/n3.png', [[2, 3, 6, 8]]]])
  })

  it('takes what the brush drew for one thing where a program calls all of it crowds', async () => {
    // Column by column of a picture 50 high and 100 wide: two columns, in each of which three rows are marked.
    const runs = { counts: [50 * 10 + 4, 3, 47, 3, 50 * 88 + 43], size: [50, 100] }
    const brush = { iscrowd: 1, attributes: { occluded: false }, segmentation: runs }
    const list = coco([
      box(1, [10, 4, 2, 3], brush),
      { image_id: 2, category_id: 4, ...brush },
      box(3, [1, 1, 90, 40], { iscrowd: 1 }),
    ])
    const found = await made('detection', { ...three, 'list.json': list })
    expect(sidesOf(found)).toEqual([
      ['photos/n1.png', [[10, 4, 12, 7]]],
      ['photos/n2.png', [[10, 4, 12, 7]]],
    ])
    expect(said(found)).toEqual([
      ['list.json', 'box_crowd', { class: 'spore', number: 3 }],
      ['photos/n3.png', 'labels_not_used', {}],
    ])
  })

  it('takes a second list that says the same, and sets aside where it says more', async () => {
    const found = await made('detection', {
      ...three,
      'a.json': coco([box(1, [2, 3, 4, 5]), box(2, [2, 3, 4, 5])]),
      'b.json': coco([box(1, [2, 3, 4, 5]), box(2, [20, 3, 4, 5])]),
    })
    expect(found.items.map(({ name }) => name)).toEqual(['photos/n1.png', 'photos/n3.png'])
    expect(found.problems.filter(({ reason }) => reason === 'labels_not_used')).toHaveLength(1)
  })
})

it('texts in pixels (YOLO) have one cause and no image of nothing', async () => {
  const found = await made('detection', {
    ...three,
    'photos/n1.txt': '0 0.5 0.5 0.2 0.4',
    'photos/n2.txt': '0 31 22 10 12\n0 60 20 8 8',
    'photos/n3.txt': '0 0.5 0.5 0.2 0.4\n0 1.4 0.5 0.2 0.4',
  })
  expect(found.items.map(({ name }) => name)).toEqual(['photos/n1.png'])
  expect(said(found)).toEqual([
    ['photos/n2.txt', 'box_not_in_shares', { line: 1 }],
    ['photos/n3.txt', 'box_not_in_shares', { line: 2 }],
  ])
})

const labelme = (imagePath: string, shapes: object[]) => JSON.stringify({ imagePath, shapes })
const square = (label: string, at: number, group_id: number | null = null) => ({
  ...{ label, group_id, shape_type: 'polygon' },
  points: [
    [at, at],
    [at + 5, at],
    [at + 5, at + 5],
  ],
})

it('parts of one group (LabelMe) are one thing; texts of images that are not there are named', async () => {
  const found = await made('detection', {
    ...three,
    'photos/n1.json': labelme('n1.png', [
      square('spore', 1, 0),
      square('hypha', 4, 0),
      square('spore', 30, 0),
    ]),
    'photos/n2.json': labelme('n2.png', [square('spore', 1), square('spore', 30)]),
    'texts/a7.json': labelme('..\\photos\\n3.png', [square('spore', 8)]),
    'texts/a8.json': labelme('gone.png', [square('spore', 8)]),
  })
  expect(sidesOf(found)).toEqual([
    [
      'photos/n1.png',
      [
        [1, 1, 35, 35],
        [4, 4, 9, 9],
      ],
    ],
    [
      'photos/n2.png',
      [
        [1, 1, 6, 6],
        [30, 30, 35, 35],
      ],
    ],
    ['photos/n3.png', [[8, 8, 13, 13]]],
  ])
  expect(said(found)).toEqual([['texts/a8.json', 'image_missing', { name: 'gone.png', line: 0 }]])
})

/** What stands for one shape in one format; the box that it is read as, or the reason why it is not. */
const name = 'scans/cell 1.png'
const read = [10, 10, 30, 20]
const cvat = (shape: string) =>
  `<annotations><image id="0" name="cell 1.png" width="100" height="50">${shape}</image></annotations>`
const voc = (place: string) =>
  `<annotation><filename>cell%201.png</filename><object><name>spore</name>${place}</object></annotation>`
const listedBox = (more: object) =>
  JSON.stringify({
    images: [{ id: 1, file_name: 'cell%201.png' }],
    annotations: [{ image_id: 1, category_id: 4, ...more }],
    categories: [{ id: 4, name: 'spore' }],
  })
const drawn = (shape: object) => labelme('cell%201.png', [{ label: 'spore', ...shape }])
const outline = [
  [10, 10],
  [30, 12],
  [20, 20],
]
const flat = outline.flat()
const corners = [
  [10, 15],
  [20, 10],
  [30, 15],
  [20, 20],
]
const mask = { counts: [50 * 10 + 10, ...Array(19).fill([10, 40]).flat(), 10, 50 * 70 + 30], size: [50, 100] }
const table: [string, string, Record<string, string>, number[] | string][] = [
  ['box', 'COCO', { 'l.json': listedBox({ bbox: [10, 10, 20, 10] }) }, read],
  ['box', 'YOLO', { 'scans/cell 1.txt': '0 0.2 0.3 0.2 0.2' }, read],
  [
    'box',
    'VOC',
    {
      'scans/cell 1.xml': voc('<bndbox><xmin>0</xmin><ymin>10</ymin><xmax>30</xmax><ymax>20</ymax></bndbox>'),
    },
    [0, 10, 30, 20],
  ],
  [
    'box',
    'LabelMe',
    {
      'scans/cell 1.json': drawn({
        shape_type: 'rectangle',
        points: [
          [10, 10],
          [30, 20],
        ],
      }),
    },
    read,
  ],
  ['box', 'CVAT', { 'a.xml': cvat('<box label="spore" xtl="10" ytl="10" xbr="30" ybr="20"/>') }, read],
  ['box', 'table', { 'a.csv': 'filename,xmin,ymin,xmax,ymax,class\ncell%201.png,10,10,30,20,spore' }, read],
  ['turned box', 'COCO', { 'l.json': listedBox({ segmentation: [corners.flat()] }) }, read],
  ['turned box', 'YOLO', { 'scans/cell 1.txt': '0 0.1 0.3 0.2 0.2 0.3 0.3 0.2 0.4' }, read],
  [
    'turned box',
    'VOC',
    {
      'scans/cell 1.xml': voc(
        '<robndbox><cx>20</cx><cy>15</cy><w>9</w><h>4</h><angle>0.3</angle></robndbox>',
      ),
    },
    [15, 12, 25, 18],
  ],
  [
    'turned box',
    'LabelMe',
    { 'scans/cell 1.json': drawn({ shape_type: 'rotation', points: corners }) },
    read,
  ],
  [
    'turned box',
    'CVAT',
    { 'a.xml': cvat('<box label="spore" xtl="15" ytl="5" xbr="25" ybr="25" rotation="90"/>') },
    read,
  ],
  [
    'turned box',
    'table',
    { 'a.csv': 'filename,x1,y1,x2,y2,x3,y3,x4,y4,class\ncell%201.png,10,15,20,10,30,15,20,20,spore' },
    read,
  ],
  [
    'turned box',
    'LabelMe, by its newer name',
    { 'scans/cell 1.json': drawn({ shape_type: 'oriented_rectangle', points: corners }) },
    read,
  ],
  ['polygon', 'COCO', { 'l.json': listedBox({ segmentation: [flat] }) }, read],
  ['polygon', 'YOLO', { 'scans/cell 1.txt': '0 0.1 0.2 0.3 0.24 0.2 0.4' }, read],
  [
    'polygon',
    'VOC',
    {
      'scans/cell 1.xml': voc(
        '<polygon><x1>10</x1><y1>10</y1><x2>30</x2><y2>12</y2><x3>20</x3><y3>20</y3></polygon>',
      ),
    },
    read,
  ],
  ['polygon', 'LabelMe', { 'scans/cell 1.json': drawn({ points: outline }) }, read],
  ['polygon', 'CVAT', { 'a.xml': cvat('<polygon label="spore" points="10,10;30,12;20,20"/>') }, read],
  ['key points', 'COCO', { 'l.json': listedBox({ bbox: [10, 10, 20, 10], keypoints: [15, 15, 2] }) }, read],
  [
    'key points',
    'YOLO',
    { 'scans/cell 1.txt': '0 0.2 0.3 0.2 0.2 0.15 0.3 2', 'data.yaml': 'kpt_shape: [1, 3]\nnames: [spore]' },
    read,
  ],
  [
    'key points',
    'YOLO, without their number',
    { 'scans/cell 1.txt': '0 0.2 0.3 0.2 0.2 0.15 0.3 1 0.2 0.3 1' },
    'annotation_unreadable',
  ],
  [
    'key points',
    'LabelMe',
    { 'scans/cell 1.json': drawn({ shape_type: 'point', points: [[10, 10]] }) },
    'shape_without_area',
  ],
  [
    'key points',
    'CVAT',
    { 'a.xml': cvat('<points label="spore" points="10,10;30,12"/>') },
    'shape_without_area',
  ],
  [
    'turned ellipse',
    'CVAT',
    { 'a.xml': cvat('<ellipse label="spore" cx="20" cy="15" rx="5" ry="10" rotation="90"/>') },
    read,
  ],
  ['mask', 'COCO', { 'l.json': listedBox({ segmentation: mask }) }, read],
  [
    'mask',
    'COCO, packed',
    { 'l.json': listedBox({ segmentation: { counts: packed(mask.counts), size: mask.size } }) },
    read,
  ],
  [
    'mask',
    'LabelMe',
    {
      'scans/cell 1.json': drawn({
        shape_type: 'mask',
        points: [
          [10, 10],
          [30, 20],
        ],
        mask: '',
      }),
    },
    // The corners are pixels, the last one included.
    [10, 10, 31, 21],
  ],
  [
    'mask',
    'CVAT',
    { 'a.xml': cvat('<mask label="spore" rle="200" left="10" top="10" width="20" height="10"/>') },
    read,
  ],
]

/** The other way round: as the field's own program packs runs in letters. */
function packed(runs: readonly number[]): string {
  let text = ''
  for (const [at, run] of runs.entries()) {
    let left = at > 2 ? run - (runs[at - 2] ?? 0) : run
    for (let isMore = true; isMore; ) {
      const bits = left & 31
      left >>= 5
      isMore = bits & 16 ? left !== -1 : left !== 0
      text += String.fromCharCode((isMore ? bits | 32 : bits) + 48)
    }
  }
  return text
}

it.each(table)('a %s in %s is read as a box or named, never passed over', async (_, __, files, expected) => {
  const found = await made('detection', { ...images(name), ...files })
  if (typeof expected === 'string') {
    expect(found.items).toEqual([])
    expect(found.problems.map(({ reason }) => reason)).toContain(expected)
  } else expect(sidesOf(found)).toEqual([[name, [expected]]])
})

it('names are found as addresses write them, in lists and on the disk', async () => {
  const encoded = { ...images('scans/%D0%BA%D0%BB%D0%B5%D1%82%D0%BA%D0%B0%201.png') }
  const list = JSON.stringify({
    images: [{ id: 1, file_name: 'клетка 1.png' }],
    annotations: [{ image_id: 1, category_id: 4, bbox: [10, 10, 20, 10] }],
    categories: [{ id: 4, name: 'spore' }],
  })
  expect(sidesOf(await made('detection', { ...encoded, 'l.json': list }))).toEqual([
    [Object.keys(encoded)[0], [read]],
  ])
})

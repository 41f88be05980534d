/** Numbers of boxes that are not what their format says: read as what they are, or named. */
import { describe, expect, it } from 'vitest'
import { images, made, said } from '../../../../../test/dataset-texts.ts'

const names = Array.from({ length: 6 }, (_, index) => `field${index}`)
const pictures = images(...names.map((name) => `images/${name}.png`))
const sidesOf = (found: Awaited<ReturnType<typeof made>>) =>
  found.items.map(({ boxes }) =>
    (boxes ?? []).map(({ class: index, ...box }) => [
      found.classes[index],
      ...[box.x0, box.y0, box.x1, box.y1].map((side) => Math.round(side * 10) / 10),
    ]),
  )
const sixOf = <Made>(one: Made) => Array.from({ length: 6 }, () => one)

/** Of a picture of 100 × 50: from a fifth to a half, and from two fifths to four fifths. */
const box = ['spore', 20, 20, 50, 40]
const coco = (bbox: number[], size: object = {}) =>
  JSON.stringify({
    images: names.map((name, id) => ({ id, file_name: `${name}.png`, ...size })),
    annotations: names.map((_, image_id) => ({ image_id, category_id: 1, bbox })),
    categories: [{ id: 1, name: 'spore' }],
  })

const inShares: [string, Record<string, string>][] = [
  ['COCO', { 'list.json': coco([0.2, 0.4, 0.3, 0.4]) }],
  ['COCO with corners', { 'list.json': coco([0.2, 0.4, 0.5, 0.8], { width: 100, height: 50 }) }],
  [
    'VOC',
    Object.fromEntries(
      names.map((name) => [
        `xml/${name}.xml`,
        '<annotation><object><name>spore</name><bndbox><xmin>0.2</xmin><ymin>0.4</ymin><xmax>0.5</xmax><ymax>0.8</ymax></bndbox></object></annotation>',
      ]),
    ),
  ],
  [
    'LabelMe',
    Object.fromEntries(
      names.map((name) => [
        `json/${name}.json`,
        JSON.stringify({
          shapes: [
            {
              label: 'spore',
              shape_type: 'rectangle',
              points: [
                [0.2, 0.4],
                [0.5, 0.8],
              ],
            },
          ],
        }),
      ]),
    ),
  ],
  [
    'a table with lists',
    {
      'boxes.csv': `image;class;bbox\n${names.map((name) => `${name}.png;spore;"[0.2, 0.4, 0.5, 0.8]"`).join('\n')}`,
    },
  ],
]

describe('shares in formats of pixels', () => {
  it.each(inShares)('are read as such: %s', async (_, files) => {
    const found = await made('detection', { ...pictures, ...files })
    expect([found.failed, found.problems]).toEqual([null, []])
    expect(sidesOf(found)).toEqual(sixOf([box]))
  })

  it('whole pixels stay pixels', async () => {
    const found = await made('detection', { ...pictures, 'list.json': coco([0, 0, 1, 1]) })
    expect(sidesOf(found)).toEqual(sixOf([['spore', 0, 0, 1, 1]]))
  })
})

const yolo = (...rows: string[]) =>
  Object.fromEntries(names.map((name) => [`labels/${name}.txt`, rows.join('\n')]))

describe('YOLO texts', () => {
  it('with corners in place of middles are read as corners', async () => {
    const found = await made('detection', { ...pictures, ...yolo('0 0.2 0.4 0.5 0.8', '0 0.1 0.1 0.9 0.3') })
    expect(found.problems).toEqual([])
    expect(sidesOf(found)[5]).toEqual([
      ['class 0', 20, 20, 50, 40],
      ['class 0', 10, 5, 90, 15],
    ])
  })

  it('with the upper left corner first are named, and so is nothing that merely touches the edge', async () => {
    const found = await made('detection', { ...pictures, ...yolo('0 0.1 0.5 0.4 0.3') })
    expect(said(found)).toEqual(names.map((name) => [`labels/${name}.txt`, 'box_corner_first', {}]))
    const whole = await made('detection', { ...pictures, ...yolo('0 0.52 0.5 1 1', '0 0.9 0.9 0.2 0.1') })
    expect([whole.items.length, whole.problems]).toEqual([6, []])
  })

  it('count in the list of their own folder', async () => {
    const found = await made('detection', {
      ...images('train/images/a.png', 'val/images/b.png', 'val/images/c.png'),
      'train/labels/a.txt': '0 0.5 0.5 0.5 0.5',
      'train/labels/classes.txt': 'spore\nhypha\n',
      'val/labels/b.txt': '0 0.5 0.5 0.5 0.5\n2 0.5 0.5 0.5 0.5',
      'val/labels/c.txt': '1 0.5 0.5 0.5 0.5',
      'val/labels/classes.txt': 'hypha\n\nspore\n',
    })
    expect(sidesOf(found).map((boxes) => boxes.map(([name]) => name))).toEqual([
      ['spore'],
      ['hypha', 'spore'],
      ['class 1'],
    ])
  })

  it('of two exports count each in its own table', async () => {
    const found = await made('detection', {
      ...images('north/images/a.png', 'south/images/b.png'),
      'north/labels/a.txt': '1 0.5 0.5 0.5 0.5',
      'north/data.yaml': 'names: [spore, hypha]',
      'south/labels/b.txt': '1 0.5 0.5 0.5 0.5',
      'south/data.yaml': 'names: {0: hypha, 1: spore}',
    })
    expect(sidesOf(found).map(([one]) => one?.[0])).toEqual(['hypha', 'spore'])
  })
})

describe('a table of boxes', () => {
  const table = (rows: string[]) =>
    made('detection', { ...pictures, 'boxes.csv': ['image;class;xmin;ymin;xmax;ymax', ...rows].join('\n') })

  it('is not read where a comma may part thousands', async () => {
    const found = await table(names.map((name) => `${name}.png;spore;1,010;5;1,100;30`))
    expect(said(found).filter(([, reason]) => reason === 'annotation_unreadable')).toHaveLength(6)
    const fine = await table(names.map((name) => `${name}.png;spore;1,5;5;40,125;30`))
    expect(sidesOf(fine)).toEqual(sixOf([['spore', 1.5, 5, 40.1, 30]]))
  })

  it('names rows with more cells than there are columns', async () => {
    const rows = names.map((name) => `${name}.png,spore,10,5,15,7,40,5,60,5`)
    const found = await made('detection', {
      ...pictures,
      'boxes.csv': ['image,class,xmin,ymin,xmax,ymax', ...rows].join('\n'),
    })
    expect(found.items).toEqual([])
    expect(said(found).filter(([, reason]) => reason === 'annotation_unreadable')).toHaveLength(6)
  })

  it('that another table repeats counts each box once', async () => {
    const table = [
      'image,class,xmin,ymin,xmax,ymax',
      ...names.map((name) => `${name}.png,spore,20,20,50,40`),
    ].join('\n')
    const found = await made('detection', { ...pictures, 'boxes.csv': table, 'boxes (copy).csv': table })
    expect(sidesOf(found)).toEqual(sixOf([box]))
    expect(said(found).map(([, reason]) => reason)).toEqual(Array(6).fill('box_twice'))
  })
})

/** Masks of what programs outlined: each shape in each format is filled in, or named and its image set aside. */
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { folderOf, images } from '../../../../../test/dataset-texts.ts'
import { fillIn } from '../../fill-outlines.ts'
import { recognise } from '../recognise.ts'
import { withJoinedSpellings } from '../spellings.ts'

const name = 'scans/slide 4.png'
const size = { width: 20, height: 12 }

/** The pixels of each class of the one picture, or why there are none. */
async function masked(files: Record<string, string>) {
  const layout = await recognise(folderOf({ ...images(name), ...files }), 'segmentation')
  if (layout.layout === null) return { failure: layout.failure, problems: layout.problems ?? [] }
  if (layout.layout !== 'images_masks') throw new Error(`Read as ${layout.layout}`)
  const [pair] = layout.pairs
  if (!pair?.drawn) return { classes: layout.known?.classes, problems: layout.problems ?? [] }
  const filled = fillIn({ ...pair.drawn, size })
  if (filled.refused) return { refused: filled.refused, problems: layout.problems ?? [] }
  const pixels: Record<string, number[]> = {}
  for (const [at, value] of filled.pixels.entries())
    if (value > 0) {
      const label = layout.known?.classes[value] ?? ''
      pixels[label] = [...(pixels[label] ?? []), at]
    }
  return { pixels, problems: layout.problems ?? [] }
}

/** Of a rectangle: from column and row on, so many. */
const block = (x: number, y: number, across: number, down: number): number[] =>
  Array.from(
    { length: across * down },
    (_, at) => (y + Math.floor(at / across)) * size.width + x + (at % across),
  )

const coco = (...segmentations: object[]) =>
  JSON.stringify({
    images: [{ id: 'a', file_name: 'slide 4.png', ...size }],
    categories: [
      { id: 1, name: 'gland' },
      { id: 2, name: 'vessel' },
    ],
    annotations: segmentations.map((more) => ({
      image_id: 'a',
      category_id: 1,
      bbox: [4, 2, 6, 3],
      ...more,
    })),
  })
const cvat = (shapes: string) =>
  `<annotations><image id="0" name="slide 4.png" width="20" height="12">${shapes}</image></annotations>`
const voc = (objects: string) =>
  `<annotation><filename>slide 4.png</filename><size><width>20</width><height>12</height></size>${objects}</annotation>`
const border = [
  [4, 2],
  [10, 2],
  [10, 5],
  [4, 5],
]
const flat = border.flat()
const around = block(4, 2, 6, 3)
const labelme = (more: object) =>
  JSON.stringify({ shapes: [{ label: 'gland', points: border, ...more }], imagePath: '' })
/** Eight columns and four rows: what lies around starts in the second column and ends above the last row. */
const brush = (
  await sharp(
    Buffer.from(Array.from({ length: 8 * 4 }, (_, at) => (at % 8 > 0 && at % 8 < 7 && at < 24 ? 1 : 0))),
    { raw: { width: 8, height: 4, channels: 1 } },
  )
    .toColourspace('b-w')
    .png()
    .toBuffer()
).toString('base64')

describe('an outline', () => {
  // Column by column: to the fifth column and its third row, then three rows of each of six columns.
  const runs = [4 * 12 + 2, ...Array(5).fill([3, 9]).flat(), 3, 12 * 10 + 7]
  it.each<[string, Record<string, string>]>([
    ['COCO, a polygon', { 'a.json': coco({ segmentation: [flat] }) }],
    ['COCO, runs', { 'a.json': coco({ segmentation: { counts: runs, size: [12, 20] } }) }],
    ['COCO, a crowd', { 'a.json': coco({ iscrowd: 1, segmentation: { counts: runs, size: [12, 20] } }) }],
    [
      'YOLO',
      {
        'scans/slide 4.txt': `0 ${border.map(([x = 0, y = 0]) => `${x / 20} ${y / 12}`).join(' ')}`,
        'data.yaml': 'names: [gland]',
      },
    ],
    ['CVAT, a polygon', { 'a.xml': cvat('<polygon label="gland" points="4,2;10,2;10,5;4,5"/>') }],
    [
      'CVAT, a brush',
      {
        'a.xml': cvat(
          '<mask label="gland" rle="1, 6, 2, 6, 2, 6, 1" left="3" top="2" width="8" height="3"/>',
        ),
      },
    ],
    ['LabelMe', { 'scans/slide 4.json': labelme({}) }],
    ['LabelMe, all four corners of a box', { 'scans/slide 4.json': labelme({ shape_type: 'rectangle' }) }],
    [
      'LabelMe, a brush',
      {
        'scans/slide 4.json': labelme({
          shape_type: 'mask',
          points: [
            [3, 2],
            [10, 5],
          ],
          mask: brush,
        }),
      },
    ],
    [
      'VOC',
      {
        'scans/slide 4.xml': voc(
          `<object><name>gland</name><polygon>${border
            .map(([x, y], at) => `<x${at + 1}>${x}</x${at + 1}><y${at + 1}>${y}</y${at + 1}>`)
            .join('')}</polygon></object>`,
        ),
      },
    ],
  ])('of %s marks its pixels', async (_, files) => {
    expect(await masked(files)).toEqual({ pixels: { gland: around }, problems: [] })
  })

  it('has parts, lies over earlier ones, and is cut at the edge of the picture', async () => {
    const parts = { segmentation: [flat, [-3, 10, 2, 10, 2, 30, -3, 30]] }
    const above = { category_id: 2, segmentation: [[5, 2, 7, 2, 7, 4, 5, 4]] }
    const vessel = block(5, 2, 2, 2)
    expect(await masked({ 'a.json': coco(parts, above) })).toEqual({
      pixels: {
        gland: [...around.filter((at) => !vessel.includes(at)), ...block(0, 10, 2, 2)],
        vessel,
      },
      problems: [],
    })
  })

  it('of CVAT lies above by its order, wherever it is written', async () => {
    const small = '<polygon label="vessel" z_order="3" points="5,3;6,3;6,4;5,4"/>'
    const large = '<polygon label="gland" z_order="1" points="4,2;10,2;10,5;4,5"/>'
    const found = await masked({ 'a.xml': cvat(small + large) })
    expect(found.pixels?.vessel).toEqual(block(5, 3, 1, 1))
  })

  it('that later ones of another class hide, or that lies outside, spoils its image', async () => {
    const hidden = coco({ category_id: 2, segmentation: [[5, 3, 6, 3, 6, 4]] }, { segmentation: [flat] })
    expect((await masked({ 'a.json': hidden })).refused).toBe('outline_covered')
    const twice = coco({ segmentation: [flat] }, { segmentation: [flat] })
    expect((await masked({ 'a.json': twice })).pixels).toEqual({ gland: around })
    const outside = coco({ segmentation: [[30, 2, 40, 2, 40, 9]] })
    expect((await masked({ 'a.json': outside })).refused).toBe('outline_outside')
  })
})

describe('what is no outline', () => {
  const box = 'box_not_outline'
  it.each<[string, Record<string, string>, string]>([
    ['COCO, a box', { 'a.json': coco({ segmentation: [flat] }, {}) }, box],
    [
      'COCO, half a corner',
      { 'a.json': coco({ bbox: null, segmentation: [[1, 2, 3, 4, 5, 6, 7]] }) },
      'annotation_unreadable',
    ],
    [
      'COCO, runs of another size',
      { 'a.json': coco({ segmentation: { counts: [3, 4, 17], size: [4, 6] } }) },
      'annotation_unreadable',
    ],
    ['YOLO, a box', { 'scans/slide 4.txt': '0 0.1 0.1 0.4 0.1 0.4 0.6\n0 0.5 0.5 0.1 0.1' }, box],
    [
      'CVAT, a box',
      {
        'a.xml': cvat(
          '<polygon label="gland" points="4,2;10,2;10,5"/><box label="gland" xtl="1" ytl="1" xbr="3" ybr="3"/>',
        ),
      },
      box,
    ],
    ['CVAT, points', { 'a.xml': cvat('<points label="gland" points="4,2;10,2"/>') }, 'shape_without_area'],
    [
      'CVAT, a brush with too many runs',
      { 'a.xml': cvat('<mask label="gland" rle="1, 60" left="3" top="2" width="8" height="3"/>') },
      'annotation_unreadable',
    ],
    ['LabelMe, a line', { 'scans/slide 4.json': labelme({ shape_type: 'linestrip' }) }, 'shape_without_area'],
    [
      'LabelMe, a brush without its pixels',
      {
        'scans/slide 4.json': labelme({
          shape_type: 'mask',
          points: [
            [3, 2],
            [10, 5],
          ],
          mask: brush.slice(0, 40),
        }),
      },
      'annotation_unreadable',
    ],
    [
      'VOC, a turned box',
      {
        'scans/slide 4.xml': voc(
          '<object><name>gland</name><polygon><x1>1</x1><y1>1</y1><x2>5</x2><y2>1</y2><x3>5</x3><y3>4</y3></polygon></object>' +
            '<object><name>gland</name><robndbox><cx>5</cx><cy>5</cy><w>4</w><h>2</h><angle>0.5</angle></robndbox></object>',
        ),
      },
      box,
    ],
  ])('of %s is named, and its image is set aside', async (_, files, reason) => {
    const found = await masked(files)
    expect(found.pixels).toBeUndefined()
    expect(found.problems.map((one) => one.reason)).toContain(reason)
  })

  it('alone is said to be boxes', async () => {
    const found = await masked({ 'a.json': coco({}, {}) })
    expect(found).toEqual({
      failure: 'nothing_matches',
      problems: [{ path: 'a.json', reason: 'boxes_not_outlines', params: { count: 2 } }],
    })
  })
})

it('classes in several spellings are joined, and values of masks stand for the joined ones', async () => {
  const labels = ['Gland', 'gland ', 'vessel']
  const shapes = labels.map((label) => ({ label, points: border }))
  const text = JSON.stringify({ shapes, imagePath: '' })
  const found = await recognise(folderOf({ ...images(name), 'scans/slide 4.json': text }), 'segmentation')
  if (found.layout === null) throw new Error(found.failure)
  const joined = withJoinedSpellings(found, { classNames: { gland: 'Gland' } })
  expect('known' in joined && joined.known).toEqual({
    classes: ['background', 'Gland', 'vessel'],
    maskValues: { '0': 0, '1': 1, '2': 1, '3': 2 },
  })
})

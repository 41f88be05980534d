/** Files as other programs write them, after each format's documentation, and what is wrong in files. */
import { labelExchange } from '@neuroloom/contract/limits'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { asTarget, chance, image, meaningOf, readBy } from '../../../../test/label-files.ts'
import { packRuns, unpackRuns } from './rle.ts'

const targets = [image('train/a.png', [8, 6, 1]), image('train/b.jpg', [100, 50, 1])].map(asTarget)
const files = (all: Record<string, string>): Map<string, string> => new Map(Object.entries(all))
const none = new Map<string, string>()

describe('COCO of others', () => {
  const coco = (
    annotations: unknown[],
    images: unknown[] = [{ id: 7, file_name: 'a.png', width: 8, height: 6 }],
  ) =>
    files({
      'instances_train.json': JSON.stringify({
        ...{ images, annotations },
        categories: [
          { id: 1, name: 'cell' },
          { id: 3, name: 'person', keypoints: ['nose', 'eye'], skeleton: [[1, 2]] },
        ],
      }),
    })

  // The example of cocodataset.org: runs by columns that begin with what is not marked.
  it('has runs as numbers, outlines in parts, key points and crowds', async () => {
    const read = await readBy(
      'coco',
      coco([
        {
          id: 1,
          image_id: 7,
          category_id: 1,
          segmentation: { size: [6, 8], counts: [6, 1, 40, 1] },
          iscrowd: 1,
        },
        {
          id: 2,
          image_id: 7,
          category_id: 1,
          segmentation: [
            [0, 0, 2, 0, 2, 2],
            [4, 4, 6, 4, 6, 6],
          ],
          iscrowd: 0,
        },
        { id: 3, image_id: 7, category_id: 3, keypoints: [1, 1, 2, 0, 0, 0], bbox: [0, 0, 7, 5] },
        { id: 4, image_id: 7, category_id: 1, bbox: [1, 2, 3, 4] },
      ]),
      targets,
    )
    const marks = read.images.get('train/a.png')
    expect(read.problems).toEqual([])
    expect(marks && meaningOf(marks, none)).toMatchObject({
      segments: ['["cell (crowd)",[1,2,47]]'],
      things: [
        '["cell",{"axis":2,"slice":0},{"angle":0,"height":4,"kind":"box","width":3,"x":1,"y":2},[]]',
        '["cell",{"axis":2,"slice":0},{"kind":"outline","rings":[[0,0,2,0,2,2],[4,4,6,4,6,6]]},[]]',
        '["person",{"axis":2,"slice":0},{"angle":0,"height":5,"kind":"box","width":7,"x":0,"y":0},[]]',
        '["person",{"axis":2,"slice":0},{"kind":"points","points":[1,1,0,0],"seen":[2,0]},[]]',
      ],
    })
    expect(read.classes.get('cell (crowd)')).toMatchObject({ use: 'ignore' })
    expect(read.classes.get('person')?.skeleton).toEqual({ points: ['nose', 'eye'], joins: [[0, 1]] })
  })

  // `maskApi.c` of cocoapi packs these runs so; as pycocotools gives them.
  it('packs runs as its own library does', () => {
    expect(packRuns([6, 1, 40, 4, 5, 4, 5, 4, 21])).toBe('61X13mN000`0')
    expect(unpackRuns('61X13mN000`0')).toEqual([6, 1, 40, 4, 5, 4, 5, 4, 21])
    expect(unpackRuns('~~')).toBeNull()
  })

  it('names what is wrong, entry by entry, and takes the rest', async () => {
    const read = await readBy(
      'coco',
      coco(
        [
          { image_id: 7, category_id: 9, bbox: [0, 0, 1, 1] },
          { image_id: 7, category_id: 1, bbox: [0, 0, 0, 4] },
          { image_id: 7, category_id: 1, segmentation: { size: [6, 8], counts: [5] } },
          { image_id: 7, category_id: 1, segmentation: [[1, 1, 1, 1, 1, 1]] },
          { image_id: 7, category_id: 1, segmentation: [[0, 0, 4, 4, 4, 0, 0, 4]] },
          { image_id: 7, category_id: 1, bbox: [900, 900, 5, 5] },
          {
            image_id: 7,
            category_id: 1,
            segmentation: [
              [0, 0, 5, 0, 5, 5, 0, 5],
              [1, 1, 3, 1, 3, 3],
            ],
          },
          'nothing',
        ],
        [
          { id: 7, file_name: 'C:\\data\\train\\A.PNG', width: 8, height: 6 },
          { id: 8, file_name: 'gone.png' },
          { id: 9, file_name: 'b.jpg', width: 50, height: 100 },
          { id: 10, file_name: 'a.png' },
        ],
      ),
      targets,
    )
    expect(read.problems.map(({ reason, params }) => [reason, params.number ?? params.name])).toEqual([
      ['image_missing', 'gone.png'],
      ['size_differs', 'train/b.jpg'],
      ['duplicate_entry', 'a.png'],
      ['unreadable', 8],
      ['class_unknown', 1],
      ['shape_empty', 2],
      ['unreadable', 3],
      ['shape_empty', 4],
      ['crosses_itself', 5],
      ['shape_outside', 6],
    ])
    const marks = read.images.get('train/a.png')
    // The last one's parts lie on each other: what is enclosed twice is in, as COCO fills it.
    expect(marks?.things.size).toBe(1)
    expect([...(marks?.segments.values() ?? [])]).toHaveLength(1)
  })

  it('tells of entries about images that are not listed, and of runs of another size', async () => {
    const read = await readBy(
      'coco',
      coco([
        // A text in one place and a number in the other are the same number.
        { image_id: '7', category_id: '1', bbox: [0, 0, 1, 1] },
        { image_id: 70, category_id: 1, bbox: [0, 0, 1, 1] },
        { image_id: 70, category_id: 1, bbox: [0, 0, 1, 1] },
        { image_id: 7, category_id: 1, segmentation: { size: [8, 6], counts: [48] } },
      ]),
      targets,
    )
    expect(read.images.get('train/a.png')?.things.size).toBe(1)
    expect(read.problems.map(({ reason, params }) => [reason, params.name, params.number])).toEqual([
      ['image_missing', 'image_id 70', 2],
      ['size_differs', 'train/a.png', 4],
    ])
  })

  it('that ends in the middle is told, whatever it is called', async () => {
    const whole = coco([]).get('instances_train.json') ?? ''
    const read = await readBy(
      'coco',
      files({ 'labels.json': whole.slice(0, -9), 'other.json': '{' }),
      targets,
    )
    expect(read.problems).toEqual([
      { kind: 'problem', path: 'labels.json', reason: 'file_unreadable', params: { line: 0 } },
    ])
  })

  it('may be a list an image, more of them than other files are looked into', async () => {
    const many = Array.from({ length: labelExchange.lists + 1 }, (_, index) => {
      const { images, ...list } = JSON.parse(coco([]).get('instances_train.json') ?? '')
      return [
        `${index}.json`,
        JSON.stringify({ ...list, images: [{ ...images[0], file_name: `${index}.png` }] }),
      ]
    })
    const all = many.map((_, index) => asTarget(image(`${index}.png`, [8, 6, 1])))
    expect((await readBy('coco', new Map(many as [string, string][]), all)).images.size).toBe(many.length)
  })

  it('keeps masks that lie on each other by their outlines, to the pixel', async () => {
    const runs = { size: [6, 8], counts: [0, 12, 36] }
    const read = await readBy(
      'coco',
      coco([
        { image_id: 7, category_id: 1, segmentation: runs },
        { image_id: 7, category_id: 1, segmentation: { size: [6, 8], counts: [6, 12, 30] } },
      ]),
      targets,
    )
    const marks = read.images.get('train/a.png')
    expect(read.problems.map(({ reason }) => reason)).toEqual(['overlap'])
    expect([...(marks?.things.values() ?? [])].map(({ shape }) => shape)).toEqual([
      { kind: 'outline', rings: [[3, 0, 3, 6, 1, 6, 1, 0]].map((ring) => expect.arrayContaining(ring)) },
    ])
  })

  it('of 100,000 boxes is read whole', async () => {
    const boxes = Array.from({ length: 100_000 }, (_, index) => ({
      ...{ image_id: 7, category_id: 1 },
      bbox: [index % 7, index % 5, 1, 1],
    }))
    const read = await readBy('coco', coco(boxes), targets)
    expect(read.images.get('train/a.png')?.things.size).toBe(100_000)
    expect(read.problems).toEqual([])
  })
})

describe('YOLO of others', () => {
  // docs.ultralytics.com/datasets: detect, obb, segment and pose.
  it('has boxes, turned boxes, outlines and points, in shares or in pixels', async () => {
    const read = await readBy(
      'yolo',
      files({
        'data.yaml': 'names: {0: cell, 1: nerve}\n',
        'labels/train/a.txt': '0 0.5 0.5 0.25 0.5\r\n1 0 0 0.5 0 0.5 0.5 0 0.5\n1 0.1 0.1 0.5 0.1 0.3 0.9\n',
        'labels/train/b.txt': '0 50 25 10 10\n7 0.5 0.5 0.1 0.1\nx\n',
        'labels/train/c.txt': '0 0.5 0.5 0.1 0.1\n',
      }),
      targets,
    )
    const [a, b] = [...read.images.values()].map((marks) =>
      [...marks.things.values()].map(({ shape }) => shape),
    )
    expect(a).toEqual([
      { kind: 'box', x: 3, y: 1.5, width: 2, height: 3, angle: 0 },
      { kind: 'box', x: 0, y: 0, width: 4, height: 3, angle: 0 },
      { kind: 'outline', rings: [[0.8, 0.6000000000000001, 4, 0.6000000000000001, 2.4, 5.4]] },
    ])
    expect(b).toEqual([{ kind: 'box', x: 45, y: 20, width: 10, height: 10, angle: 0 }])
    expect(read.problems.map(({ reason }) => reason)).toEqual([
      'class_unknown',
      'unreadable',
      'image_missing',
    ])
  })

  it('counts in the list of its own folder, blank lines too', async () => {
    const read = await readBy(
      'yolo',
      files({
        'one/classes.txt': 'cell\nnerve\n',
        'one/a.txt': '1 0.5 0.5 0.25 0.5\n',
        'two/classes.txt': 'nerve\n\ncell\n',
        'two/b.txt': '0 0.5 0.5 0.25 0.5\n2 0.25 0.5 0.25 0.5\n',
      }),
      targets,
    )
    const names = [...read.images.values()].map((marks) =>
      [...marks.things.values()].map((thing) => thing.class),
    )
    expect(names).toEqual([['nerve'], ['nerve', 'cell']])
  })
})

describe('labels of images that are called alike', () => {
  it('go to the one whose whole path is named', async () => {
    const alike = ['a.jpg', 'sub/a.png', 'x/b.png', 'y/b.png'].map((name) => asTarget(image(name, [8, 6, 1])))
    const row = '0 0.5 0.5 0.25 0.5\n'
    const found = files({ 'labels/a.txt': row, 'labels/sub/a.txt': row, 'labels/b.txt': row })
    const { images, problems } = await readBy('yolo', found, alike)
    expect([...images.keys()]).toEqual(['a.jpg', 'sub/a.png'])
    expect(problems).toMatchObject([{ path: 'labels/b.txt', reason: 'image_missing' }])
    const mask = await sharp(Buffer.alloc(48, 1), { raw: { width: 8, height: 6, channels: 1 } })
      .png()
      .toBuffer()
    const masks = new Map(['a', 'sub/a'].map((stem) => [`masks/cell/${stem}.png`, mask]))
    expect([...(await readBy('masks', masks, alike)).images.keys()]).toEqual(['a.jpg', 'sub/a.png'])
  })
})

describe('masks of others', () => {
  it('that are photographs are told as such', async () => {
    const by = chance(1)
    const noise = Buffer.from(Array.from({ length: 3 * 100 * 50 }, () => by.whole(0, 255)))
    const photograph = await sharp(noise, { raw: { width: 100, height: 50, channels: 3 } })
      .png()
      .toBuffer()
    const { problems } = await readBy('masks', new Map([['masks/b.png', photograph]]), targets)
    expect(problems).toMatchObject([{ path: 'masks/b.png', reason: 'no_whole_numbers' }])
  })
})

describe('beside those of images', () => {
  it('texts of YOLO that belong to no image are told, and other texts are not', async () => {
    const row = '0 0.5 0.5 0.25 0.5\n'
    const read = await readBy(
      'yolo',
      files({ 'a.txt': row, 'gone.txt': row, 'notes.txt': 'Read 2 first\n' }),
      targets,
    )
    expect(read.problems.map(({ path, reason }) => [path, reason])).toEqual([['gone.txt', 'image_missing']])
  })

  it('masks that belong to no image are told', async () => {
    const mask = await sharp(Buffer.alloc(48, 1), { raw: { width: 8, height: 6, channels: 1 } })
      .png()
      .toBuffer()
    for (const folder of ['masks/', '']) {
      const found = new Map([
        [`${folder}a.png`, mask],
        [`${folder}gone.png`, mask],
      ])
      const read = await readBy('masks', found, targets)
      expect(read.images.size).toBe(1)
      expect(read.problems.map(({ path, reason }) => [path, reason])).toEqual([
        [`${folder}gone.png`, 'image_missing'],
      ])
    }
    const voc = new Map([['SegmentationClass/gone.png', mask]])
    expect((await readBy('voc', voc, targets)).problems).toMatchObject([{ reason: 'image_missing' }])
  })
})

describe('Pascal VOC of others', () => {
  // The development kit of 2012: counted from 1, with difficult and truncated ones.
  it('has boxes that are counted from 1, unless some begin at 0', async () => {
    const object = (corners: number[], more = '') =>
      `<object><name>cell</name><pose>Left</pose>${more}<bndbox><xmin>${corners[0]}</xmin><ymin>${corners[1]}</ymin>` +
      `<xmax>${corners[2]}</xmax><ymax>${corners[3]}</ymax></bndbox><part><name>head</name><bndbox><xmin>0</xmin></bndbox></part></object>`
    const xml = (name: string, objects: string) =>
      `<annotation><filename>${name}</filename><size><width>0</width><height>0</height></size>${objects}</annotation>`
    const one = await readBy(
      'voc',
      files({ 'Annotations/a.xml': xml('a.png', object([1, 1, 8, 6], '<difficult>1</difficult>')) }),
      targets,
    )
    expect([...(one.images.get('train/a.png')?.things.values() ?? [])][0]).toMatchObject({
      ...{ class: 'cell', attributes: { difficult: true, pose: 'Left' } },
      shape: { x: 0, y: 0, width: 8, height: 6 },
    })
    const path = 'C:\\Users\\me\\train\\a.png'
    const elsewhere = xml('0001', `${object([1, 1, 8, 6])}<path>${path}</path>`)
    expect((await readBy('voc', files({ '1.xml': elsewhere }), targets)).images.has('train/a.png')).toBe(true)
    const zero = await readBy(
      'voc',
      files({
        'a.xml': xml('a.png', object([0, 0, 8, 6])),
        'b.xml': xml('b.jpg', `${object([3, 3, 3, 9])}<object`),
      }),
      targets,
    )
    expect([...(zero.images.get('train/a.png')?.things.values() ?? [])][0]?.shape).toMatchObject({
      x: 0,
      width: 8,
    })
    expect(zero.problems.map(({ reason, path }) => [reason, path])).toEqual([['file_unreadable', 'b.xml']])
  })
})

describe('LabelMe and CVAT of others', () => {
  // labelme `examples/`: circle, line and group; flags of the image.
  it('has circles, lines and flags', async () => {
    const json = {
      ...{
        version: '4.5.6',
        flags: { blurred: true, good: false },
        imagePath: '..\\images\\a.png',
        imageData: null,
      },
      shapes: [
        {
          label: 'cell',
          points: [
            [4, 3],
            [4, 1],
          ],
          group_id: null,
          shape_type: 'circle',
          flags: {},
        },
        {
          label: 'cell',
          points: [
            [1, 1],
            [5, 4],
          ],
          shape_type: 'line',
          flags: { dim: true },
        },
        {
          label: 'cell',
          points: [
            [5, 4],
            [1, 1],
          ],
          shape_type: 'rectangle',
        },
        { label: 'cell', points: [[5, 4]], shape_type: 'cube' },
      ],
    }
    const read = await readBy(
      'labelme',
      files({ 'json/a.json': JSON.stringify(json), 'x.json': '{"shapes":[' }),
      targets,
    )
    const marks = read.images.get('train/a.png')
    expect(marks?.tags).toEqual(['blurred'])
    const shapes = [...(marks?.things.values() ?? [])].map(({ shape }) => shape)
    expect(shapes.map(({ kind }) => kind)).toEqual(['outline', 'line', 'box'])
    expect(shapes[2]).toEqual({ kind: 'box', x: 1, y: 1, width: 4, height: 3, angle: 0 })
    expect(read.problems.map(({ reason }) => reason)).toEqual(['shape_unknown'])
  })

  // docs.cvat.ai, "CVAT for images 1.1": its own example of a mask and an ellipse.
  it('has ellipses, masks by rows and attributes', async () => {
    const xml = `<?xml version="1.0" encoding="utf-8"?><annotations><version>1.1</version><meta><task><name>t</name><labels>
      <label><name>cell</name><color>#FF00aa</color><attributes></attributes></label></labels></task></meta>
      <image id="0" name="train/a.png" width="8" height="6"><tag label="good" source="manual"></tag>
      <ellipse label="cell" occluded="1" cx="4" cy="3" rx="2" ry="1" z_order="0"></ellipse>
      <mask label="cell" occluded="0" rle="1, 2, 1" left="2" top="1" width="2" height="2" z_order="0"><attribute name="sure">7</attribute></mask>
      <cuboid label="cell" occluded="0"></cuboid></image>
      <image id="1" name="gone.png" width="8" height="6"></image></annotations>`
    const read = await readBy('cvat', files({ 'annotations.xml': xml }), targets)
    const marks = read.images.get('train/a.png')
    expect(marks?.tags).toEqual(['good'])
    expect(marks && meaningOf(marks, none).segments).toEqual(['["cell",[11,12,18,19]]'])
    expect([...(marks?.things.values() ?? [])][0]).toMatchObject({
      attributes: { occluded: true },
      shape: { kind: 'outline' },
    })
    expect(read.classes.get('cell')).toMatchObject({ colour: '#ff00aa' })
    expect(read.problems.map(({ reason }) => reason)).toEqual(['image_missing', 'shape_unknown'])
  })

  it('refuses texts that define words of their own or never end', async () => {
    const bomb =
      '<!DOCTYPE a [<!ENTITY b "x">]><annotations><image name="train/a.png">&b;</image></annotations>'
    const read = await readBy(
      'cvat',
      files({ 'a.xml': bomb, 'b.xml': '<annotations><image name="a.png">' }),
      targets,
    )
    expect(read.images.size).toBe(0)
    expect(read.problems.map(({ reason }) => reason)).toEqual(['file_unreadable', 'file_unreadable'])
  })
})

describe('tables of others', () => {
  it('have corners or sides, commas or semicolons, and empty rows for images without a box', async () => {
    const read = await readBy(
      'csv',
      files({
        'boxes.csv':
          'filename;xmin;ymin;xmax;ymax;class\na.png;1;2;4,5;5;cell\ntrain\\b.jpg;;;;;\nz.png;1;1;2;2;cell\na.png;x;1;2;2;cell\n',
        'labels.csv': 'image,label\nb,good\n',
      }),
      targets,
    )
    expect([...(read.images.get('train/a.png')?.things.values() ?? [])].map(({ shape }) => shape)).toEqual([
      { kind: 'box', x: 1, y: 2, width: 3.5, height: 3, angle: 0 },
    ])
    expect(read.images.get('train/b.jpg')?.tags).toEqual(['good'])
    expect(read.problems.map(({ reason, params }) => [reason, params.line])).toEqual([
      ['image_missing', 4],
      ['unreadable', 5],
    ])
  })
})

import { buffer } from 'node:stream/consumers'
import { asFound } from '@neuroloom/contract/reading/reading'
import type { Task } from '@neuroloom/contract/task'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { type DrawnPage, tiffStack } from '../../../test/tiff-stack.ts'
import { type TestFile, upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { encodePng } from '../../demo/png.ts'
import { look } from './jobs.ts'
import { manifestOf } from './service.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const SIDE = 24
type Paint<Colour> = (x: number, y: number) => Colour
const painted = <Colour>(paint: Paint<Colour>): Colour[] =>
  Array.from({ length: SIDE * SIDE }, (_, at) => paint(at % SIDE, Math.floor(at / SIDE)))
const png = (paint: Paint<number>): Buffer =>
  encodePng({ width: SIDE, height: SIDE, pixels: Uint8Array.from(painted(paint)) })
/** Portable map of colours. */
const ppm = (paint: Paint<readonly [number, number, number]>): Buffer =>
  Buffer.concat([Buffer.from(`P6\n${SIDE} ${SIDE}\n255\n`), Buffer.from(painted(paint).flat())])
const picture = (seed: number): Buffer => png((x, y) => (x * 7 + y * 13 + seed * 31) % 200)
const square = (from: number, to: number, value = 255): Buffer =>
  png((x, y) => (x >= from && x < to && y >= from && y < to ? value : 0))
const disc = (radius: number): Buffer =>
  png((x, y) => (Math.hypot(x - SIDE / 2, y - SIDE / 2) < radius ? 255 : 0))

async function made(files: TestFile[], task: Task = 'segmentation') {
  const session = await server.signUp({ vipSuper: 1 })
  const folderId = (await upload(server, session, { files })) ?? ''
  const project = await server.call('projects/create', { name: `project ${Math.random()}`, task }, session)
  const { data } = await server.call('datasets/recognise', { projectId: project.data.id, folderId }, session)
  const seen = async () => {
    await look(makeWorker(server), data.id)
    const dataset = (await server.call('datasets/detail', { id: data.id }, session)).data
    const { problems } = (await server.call('datasets/problems', { id: data.id }, session)).data
    return { dataset, problems, manifest: await manifestOf(server.ctx.db, data.id) }
  }
  return { session, id: data.id, seen, ...(await seen()) }
}
const bytesOf = (sha256: string | null | undefined) => buffer(server.ctx.storage.read(sha256 ?? ''))

const drive = ['21', '22', '23'].flatMap((number, seed) => [
  { path: `DRIVE/images/${number}_training.png`, bytes: picture(seed) },
  { path: `DRIVE/1st_manual/${number}_manual1.png`, bytes: square(4, 12 + seed) },
  { path: `DRIVE/2nd_manual/${number}_manual2.png`, bytes: square(6, 12 + seed, 1) },
  { path: `DRIVE/mask/${number}_training_mask.png`, bytes: disc(11) },
])

it('a field of view is the region that counts; of two readers one counts until the owner chooses', async () => {
  const { session, id, seen, dataset, manifest, problems } = await made(drive)
  expect(problems).toEqual([])
  expect(dataset.facts).toMatchObject({
    readers: [
      { key: '1st_manual', items: 3 },
      { key: '2nd_manual', items: 3 },
    ],
    masks: { counts: '1st_manual', mayVote: true, regions: 3, regionFrom: 'mask' },
  })
  expect(await bytesOf(manifest.items[0]?.label)).toEqual(square(4, 12))
  expect(await bytesOf(manifest.items[0]?.region)).toEqual(disc(11))

  const reading = { ...asFound, labels: 'majority', classNames: { foreground: 'vessel' } }
  await server.call('datasets/readAs', { id, reading }, session)
  const voted = await seen()
  expect(voted.dataset).toMatchObject({
    classes: ['background', 'vessel'],
    reading: { labels: 'majority' },
    facts: { masks: { counts: 'majority' } },
  })
  // Where two differ nothing is marked: the smaller square is left.
  const areas = [6, 7, 8].map((side) => side * side)
  const total = areas.reduce((sum, area) => sum + area, 0)
  expect(voted.dataset.facts?.classCounts).toEqual([3 * SIDE * SIDE - total, total])
  expect(voted.dataset.facts?.masks?.agreement).toBeCloseTo(
    [
      [8, 6],
      [9, 7],
      [10, 8],
    ].reduce((sum, [one = 0, other = 0]) => sum + (2 * other ** 2) / (one ** 2 + other ** 2) / 3, 0),
  )
  const { data } = await server.call('datasets/items', { id }, session)
  expect((await fetch(server.url + data.items[0]?.mask)).status).toBe(200)
})

it('a mask a nucleus is joined; what cannot be joined is named', async () => {
  const nuclei = ['00ae65c1c6631ae6', '0a7d30b252359a10'].flatMap((name, seed) => [
    { path: `stage1/${name}/images/${name}.png`, bytes: picture(seed) },
    { path: `stage1/${name}/masks/07a9bf1d7594af${seed}.png`, bytes: square(2, 6) },
    { path: `stage1/${name}/masks/0e548d0af63ab4${seed}.png`, bytes: square(10, 12) },
  ])
  const broken = nuclei[2]?.bytes.subarray(0, 40) ?? Buffer.alloc(0)
  const { dataset, problems, manifest } = await made([
    ...nuclei,
    { path: 'stage1/0b2e702f90aee4ff/images/0b2e702f90aee4ff.png', bytes: picture(7) },
    { path: 'stage1/0b2e702f90aee4ff/masks/b26d1.png', bytes: broken },
    { path: 'stage1/0b2e702f90aee4ff/masks/b26d2.png', bytes: square(1, 3) },
  ])
  expect(dataset.facts).toMatchObject({ items: 2, masks: { joined: 2 }, classCounts: [2 * 556, 2 * 20] })
  expect(problems.map(({ path }) => path)).toEqual(['0b2e702f90aee4ff/masks/b26d1.png'])
  expect(manifest.maskValues).toEqual({ '0': 0, '255': 1 })
})

it('joining none, some or all masks of a set gives the same classes', async () => {
  const values: [string, number, number][] = [
    ['one thing', 255, 255],
    ['a class number a picture', 1, 2],
  ]
  for (const [name, first, second] of values) {
    const found = await Promise.all(
      [[], ['1'], ['1', '2']].map(async (joined) =>
        made(
          ['1', '2'].flatMap((seed) => {
            const value = seed === '1' ? first : second
            const whole = { path: `set/x${seed}_mask.png`, bytes: square(2, 8, value) }
            const parts = [
              {
                path: `set/x${seed}_mask_1.png`,
                bytes: png((x, y) => (x >= 2 && x < 5 && y >= 2 && y < 8 ? value : 0)),
              },
              {
                path: `set/x${seed}_mask_2.png`,
                bytes: png((x, y) => (x >= 5 && x < 8 && y >= 2 && y < 8 ? value : 0)),
              },
            ]
            const picked = joined.includes(seed) ? parts : [whole]
            return [{ path: `set/x${seed}.png`, bytes: picture(Number(seed)) }, ...picked]
          }),
        ),
      ),
    )
    const classes = first === second ? ['background', 'foreground'] : ['background', 'class 1', 'class 2']
    const counts = first === second ? [2 * (SIDE ** 2 - 36), 72] : [2 * (SIDE ** 2 - 36), 36, 36]
    for (const { dataset, problems } of found)
      expect([name, problems, dataset.classes, dataset.facts?.classCounts]).toEqual([
        name,
        [],
        classes,
        counts,
      ])
  }
})

it('each colour is a class, called as a table says', async () => {
  const colours = (x: number) =>
    (
      [
        [255, 0, 0],
        [0, 0, 255],
        [0, 0, 0],
      ] as const
    )[Math.min(2, Math.floor(x / 6))]
  const { dataset, manifest, problems } = await made([
    ...[1, 2, 3].flatMap((seed) => [
      { path: `set/images/${seed}.png`, bytes: picture(seed) },
      { path: `set/masks/${seed}.ppm`, bytes: ppm((x) => colours(x) ?? [0, 0, 0]) },
    ]),
    { path: 'set/images/4.png', bytes: picture(4) },
    { path: 'set/masks/4.ppm', bytes: ppm((x, y) => [x * 10, y * 10, (x * y) % 256]) },
    { path: 'set/class_dict.csv', bytes: Buffer.from('name,r,g,b\nlesion,255,0,0\nvessel,0,0,255\n') },
  ])
  expect(problems).toMatchObject([{ path: 'masks/4.ppm', reason: 'mask_colour' }])
  expect(dataset.classes).toEqual(['background', 'vessel', 'lesion'])
  expect(manifest.maskValues).toEqual({ '#000000': 0, '#0000ff': 1, '#ff0000': 2 })
  expect(dataset.facts?.masks?.values).toEqual([
    { value: '#000000', class: 0, pixels: 3 * 12 * SIDE },
    { value: '#0000ff', class: 1, pixels: 3 * 6 * SIDE },
    { value: '#ff0000', class: 2, pixels: 3 * 6 * SIDE },
  ])
})

it('255 beside class numbers is no class and says so; beside 0 alone it is what is marked', async () => {
  const ringed = (value: number) =>
    png((x, y) => {
      const away = Math.max(Math.abs(x - 12), Math.abs(y - 12))
      if (away > 6) return 0
      return away === 6 ? 255 : value
    })
  const voc = (mask: (seed: number) => Buffer) =>
    [1, 2, 3].flatMap((seed) => [
      { path: `VOC/JPEGImages/2007_${seed}.png`, bytes: picture(seed) },
      { path: `VOC/SegmentationClass/2007_${seed}.png`, bytes: mask(seed) },
    ])
  const { dataset, manifest, problems } = await made(voc((seed) => ringed(seed === 3 ? 15 : 7)))
  expect(problems).toEqual([])
  expect(manifest.maskValues).toEqual({ '0': 0, '7': 1, '15': 2, '255': -1 })
  expect(dataset.classes).toEqual(['background', 'class 7', 'class 15'])
  expect(dataset.facts?.classCounts).toEqual([3 * (SIDE ** 2 - 169), 2 * 121, 121])
  expect(dataset.facts?.masks?.open).toEqual({ value: '255', images: 3, share: 48 / SIDE ** 2 })

  const plain = await made(voc(() => square(4, 9)))
  expect(plain.dataset.classes).toEqual(['background', 'foreground'])
  expect(plain.dataset.facts?.masks).toBeUndefined()
})

/** Grey, uncompressed, with the camera's note of how it was held. */
function tiff(width: number, height: number, turn: number): Buffer {
  const tags = [
    ...[
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, 8],
    ],
    ...[
      [274, turn],
      [277, 1],
      [278, height],
      [279, width * height],
    ],
  ]
  const pixels = Buffer.from(Array.from({ length: width * height }, (_, at) => (at * 7) % 251))
  const list = Buffer.alloc(2 + tags.length * 12 + 4)
  list.writeUInt16LE(tags.length, 0)
  for (const [index, [tag = 0, value = 0]] of tags.entries()) {
    list.writeUInt16LE(tag, 2 + index * 12)
    list.writeUInt16LE(3, 4 + index * 12)
    list.writeUInt32LE(1, 6 + index * 12)
    list.writeUInt32LE(value, 10 + index * 12)
  }
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1')
  head.writeUInt32LE(8 + pixels.length, 4)
  return Buffer.concat([head, pixels, list])
}

it('a mask that was drawn before its picture was turned is turned along', async () => {
  const [wide, high] = [24, 16]
  const corner = Uint8Array.from({ length: wide * high }, (_, at) =>
    at % wide < 4 && at < 4 * wide ? 255 : 0,
  )
  const { dataset, manifest, problems } = await made([
    { path: 'set/images/1.tif', bytes: tiff(wide, high, 6) },
    { path: 'set/masks/1.png', bytes: encodePng({ width: wide, height: high, pixels: corner }) },
    { path: 'set/images/2.tif', bytes: tiff(wide, high, 6) },
    { path: 'set/masks/2.png', bytes: encodePng({ width: high, height: wide, pixels: corner }) },
  ])
  expect(problems).toEqual([])
  expect(dataset.facts).toMatchObject({
    ...{ width: { max: high }, height: { max: wide } },
    masks: { turned: 2, masksTurned: 1, unsure: 0 },
  })
  const [first] = manifest.items
  expect((await bytesOf(first?.label)).readUInt32BE(16)).toBe(high)
})

it('outlines of LabelMe become masks of their classes, later ones above earlier ones', async () => {
  const box = (label: string, from: number, to: number) => ({
    ...{ label, shape_type: 'rectangle' },
    points: [
      [from, from],
      [to, to],
    ],
  })
  const text = (shapes: object[], side = SIDE) =>
    Buffer.from(JSON.stringify({ imagePath: 'gone.png', imageWidth: side, imageHeight: side, shapes }))
  const { dataset, manifest, problems } = await made([
    ...[1, 2, 3, 4].map((seed) => ({ path: `set/p${seed}.png`, bytes: picture(seed) })),
    { path: 'set/p1.json', bytes: text([box('tumour', 2, 12), box('cyst', 4, 8)]) },
    { path: 'set/p2.json', bytes: text([box('cyst', 0, 5)]) },
    { path: 'set/p3.json', bytes: text([box('cyst', 0, 5)], 2 * SIDE) },
    { path: 'set/p4.json', bytes: text([{ label: 'cyst', shape_type: 'point', points: [[1, 1]] }]) },
  ])
  expect(dataset).toMatchObject({ layout: 'images_masks', classes: ['background', 'cyst', 'tumour'] })
  expect(dataset.facts?.classCounts).toEqual([2 * SIDE ** 2 - 125, 16 + 25, 84])
  expect(manifest.maskValues).toEqual({ '0': 0, '1': 1, '2': 2 })
  expect(problems.map(({ path, reason }) => [path, reason])).toEqual([
    ['p4.json', 'shape_without_area'],
    ['p3.png', 'size_differs'],
  ])
})

it('outlines of COCO become masks, and what cannot be drawn is named with its picture', async () => {
  const outlines: [number, number, number[]][] = [
    [1, 1, [2, 2, 12, 2, 12, 12, 2, 12]],
    [1, 2, [4, 4, 8, 4, 8, 8, 4, 8]],
    [2, 2, [0, 0, 5, 0, 5, 5, 0, 5]],
    [3, 2, [4, 4, 8, 4, 8, 8, 4, 8]],
    [3, 1, [2, 2, 12, 2, 12, 12, 2, 12]],
  ]
  const list = {
    images: [1, 2, 3].map((id) => ({ id, file_name: `p${id}.png`, width: SIDE, height: SIDE })),
    categories: ['tumour', 'cyst'].map((name, index) => ({ id: index + 1, name })),
    annotations: outlines.map(([image_id, category_id, outline]) => ({
      ...{ image_id, category_id },
      segmentation: [outline],
    })),
  }
  const { dataset, manifest, problems } = await made([
    ...[1, 2, 3].map((seed) => ({ path: `set/p${seed}.png`, bytes: picture(seed) })),
    { path: 'set/list.json', bytes: Buffer.from(JSON.stringify(list)) },
    // In an order of its own, which names nothing.
    { path: 'set/classes.txt', bytes: Buffer.from('tumour\ncyst\n') },
  ])
  expect(dataset).toMatchObject({ layout: 'images_masks', classes: ['background', 'cyst', 'tumour'] })
  expect(dataset.facts?.classCounts).toEqual([2 * SIDE ** 2 - 125, 16 + 25, 84])
  expect(manifest.items).toHaveLength(2)
  expect(problems.map(({ path, reason }) => [path, reason])).toEqual([['p3.png', 'outline_covered']])
})

it('pages of a stack are learned from, each with the page of its mask, and stay together', async () => {
  const page = (seed: number): DrawnPage => ({
    ...{ width: SIDE, height: SIDE },
    pixels: Uint8Array.from({ length: SIDE ** 2 }, (_, at) => (at * (seed + 3) + seed * seed * 17) % 256),
  })
  const marked = (side: number): DrawnPage => ({
    ...{ width: SIDE, height: SIDE },
    pixels: Uint8Array.from({ length: SIDE ** 2 }, (_, at) =>
      Number(at % SIDE < side && Math.floor(at / SIDE) < side),
    ),
  })
  const names = ['brain', 'liver', 'skin']
  const { dataset, manifest, problems } = await made([
    ...names.flatMap((name, seed) => [
      { path: `set/images/${name}.tif`, bytes: tiffStack([0, 1, 2, 3].map((n) => page(9 * seed + n))) },
      { path: `set/masks/${name}.tif`, bytes: tiffStack([2, 3, 4, 5].map(marked), seed > 0) },
    ]),
    { path: 'set/images/bone.tif', bytes: tiffStack([page(40), page(41), page(42)]) },
    { path: 'set/masks/bone.tif', bytes: tiffStack([marked(2), marked(3)]) },
    { path: 'set/images/lung.tif', bytes: tiffStack([page(50), page(51)]) },
    { path: 'set/masks/lung.tif', bytes: tiffStack([marked(6)]) },
  ])
  expect(dataset.facts).toMatchObject({ items: 13, patients: 3 })
  expect(dataset.facts?.classCounts[1]).toBe(3 * (4 + 9 + 16 + 25) + 36)
  // The pages of a stack never stand on both sides of a split.
  const groups = manifest.items.map(({ group }) => group)
  const sizes = [...new Set(groups)].map((one) => groups.filter((group) => group === one).length)
  expect(sizes.sort()).toEqual([1, 4, 4, 4])
  const digests = new Set(manifest.items.map(({ image }) => image))
  expect(digests.size).toBe(13)
  expect(problems.map(({ path, reason, params }) => [path, reason, params])).toEqual([
    ['images/bone.tif', 'pages_differ', { pages: 3, maskPages: 2 }],
    ['images/lung.tif', 'pages_not_used', { pages: 1 }],
  ])
})

it('pictures beside masks are learned from alone where classes are wanted', async () => {
  const files = ['oak', 'pine'].flatMap((kind, seed) => [
    { path: `set/${kind}/a.png`, bytes: picture(seed) },
    { path: `set/${kind}/a_mask.png`, bytes: square(2, 8) },
    { path: `set/${kind}/b.png`, bytes: picture(seed + 5) },
    { path: `set/${kind}/b_mask.png`, bytes: square(3, 8) },
  ])
  const { dataset, problems } = await made(files, 'classification')
  expect(dataset).toMatchObject({ layout: 'class_folders', classes: ['oak', 'pine'], facts: { items: 4 } })
  expect(problems.map(({ reason }) => reason)).toEqual(Array(4).fill('mask_not_used'))
})

it('the picture of a mask tells its classes by the colours that are told with it', async () => {
  // Class a stands in the middle, class b on the right.
  const marks = [
    [1, 3],
    [2, 2],
    [3, 1],
    [0, 2],
    // Each value is one compact piece, as where things are numbered.
    [1, 2],
  ] as const
  const { session, id, dataset } = await made(
    marks.flatMap(([a, b], index) => [
      { path: `organs/images/${index}.png`, bytes: picture(index) },
      { path: `organs/masks/${index}.png`, bytes: png((x) => (x < 8 ? 0 : x < 16 ? a : b)) },
    ]),
  )
  expect(dataset.classes).toHaveLength(4)
  const { items } = (await server.call('datasets/items', { id, class: null, after: null }, session)).data
  for (const [index, [a, b]] of marks.entries()) {
    const { mask, shades } = items[index] ?? {}
    const shown = await fetch(`${server.url}${mask}`)
    const { data, info } = await sharp(Buffer.from(await shown.arrayBuffer()))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const classAt = (x: number): number | undefined => {
      const at = (12 * info.width + x) * info.channels
      const colour = `#${data.subarray(at, at + 3).toString('hex')}`
      return shades?.find(({ shade }) => shade === colour)?.class
    }
    expect([2, 12, 20].map(classAt)).toEqual([0, a, b])
  }
})

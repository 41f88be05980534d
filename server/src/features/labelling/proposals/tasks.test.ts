/** Networks of every task that finds something propose where they should: on pictures, DICOM, volumes and series. */
import type { Body } from '@neuroloom/contract/calls'
import type { ProposedObject } from '@neuroloom/contract/labelling/proposals'
import type { Task } from '@neuroloom/contract/task'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawDicom } from '../../../../test/dicom.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { niftiVolume } from '../../../../test/images.ts'
import { gatherNow } from '../../../../test/labels.ts'
import { hasEnded, startQuick, until } from '../../../../test/training.ts'
import { type TestFile, upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { look } from '../../datasets/jobs.ts'
import { type Runner, startRunner } from '../../runs/queue/jobs.ts'
import { harvest } from './harvest.ts'

let server: TestServer
let worker: ReturnType<typeof makeWorker>
let runner: Runner
let me: Session
beforeAll(async () => {
  server = await makeServer()
  worker = makeWorker(server)
  runner = startRunner(worker)
  me = await server.signUp({ vipLevel: 4 })
})
afterAll(async () => {
  await runner.stop()
  worker.engine.close()
  await server.close()
})

type Learned = { runId: string; classes: string[] }

async function learn(task: Task, files: TestFile[], body: Partial<Body<'runs/start'>>): Promise<Learned> {
  const folderId = (await upload(server, me, { files })) ?? ''
  const { data: project } = await server.call('projects/create', { name: `About ${task}`, task }, me)
  const { data: made } = await server.call('datasets/recognise', { projectId: project.id, folderId }, me)
  await look(worker, made.id)
  const { data: set } = await server.call('datasets/detail', { id: made.id }, me)
  const parts = set.parts.map(({ id }) => id)
  const asked = { projectId: project.id, datasetId: made.id, task, parts }
  const run = await startQuick(server, me, { set: asked, ...body })
  const done = await until(server, me, { id: run.id, is: hasEnded })
  expect(done.state).toBe('done')
  return { runId: done.id, classes: done.classes }
}

/** What is proposed on each image of a new set, by its name. */
async function proposed(
  { runId, classes }: Learned,
  { mark, files, of }: { mark: 'tags' | 'boxes' | 'pixels'; files: TestFile[]; of: readonly string[] },
): Promise<Map<string, readonly ProposedObject[]>> {
  const folderId = (await upload(server, me, { files })) ?? ''
  const colours = ['#000000', '#e69f00', '#56b4e9']
  const { data: set } = await server.call(
    'labelling/create',
    {
      ...{ name: mark, description: 'To be proposed on', marks: [mark], folderId },
      classes: ['Else', ...of].map((name, index) => ({
        ...{ id: name.toLowerCase(), name, colour: colours[index] ?? '' },
      })),
    },
    me,
  )
  await gatherNow(server, set.id)
  const { data: listed } = await server.call('labelling/items', { id: set.id }, me)
  const ids = new Set(of.map((name) => name.toLowerCase()))
  const own = classes.map((name) => (ids.has(name.toLowerCase()) ? name.toLowerCase() : null))
  const choice = { id: set.id, runId, classes: own, order: 'doubt' as const, every: null }
  const chosen = await server.call('labelling/chooseHelper', choice, me)
  expect(chosen.code, chosen.message).toBe(10200)
  const itemIds = listed.items.map(({ id }) => id)
  const asked = await server.call('labelling/propose', { id: set.id, itemIds }, me)
  expect(asked.code, asked.message).toBe(10200)
  expect((await until(server, me, { id: asked.data.runId, is: hasEnded })).state).toBe('done')
  await harvest(worker, asked.data.runId)
  const all = listed.items.map(async ({ id, name }) => {
    const { data } = await server.call('labelling/proposal', { itemId: id }, me)
    expect(data.proposal?.state, name).toBe('ready')
    return [name, data.proposal?.objects ?? []] as const
  })
  return new Map(await Promise.all(all))
}

/** Two kinds: bright in the middle, or at the edge. */
const slice = (kind: number, seed: number) =>
  drawDicom({
    at: (x, y) => {
      const isMiddle = Math.abs(x - 16) < 9 && Math.abs(y - 16) < 9
      return (isMiddle === (kind === 0) ? 300 : 20) + ((x * (seed + 3) + y * 7) % 60)
    },
    study: `2.25.${seed}${kind}`,
    series: `2.25.9${seed}${kind}`,
  })

it('labels for images as a whole, of single DICOM files', async () => {
  const files = [0, 1].flatMap((kind) =>
    Array.from({ length: 12 }, (_, seed) => ({
      path: `kinds/${['Inner', 'Outer'][kind]}/${seed}`,
      bytes: slice(kind, seed),
    })),
  )
  const learned = await learn('classification', files, { hyper: { epochs: 6 } })
  const found = await proposed(learned, {
    ...{ mark: 'tags', of: ['Inner', 'Outer'] },
    files: [0, 1].map((kind) => ({ path: `fresh/${kind}.dcm`, bytes: slice(kind, 40 + kind) })),
  })
  expect([...found].map(([name, [first]]) => [name, first?.class, first?.shape])).toEqual([
    ['0.dcm', 'inner', { kind: 'tag' }],
    ['1.dcm', 'outer', { kind: 'tag' }],
  ])
  for (const [first] of found.values()) expect(first?.confidence).toBeGreaterThan(0.5)
}, 120_000)

const SIDE = 64
const spotOf = (seed: number) => ({ x: 6 + ((seed * 17) % 34), y: 6 + ((seed * 29) % 34), side: 16 })

async function spot(seed: number): Promise<Buffer> {
  const { x, y, side } = spotOf(seed)
  const pixels = Buffer.alloc(SIDE * SIDE, 30)
  for (let row = y; row < y + side; row++) pixels.fill(220, row * SIDE + x, row * SIDE + x + side)
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 1 } })
    .png()
    .toBuffer()
}

it('boxes, where the things lie', async () => {
  const seeds = Array.from({ length: 24 }, (_, seed) => seed)
  const coco = {
    images: seeds.map((id) => ({ id, file_name: `${id}.png`, width: SIDE, height: SIDE })),
    categories: [{ id: 1, name: 'Spot' }],
    annotations: seeds.map((id) => {
      const { x, y, side } = spotOf(id)
      return { id, image_id: id, category_id: 1, bbox: [x, y, side, side], area: side * side, iscrowd: 0 }
    }),
  }
  const images = seeds.map(async (seed) => ({ path: `spots/images/${seed}.png`, bytes: await spot(seed) }))
  const files = [
    ...(await Promise.all(images)),
    { path: 'spots/annotations.json', bytes: Buffer.from(JSON.stringify(coco)) },
  ]
  const learned = await learn('detection', files, {
    network: 'yolo_small',
    hyper: { epochs: 30, imageSize: [SIDE, SIDE], learningRate: 0.005 },
  })
  const found = await proposed(learned, {
    ...{ mark: 'boxes', of: ['Spot'] },
    files: [{ path: 'more/one.png', bytes: await spot(91) }],
  })
  const [best] = found.get('one.png') ?? []
  if (best?.shape.kind !== 'box') throw new Error(`no box was proposed: ${JSON.stringify(best)}`)
  const { x, y, side } = spotOf(91)
  const middle = { x: best.shape.x + best.shape.width / 2, y: best.shape.y + best.shape.height / 2 }
  expect(Math.hypot(middle.x - x - side / 2, middle.y - y - side / 2)).toBeLessThan(6)
  expect(best).toMatchObject({ number: 1, class: 'spot' })
}, 120_000)

/** A bright block in noise, or the block alone. */
const block = (seed: number, isMark: boolean) => (x: number, y: number, z: number) => {
  const isInside = [x, y - (seed % 3), z + 2].every((place) => place > 3 && place < 11)
  return isMark ? Number(isInside) : (isInside ? 300 : 20) + ((x * (seed + 3) + y * 7 + z * 5) % 60)
}
const volume = (
  path: string,
  seed: number,
  { isMark = false, spacing = [0.5, 0.5, 2] as [number, number, number] } = {},
): TestFile => ({
  path,
  bytes: niftiVolume({ size: [16, 16, 8], spacing, at: block(seed, isMark) }),
})
const series = (path: string, seed: number): TestFile[] =>
  Array.from({ length: 8 }, (_, number) => ({
    path: `${path}/${number}.dcm`,
    bytes: drawDicom({
      ...{ size: [16, 16], number, z: 2 * number, series: `2.25.7${seed}`, study: `2.25.8${seed}` },
      at: (x, y) => block(seed, false)(x, y, number),
    }),
  }))

it('regions through the slices, of volumes and of DICOM series', async () => {
  const files = Array.from({ length: 10 }, (_, seed) => [
    volume(`cases/images/${seed}.nii.gz`, seed),
    volume(`cases/labels/${seed}.nii.gz`, seed, { isMark: true }),
  ]).flat()
  const learned = await learn('volume_segmentation', files, {
    network: 'unet3d_small',
    hyper: { epochs: 12, batchSize: 2, imageSize: [16, 16], depth: 8, learningRate: 0.01 },
  })
  const named = learned.classes.at(-1) ?? ''
  const found = await proposed(learned, {
    ...{ mark: 'pixels', of: [named] },
    files: [volume('scans/one.nii.gz', 40, { spacing: [-0.5, -0.5, 2] }), ...series('scans/two', 41)],
  })
  expect([...found.keys()]).toEqual(['one.nii.gz', 'two'])
  // In the order of the file, whichever way its axes run: the block lies from 4 to 11, moved down, and in depth from 2 on.
  for (const [name, down] of [
    ['one.nii.gz', 40 % 3],
    ['two', 41 % 3],
  ] as const) {
    const [largest] = found.get(name) ?? []
    if (largest?.shape.kind !== 'region') throw new Error(`no region was proposed on ${name}`)
    const { slices } = largest.shape
    expect(
      slices.map((one) => one.slice),
      name,
    ).toEqual(expect.arrayContaining([3, 4, 5, 6, 7]))
    expect(
      slices.some((one) => one.slice === 0),
      name,
    ).toBe(false)
    const rings = slices.find((one) => one.slice === 5)?.rings.flat() ?? []
    const [xs, ys] = [rings.filter((_, at) => at % 2 === 0), rings.filter((_, at) => at % 2 === 1)]
    const near = (value: number, wanted: number) =>
      expect(Math.abs(value - wanted), name).toBeLessThanOrEqual(1)
    near(Math.min(...xs), 4)
    near(Math.max(...xs), 11)
    near(Math.min(...ys), 4 + down)
    near(Math.max(...ys), 11 + down)
  }
}, 120_000)

/** A network of each task that no other test trains by HTTP: from a folder to its test, the report of it and a prediction. */
import type { Task } from '@neuroloom/contract/task'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { hasEnded, until } from '../../../test/training.ts'
import { type TestFile, upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { drawField } from '../../demo/pictures.ts'
import { encodePng } from '../../demo/png.ts'
import { look } from '../datasets/jobs.ts'
import { type Runner, startRunner } from './queue/jobs.ts'

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

const SIDE = 48
const numbers = Array.from({ length: 12 }, (_, index) => index)
const picture = (folder: string, index: number, bytes: Buffer): TestFile => ({
  path: `${folder}/${index}.png`,
  bytes,
})

/** Bright fields, striped fields, both, and neither; the table names what each image shows. */
function findings(): TestFile[] {
  const images = numbers.map((index) => {
    const [isBright, isStriped] = [index % 2 === 1, index % 4 > 1]
    const pixels = Uint8Array.from({ length: SIDE * SIDE }, (_, at) => {
      const stripe = isStriped && at % 8 < 4 ? 60 : 0
      return (isBright ? 150 : 40) + stripe + ((at * 7919 + index * 104_729) % 31)
    })
    return picture('images', index, encodePng({ width: SIDE, height: SIDE, pixels }))
  })
  const lines = numbers.map((index) => `${index}.png,${index % 2},${Number(index % 4 > 1)}`)
  return [
    ...images,
    { path: 'labels.csv', bytes: Buffer.from(['image,bright,striped', ...lines].join('\n')) },
  ]
}

/** A bright square in each, with its box in one JSON. */
function spots(): TestFile[] {
  const boxOf = (index: number) => [4 + ((index * 7) % 24), 4 + ((index * 11) % 24), 14, 14] as const
  const images = numbers.map((index) => {
    const [left, top, side] = boxOf(index)
    const pixels = Uint8Array.from({ length: SIDE * SIDE }, (_, at) => {
      const [x, y] = [at % SIDE, Math.floor(at / SIDE)]
      return x >= left && x < left + side && y >= top && y < top + side ? 220 : 30
    })
    return picture('images', index, encodePng({ width: SIDE, height: SIDE, pixels }))
  })
  const coco = {
    images: numbers.map((id) => ({ id, file_name: `${id}.png`, width: SIDE, height: SIDE })),
    categories: [{ id: 1, name: 'Spot' }],
    annotations: numbers.map((id) => ({
      id,
      image_id: id,
      category_id: 1,
      bbox: boxOf(id),
      area: 196,
      iscrowd: 0,
    })),
  }
  return [...images, { path: 'annotations.json', bytes: Buffer.from(JSON.stringify(coco)) }]
}

/** Drawn fields, and the same at half the size. */
function sizes(): TestFile[] {
  return numbers.flatMap((index) => {
    const { image } = drawField(index + 1, SIDE)
    const side = SIDE / 2
    const pixels = Uint8Array.from(
      { length: side * side },
      (_, at) => image.pixels[2 * Math.floor(at / side) * SIDE + 2 * (at % side)] ?? 0,
    )
    return [
      picture('images', index, encodePng({ width: side, height: side, pixels })),
      picture('labels', index, encodePng(image)),
    ]
  })
}

/** Drawn fields, and the same with grain. */
function grains(): TestFile[] {
  return numbers.flatMap((index) => {
    const { image } = drawField(index + 1, SIDE)
    const pixels = image.pixels.map((level, at) =>
      Math.max(0, Math.min(255, level + ((at * 7919 + index * 104_729) % 61) - 30)),
    )
    return [
      picture('noisy', index, encodePng({ ...image, pixels })),
      picture('clean', index, encodePng(image)),
    ]
  })
}

it.each([
  ['multilabel', findings],
  ['detection', spots],
  ['super_resolution', sizes],
  ['denoising', grains],
] as const satisfies [Task, () => TestFile[]][])(
  '%s is learned, tested, reported and applied',
  async (task, draw) => {
    // A folder each: files of one name would go into the same, and images of two sets match no label.
    const files = draw().map(({ path, bytes }) => ({ path: `${task}/${path}`, bytes }))
    const folderId = (await upload(server, me, { files })) ?? ''
    const { data: project } = await server.call('projects/create', { name: task, task }, me)
    const projectId = project.id
    const { data: begun } = await server.call('datasets/recognise', { projectId, folderId }, me)
    await look(worker, begun.id)
    const { data: set } = await server.call('datasets/detail', { id: begun.id }, me)
    expect(set).toMatchObject({ state: 'ready', facts: { items: numbers.length } })

    const asked = { projectId, datasetId: set.id, network: null }
    const { data: suggested } = await server.call('runs/suggest', asked, me)
    const { data: queued, message } = await server.call(
      'runs/start',
      {
        ...{ projectId, parts: set.parts.map(({ id }) => id), network: suggested.network, force: true },
        hyper: { epochs: 1, validationInterval: 1, patience: 0 },
      },
      me,
    )
    // Queued or running: the runner may have begun before this is answered.
    expect(message).toBe('success')
    const learned = await until(server, me, { id: queued.id, is: hasEnded })
    expect(learned).toMatchObject({ state: 'done', error: null })
    expect(learned.artifacts.map(({ kind }) => kind)).toContain('weights')

    const { data: test } = await server.call('runs/test', { id: learned.id, datasets: [set.id] }, me)
    const tested = await until(server, me, { id: test.id, is: hasEnded })
    expect(tested).toMatchObject({ state: 'done', error: null })
    expect(Object.keys(tested.metrics).length).toBeGreaterThan(0)
    const { data: report } = await server.call('reports/show', { id: test.id, language: 'en' }, me)
    expect(report.sections.length).toBeGreaterThan(3)

    const { data: applied } = await server.call('runs/predict', { id: learned.id, folderId }, me)
    const predicted = await until(server, me, { id: applied.id, is: hasEnded })
    expect(predicted).toMatchObject({ state: 'done', error: null })
    expect(predicted.counts?.predicted).toBeGreaterThanOrEqual(numbers.length)
  },
)

/** Networks propose labels for whole images and boxes where they should. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawDicom } from '../../../../test/dicom.ts'
import { makeServer } from '../../../../test/harness.ts'
import { learn, proposed, type Stage } from '../../../../test/label-proposals.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { type Runner, startRunner } from '../../runs/queue/jobs.ts'

let stage: Stage
let runner: Runner
beforeAll(async () => {
  const server = await makeServer()
  const worker = makeWorker(server)
  runner = startRunner(worker)
  stage = { server, worker, me: await server.signUp({ vipLevel: 4 }) }
})
afterAll(async () => {
  await runner.stop()
  stage.worker.engine.close()
  await stage.server.close()
})

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
  const learned = await learn(stage, 'classification', files, { hyper: { epochs: 6 } })
  const found = await proposed(stage, learned, {
    ...{ mark: 'tags', of: ['Inner', 'Outer'] },
    files: [0, 1].map((kind) => ({ path: `fresh/${kind}.dcm`, bytes: slice(kind, 40 + kind) })),
  })
  expect([...found].map(([name, [first]]) => [name, first?.class, first?.shape])).toEqual([
    ['0.dcm', 'inner', { kind: 'tag' }],
    ['1.dcm', 'outer', { kind: 'tag' }],
  ])
  for (const [first] of found.values()) expect(first?.confidence).toBeGreaterThan(0.5)
})

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
  const learned = await learn(stage, 'detection', files, {
    network: 'yolo_small',
    hyper: { epochs: 30, imageSize: [SIDE, SIDE], learningRate: 0.005 },
  })
  const found = await proposed(stage, learned, {
    ...{ mark: 'boxes', of: ['Spot'] },
    files: [{ path: 'more/one.png', bytes: await spot(91) }],
  })
  const [best] = found.get('one.png') ?? []
  if (best?.shape.kind !== 'box') throw new Error(`no box was proposed: ${JSON.stringify(best)}`)
  const { x, y, side } = spotOf(91)
  const middle = { x: best.shape.x + best.shape.width / 2, y: best.shape.y + best.shape.height / 2 }
  expect(Math.hypot(middle.x - x - side / 2, middle.y - y - side / 2)).toBeLessThan(6)
  expect(best).toMatchObject({ number: 1, class: 'spot' })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawDicom } from '../../../../test/dicom.ts'
import { makeServer } from '../../../../test/harness.ts'
import { niftiVolume } from '../../../../test/images.ts'
import { learn, proposed, type Stage } from '../../../../test/label-proposals.ts'
import type { TestFile } from '../../../../test/uploads.ts'
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
  const learned = await learn(stage, 'volume_segmentation', files, {
    network: 'unet3d_small',
    hyper: { epochs: 12, batchSize: 2, imageSize: [16, 16], depth: 8, learningRate: 0.01 },
  })
  const named = learned.classes.at(-1) ?? ''
  const found = await proposed(stage, learned, {
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
})

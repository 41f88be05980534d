/** Predictions of a whole DICOM series, with a real volume network. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawDicom } from '../../../../test/dicom.ts'
import { makeServer, type TestServer } from '../../../../test/harness.ts'
import { niftiVolume } from '../../../../test/images.ts'
import { hasEnded, startQuick, until } from '../../../../test/training.ts'
import { type TestFile, upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { look } from '../../datasets/jobs.ts'
import { work } from '../../files/convert/work.ts'
import { type Runner, startRunner } from '../queue/jobs.ts'

let server: TestServer
let runner: Runner | null = null
beforeAll(async () => {
  server = await makeServer()
})
afterAll(async () => {
  await runner?.stop()
  await server.close()
})

/** A bright block in noise, or the block alone. */
const block = (seed: number, isMark: boolean) => (x: number, y: number, z: number) => {
  const isInside = [x, y - (seed % 3), z + 2].every((place) => place > 3 && place < 11)
  return isMark ? Number(isInside) : (isInside ? 300 : 20) + ((x * (seed + 3) + y * 7 + z * 5) % 60)
}
/** Eight slices in a folder. */
const series = (path: string, seed: number, isMark = false): TestFile[] =>
  Array.from({ length: 8 }, (_, number) => {
    const at = (x: number, y: number) => block(seed, isMark)(x, y, number)
    const uid = `2.25.7${seed}${Number(isMark)}`
    const bytes = drawDicom({
      size: [16, 16],
      at,
      number,
      z: 2 * number,
      series: uid,
      study: `2.25.8${seed}`,
    })
    return { path: `${path}/${number}.dcm`, bytes }
  })
const volume = (path: string, seed: number, isMark = false): TestFile => ({
  path: `${path}/series.nii.gz`,
  bytes: niftiVolume({ size: [16, 16, 8], spacing: [0.5, 0.5, 2], at: block(seed, isMark) }),
})

it('says the same of a series as of the volume that a conversion makes of it', async () => {
  const owner = await server.signUp({ vipLevel: 4 })
  // Two series; the others are volumes already, which takes less time.
  const files = Array.from({ length: 10 }, (_, seed) => {
    const [image, label] = [`set/case${seed}/image`, `set/case${seed}/label`]
    if (seed > 1) return [volume(image, seed), volume(label, seed, true)]
    return [...series(image, seed), ...series(label, seed, true)]
  }).flat()
  const folderId = (await upload(server, owner, { files })) ?? ''
  const body = { name: 'Series', task: 'volume_segmentation' as const }
  const { data: project } = await server.call('projects/create', body, owner)
  const { data } = await server.call('datasets/recognise', { projectId: project.id, folderId }, owner)
  const worker = makeWorker(server)
  await look(worker, data.id)
  if (runner) worker.engine.close()
  runner ??= startRunner(worker)
  const { data: set } = await server.call('datasets/detail', { id: data.id }, owner)
  expect(set.facts).toMatchObject({ items: 10, dicom: { files: 32, made: 'volumes' } })
  const run = await startQuick(server, owner, {
    set: {
      ...{ projectId: project.id, datasetId: data.id, task: body.task },
      parts: set.parts.map(({ id }) => id),
    },
    network: 'unet3d_small',
    hyper: { epochs: 1, batchSize: 2, imageSize: [16, 16], depth: 8 },
  })
  expect((await until(server, owner, { id: run.id, is: hasEnded })).state).toBe('done')

  const fresh = [...series('new/fresh', 40), ...series('new/gap', 41).filter((_, number) => number !== 3)]
  const newId = (await upload(server, owner, { files: fresh })) ?? ''
  const { data: entries } = await server.call('files/list', { folderId: newId }, owner)
  const ids = entries.entries.filter(({ name }) => name === 'fresh').map(({ id }) => id)
  const { data: asked } = await server.call('files/convert', { ids, format: 'nifti' }, owner)
  await work(server.ctx, asked.id)
  const { data: predicted } = await server.call('runs/predict', { id: run.id, folderId: newId }, owner)
  const done = await until(server, owner, { id: predicted.id, is: hasEnded })
  expect(done).toMatchObject({ state: 'done', counts: { predicted: 2 } })
  const kind = 'predictions_csv' as const
  const { data: link } = await server.call('runs/download', { id: predicted.id, kind }, owner)
  const rows = (await (await fetch(`${server.url}${link.url}`)).text()).trim().split('\r\n').slice(1)
  // The name and the mask's name, then the size, voxels and millilitres of each class.
  const [one = [], other = []] = rows.map((row) => row.split(',').slice(2))
  expect(one.length).toBeGreaterThan(3)
  expect(one).toEqual(other)
  const { data: aside } = await server.call('runs/setAside', { id: predicted.id }, owner)
  expect(aside.setAside).toEqual([{ name: 'gap', reason: 'dicom_slice_missing' }])
})

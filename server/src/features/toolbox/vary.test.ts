import type { Body } from '@neuroloom/contract/calls'
import { changesOf } from '@neuroloom/contract/toolbox/changes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawDicom } from '../../../test/dicom.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { type TestFile, upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { drawCell, drawField } from '../../demo/pictures.ts'
import { encodePng } from '../../demo/png.ts'
import { look } from '../datasets/jobs.ts'

let server: TestServer
let session: Session
let cells: string
let fields: { projectId: string; datasetId: string }
beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  session = await server.signUp({ vipLevel: 4 })
  cells = (await dataset('classification', classified())).datasetId
  fields = await dataset('segmentation', masked())
})
afterAll(() => server.close())

async function dataset(task: 'classification' | 'segmentation', files: TestFile[]) {
  const folderId = (await upload(server, session, { files })) ?? ''
  const project = await server.call('projects/create', { name: files[0]?.path ?? task, task }, session)
  const asked = { projectId: project.data.id, folderId }
  const { data } = await server.call('datasets/recognise', asked, session)
  await look(makeWorker(server), data.id)
  return { projectId: project.data.id, datasetId: data.id }
}

const classified = (): TestFile[] =>
  (['round', 'elongated'] as const).flatMap((kind) =>
    Array.from({ length: 8 }, (_, k) => ({
      path: `cells/${kind}/${k}.png`,
      bytes: encodePng(drawCell(kind, k)),
    })),
  )

const masked = (): TestFile[] =>
  Array.from({ length: 4 }, (_, k) => drawField(k, 96)).flatMap(({ image, mask }, k) => [
    { path: `fields/images/${k}.png`, bytes: encodePng(image) },
    { path: `fields/masks/${k}.png`, bytes: encodePng(mask) },
  ])

type Wish = Omit<Body<'toolbox/vary'>, 'seed'> & { seed?: number }
const vary = (wish: Wish, who: Session | null = session) =>
  server.call('toolbox/vary', { seed: 3, ...wish }, who)

test('images are shown with all that a training makes of them, each draw the same again', async () => {
  const { data } = await vary({ datasetId: cells })
  expect(data.samples).toHaveLength(9)
  expect(data).toMatchObject({ task: 'classification', classes: ['elongated', 'round'], isUsual: true })
  for (const { name, before, after, marks } of data.samples) {
    expect(before).toMatch(/^data:image\/webp;base64,/)
    expect(after).not.toBe(before)
    expect(data.classes[marks[0] ?? -1]).toBe(name.split('/')[0])
  }
  expect((await vary({ datasetId: cells })).data).toEqual(data)
  const drawnAgain = (await vary({ datasetId: cells, seed: 4 })).data
  expect(drawnAgain.samples.map(({ before }) => before)).toEqual(data.samples.map(({ before }) => before))
  expect(drawnAgain.samples.map(({ after }) => after)).not.toEqual(data.samples.map(({ after }) => after))
  const others = (await vary({ datasetId: cells, turn: 1 })).data
  expect(others.samples.map(({ name }) => name)).not.toEqual(data.samples.map(({ name }) => name))
})

test('each change is shown by itself, what is marked goes along, and crops are as large as the settings say', async () => {
  const seen = new Set<string>()
  for (const only of changesOf.segmentation) {
    const { data } = await vary({ datasetId: fields.datasetId, only, imageSize: [64, 48] })
    expect(data).toMatchObject({ imageSize: [64, 48], depth: 1, classes: ['background', 'foreground'] })
    expect(data.samples.some(({ before, after }) => before !== after)).toBe(true)
    expect(data.samples.flatMap(({ marks }) => marks)).toContain(1)
    seen.add(data.samples.map(({ after }) => after).join())
  }
  expect(seen.size).toBe(changesOf.segmentation.length)
  // A change that no training of this kind makes leaves all as it was.
  const { data } = await vary({ datasetId: fields.datasetId, only: 'noise' })
  expect(data.samples.every(({ before, after }) => before === after)).toBe(true)
})

test('whoever may see the data set may see this, others may not, nor beyond what is allowed', async () => {
  const viewer = await server.signUp({ vipLevel: 1 })
  expect((await vary({ datasetId: fields.datasetId }, viewer)).data.error).toBe('dataset_missing')
  const shared = { id: fields.projectId, account: viewer.account, permission: 'view' as const }
  expect((await server.call('projects/share', shared, session)).code).toBe(10200)
  expect((await vary({ datasetId: fields.datasetId }, viewer)).data.samples).toHaveLength(4)
  expect((await vary({ datasetId: fields.datasetId }, null)).data.error).toBe('not_signed_in')
  expect((await vary({ datasetId: cells, imageSize: [5000, 64] })).data.error).toBe('invalid')
})

test('DICOM is shown as it is learned from', async () => {
  const scans = (['cat', 'dog'] as const).flatMap((kind, place) =>
    Array.from({ length: 8 }, (_, k) => ({
      path: `scans/${kind}/${k}.dcm`,
      bytes: drawDicom({
        at: (x, y) => Math.round(300 * Math.sin((x + k) / 3) + 200 * place * Math.cos(y / 5)),
        study: `2.25.${100 + 10 * place + k}`,
        series: `2.25.${200 + 10 * place + k}`,
      }),
    })),
  )
  const { datasetId } = await dataset('classification', scans)
  const { data } = await vary({ datasetId })
  expect(data.classes).toEqual(['cat', 'dog'])
  expect(data.samples.map(({ name }) => name.split('/')[0])).toEqual(expect.arrayContaining(['cat', 'dog']))
  for (const { before, after } of data.samples) {
    expect(before).toMatch(/^data:image\/webp;base64,/)
    expect(after).not.toBe(before)
  }
})

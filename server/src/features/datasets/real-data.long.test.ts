/** Real sets of every layout, uploaded and looked at by the real engine. Skipped where they are not there. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task } from '@neuroloom/contract/task'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { type TestFile, upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { look } from './jobs.ts'
import { manifestOf } from './service.ts'

const data = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../shared/data')

let server: TestServer
let member: Session
beforeAll(async () => {
  server = await makeServer()
  member = await server.signUp({ vipSuper: 1 })
})
afterAll(() => server.close())

async function filesOf(set: string, wanted: (path: string) => boolean): Promise<TestFile[]> {
  const entries = await readdir(join(data, set), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(data, set).length + 1))
    .filter(wanted)
  return Promise.all(
    paths.map(async (path) => ({ path: `set/${path}`, bytes: await readFile(join(data, set, path)) })),
  )
}

/** What came of it, with the problems. */
async function made(task: Task, set: string, wanted: (path: string) => boolean = () => true) {
  const { data: top } = await server.call(
    'files/createFolder',
    { parentId: null, name: `${task} ${set}` },
    member,
  )
  const folderId = await upload(server, member, { parentId: top.id, files: await filesOf(set, wanted) })
  const project = await server.call('projects/create', { name: `${task} ${set}`, task }, member)
  const request = { projectId: project.data.id, folderId: folderId ?? '' }
  const { data: begun } = await server.call('datasets/recognise', request, member)
  if (!begun.id) throw new Error(JSON.stringify([project, begun]))
  const worker = makeWorker(server)
  await look(worker, begun.id)
  worker.engine.close()
  const { data: dataset } = await server.call('datasets/detail', { id: begun.id }, member)
  const { problems } = (await server.call('datasets/problems', { id: begun.id }, member)).data
  return { dataset, problems }
}
/** Of forty patients eight, and all that lies beside their images. */
const firstCases = (path: string): boolean => !/hippocampus_/.test(path) || /hippocampus_0[0-3]/.test(path)

const itWith = (set: string) => it.runIf(existsSync(join(data, set)))

itWith('detection-bccd')(
  'reads blood cells with boxes in XML, their lists, and sets two boxes of no size aside',
  async () => {
    const { dataset, problems } = await made('detection', 'detection-bccd')
    expect(dataset).toMatchObject({
      state: 'ready',
      layout: 'voc',
      classes: ['Platelets', 'RBC', 'WBC'],
      facts: { items: 364, channels: 3, given: { train: 205, validation: 87, test: 72 }, patients: null },
    })
    expect(problems).toEqual([
      {
        path: 'annotations/BloodImage_00338.xml',
        reason: 'box_empty',
        params: expect.objectContaining({ class: 'RBC' }),
      },
      {
        path: 'annotations/BloodImage_00343.xml',
        reason: 'box_empty',
        params: expect.objectContaining({ class: 'RBC' }),
      },
    ])
    const manifest = await manifestOf(server.ctx.db, dataset.id)
    const boxes = manifest.items.flatMap((item) => item.boxes ?? [])
    expect(boxes).toHaveLength(dataset.facts?.classCounts.reduce((sum, count) => sum + count, 0) ?? 0)
    const { data: page } = await server.call('datasets/items', { id: dataset.id }, member)
    expect(page.items[0]).toMatchObject({ part: 'validation', class: null, labels: null, width: 640 })
    expect(page.items[0]?.boxes?.[0]).toEqual({ class: 2, x0: 259, y0: 176, x1: 491, y1: 376 })
  },
  300_000,
)

itWith('segmentation-hippocampus-3d')(
  'reads volumes with masks',
  async () => {
    const { dataset, problems } = await made('volume_segmentation', 'segmentation-hippocampus-3d', firstCases)
    expect(problems).toEqual([])
    expect(dataset).toMatchObject({
      state: 'ready',
      layout: 'volume_pairs',
      classes: ['background', 'class 1', 'class 2'],
      facts: { items: 8, channels: 1, spacing: [1, 1, 1], patients: null },
    })
    const { data: page } = await server.call('datasets/items', { id: dataset.id }, member)
    expect(page.items[0]?.depth).toBeGreaterThan(20)
    for (const address of [page.items[0]?.image, page.items[0]?.mask]) {
      expect((await fetch(server.url + address)).headers.get('content-type')).toBe('image/webp')
    }
  },
  120_000,
)

const scaled: [string, number, number][] = [
  ['superresolution-kodak-x2', 2, 6],
  ['superresolution-set5/x2', 2, 5],
  ['superresolution-set5/x3', 3, 5],
  ['superresolution-set5/x4', 4, 5],
]
for (const [set, factor, items] of scaled) {
  itWith(set)(
    `reads pairs of ${set}, which can be trained with`,
    async () => {
      const { dataset, problems } = await made('super_resolution', set)
      expect(problems).toEqual([])
      expect(dataset).toMatchObject({ layout: 'resolution_pairs', classes: [], facts: { items, factor } })
      const { projectId, id } = { projectId: await projectOf(dataset.id), id: dataset.id }
      const { data: chosen } = await server.call('runs/suggest', { projectId, datasetId: id }, member)
      expect(chosen.blockers).toEqual([])
    },
    120_000,
  )
}

itWith('segmentation-nuclei-dsb2018')(
  'reads the boxes of one JSON although there are masks',
  async () => {
    const { dataset } = await made(
      'detection',
      'segmentation-nuclei-dsb2018',
      (path) => !path.startsWith('labels'),
    )
    expect(dataset).toMatchObject({ state: 'ready', layout: 'coco', facts: { items: 158 } })
    expect(dataset.classes).toHaveLength(1)
  },
  120_000,
)

itWith('segmentation-hippocampus-slices')(
  'knows slices of one case by their names',
  async () => {
    const { dataset } = await made('segmentation', 'segmentation-hippocampus-slices', firstCases)
    expect(dataset).toMatchObject({ layout: 'images_masks', facts: { items: 32, patients: 8 } })
  },
  120_000,
)

itWith('classification-braintumor-mri')(
  'keeps folders of classes as they are beside a table that says the same',
  async () => {
    const { dataset, problems } = await made('classification', 'classification-braintumor-mri')
    expect(problems).toEqual([])
    expect(dataset).toMatchObject({
      layout: 'class_folders',
      facts: { items: 240, given: null, patients: null },
    })
  },
  120_000,
)

async function projectOf(datasetId: string): Promise<string> {
  const { rows } = await server.ctx.pool.query<{ id: string }>(
    'select project_id as id from project_datasets where dataset_id = $1',
    [datasetId],
  )
  return rows[0]?.id ?? ''
}

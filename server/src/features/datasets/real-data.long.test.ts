/** Real sets of every layout, uploaded and looked at by the real engine. Skipped where they are not there. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { firstCases, hasSet, makeRealSet } from '../../../test/real-sets.ts'
import { manifestOf } from './service.ts'

let server: TestServer
let member: Session
beforeAll(async () => {
  server = await makeServer()
  member = await server.signUp({ vipSuper: 1 })
})
afterAll(() => server.close())

it.runIf(hasSet('detection-bccd'))(
  'reads blood cells with boxes in XML, their lists, and sets two boxes of no size aside',
  async () => {
    const { dataset, problems } = await makeRealSet(
      { server, member },
      { task: 'detection', set: 'detection-bccd' },
    )
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
)

it.runIf(hasSet('segmentation-hippocampus-3d'))('reads volumes with masks', async () => {
  const { dataset, problems } = await makeRealSet(
    { server, member },
    { task: 'volume_segmentation', set: 'segmentation-hippocampus-3d', wanted: firstCases },
  )
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
})

const scaled: [string, number, number][] = [
  ['superresolution-kodak-x2', 2, 6],
  ['superresolution-set5/x2', 2, 5],
  ['superresolution-set5/x3', 3, 5],
]
for (const [set, factor, items] of scaled) {
  it.runIf(hasSet(set))(`reads pairs of ${set}, which can be trained with`, async () => {
    const { dataset, problems } = await makeRealSet({ server, member }, { task: 'super_resolution', set })
    expect(problems).toEqual([])
    expect(dataset).toMatchObject({ layout: 'resolution_pairs', classes: [], facts: { items, factor } })
    const { projectId, id } = { projectId: await projectOf(dataset.id), id: dataset.id }
    const { data: chosen } = await server.call('runs/suggest', { projectId, datasetId: id }, member)
    expect(chosen.blockers).toEqual([])
  })
}

it.runIf(hasSet('segmentation-nuclei-dsb2018'))(
  'reads the boxes of one JSON although there are masks',
  async () => {
    const { dataset } = await makeRealSet(
      { server, member },
      {
        task: 'detection',
        set: 'segmentation-nuclei-dsb2018',
        wanted: (path) => !path.startsWith('labels'),
      },
    )
    expect(dataset).toMatchObject({ state: 'ready', layout: 'coco', facts: { items: 158 } })
    expect(dataset.classes).toHaveLength(1)
  },
)

it.runIf(hasSet('classification-braintumor-mri'))(
  'keeps folders of classes as they are beside a table that says the same',
  async () => {
    const { dataset, problems } = await makeRealSet(
      { server, member },
      { task: 'classification', set: 'classification-braintumor-mri' },
    )
    expect(problems).toEqual([])
    expect(dataset).toMatchObject({
      layout: 'class_folders',
      facts: { items: 240, given: null, patients: null },
    })
  },
)

async function projectOf(datasetId: string): Promise<string> {
  const { rows } = await server.ctx.pool.query<{ id: string }>(
    'select project_id as id from project_datasets where dataset_id = $1',
    [datasetId],
  )
  return rows[0]?.id ?? ''
}

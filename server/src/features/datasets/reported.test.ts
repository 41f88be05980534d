/** Small sets with properties that broke other tools, with what has to come of each. Skipped, and so listed, where they are not there. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asFound, type Reading } from '@neuroloom/contract/reading/reading'
import type { Task } from '@neuroloom/contract/task'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { look } from './jobs.ts'
import { manifestOf } from './service.ts'

const shared = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../shared/data')
const samples = join(shared, 'reported')
const itReported = it.skipIf(!existsSync(samples))

let server: TestServer
let member: Session
beforeAll(async () => {
  server = await makeServer()
  member = await server.signUp({ vipSuper: 1 })
})
afterAll(() => server.close())

async function made(task: Task, set: string) {
  const folder = join(samples, set)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        return { path: `set/${path.slice(folder.length + 1)}`, bytes: await readFile(path) }
      }),
  )
  const { data: top } = await server.call(
    'files/createFolder',
    { parentId: null, name: `${task} ${set.replace('/', ' ')}` },
    member,
  )
  const folderId = (await upload(server, member, { parentId: top.id, files })) ?? ''
  const project = await server.call('projects/create', { name: `${task} ${set}`.slice(0, 60), task }, member)
  const { data } = await server.call('datasets/recognise', { projectId: project.data.id, folderId }, member)
  const seen = async () => {
    await look(makeWorker(server), data.id)
    const dataset = (await server.call('datasets/detail', { id: data.id }, member)).data
    const { problems } = (await server.call('datasets/problems', { id: data.id }, member)).data
    const items = dataset.state === 'ready' ? (await manifestOf(server.ctx.db, data.id)).items : []
    return { dataset, problems, items, boxes: items.flatMap((item) => item.boxes ?? []) }
  }
  const readAs = (reading: Partial<Reading>) =>
    server.call('datasets/readAs', { id: data.id, reading: { ...asFound, ...reading } }, member)
  return { ...(await seen()), seen, readAs }
}

itReported(
  'labels that are whole but for rounding are taken, others are named with their values',
  async () => {
    const { dataset, problems, items } = await made('volume_segmentation', '06-labels-not-whole')
    expect(items).toHaveLength(6)
    expect(dataset.classes).toHaveLength(5)
    expect(dataset.facts?.classCounts).toEqual([73_728, 2304, 2304, 2304, 2304].map((voxels) => voxels / 2))
    expect(problems.map(({ reason }) => reason)).toEqual(Array(6).fill('mask_not_whole'))
    expect(problems[0]?.params.values).toContain('0.988')
  },
)

itReported('ids of a list are compared as texts', async () => {
  const { dataset, boxes, problems } = await made('detection', '08-coco-ids-text-and-number')
  expect([dataset.facts?.items, boxes.length, problems]).toEqual([14, 28, []])
  expect(dataset.facts?.classCounts).toEqual([14, 14])
})

itReported('parts of one group are one thing', async () => {
  const { items, boxes } = await made('detection', '12-labelme-groups')
  expect(boxes).toHaveLength(items.length * 2)
  const wide = boxes.filter(({ x0, x1, y0, y1 }) => x1 - x0 === 60 && y1 - y0 === 24)
  expect(wide).toHaveLength(items.length)
})

itReported('folders of systems are no classes and give no pictures', async () => {
  const { dataset } = await made('classification', '14-hidden-folders')
  expect(dataset).toMatchObject({ classes: ['benign', 'malignant'], facts: { items: 24 } })
})

itReported('boxes in pixels are no images of nothing', async () => {
  const { items, problems } = await made('detection', '22-yolo-in-pixels')
  expect(items.every(({ boxes }) => boxes?.length === 2)).toBe(true)
  expect(problems.map(({ path, reason }) => [path, reason])).toEqual(
    ['x08', 'x09', 'x10', 'x11', 'x12', 'x13'].map((name) => [`labels/${name}.txt`, 'box_not_in_shares']),
  )
})

itReported('of four sequences one is learned from', async () => {
  const { dataset, problems, items, readAs, seen } = await made(
    'volume_segmentation',
    '26-four-channel-volumes',
  )
  // The list names twelve cases, of which six are there.
  const gone = ['006', '007', '008', '009', '010', '011'].map((number) => `BRATS_${number}.nii.gz`)
  expect(problems.map(({ path, reason, params }) => [path, reason, params.name])).toEqual(
    gone.flatMap((name) =>
      ['imagesTr', 'labelsTr'].map((folder) => ['dataset.json', 'image_missing', `${folder}/${name}`]),
    ),
  )
  expect(items).toHaveLength(6)
  expect(dataset.classes).toEqual(['background', 'edema', 'core'])
  expect(dataset.facts?.masks?.channels).toHaveLength(4)
  await readAs({ images: '3' })
  expect((await seen()).items[0]?.image).not.toBe(items[0]?.image)
})

itReported('joined masks and others are of one class', async () => {
  const set = '28-masks-beside-pictures-in-class-folders/twelve-with-four-joined'
  const { dataset, problems } = await made('segmentation', set)
  expect(problems).toEqual([])
  expect(dataset).toMatchObject({
    classes: ['background', 'foreground'],
    facts: { items: 12, masks: { joined: 4 } },
  })
  expect(dataset.facts?.classCounts[1]).toBe(1344)
})

itReported('outlines become masks', async () => {
  const { dataset, problems } = await made('segmentation', '32-outlines-for-segmentation')
  expect(problems).toEqual([])
  expect(dataset).toMatchObject({ classes: ['background', 'lesion'], facts: { items: 14 } })
  const marked = (dataset.facts?.classCounts[1] ?? 0) / 14
  expect(marked).toBeGreaterThan(500)
  expect(marked).toBeLessThan(1100)
})

itReported('what the brush drew is boxed', async () => {
  const { boxes, problems } = await made('detection', '34-coco-brush-masks-as-crowd')
  expect([boxes.length, problems]).toEqual([28, []])
})

itReported('spellings of one class are shown together and joined', async () => {
  const { dataset, readAs, seen } = await made('classification', '36-one-class-in-several-spellings')
  const groups = dataset.facts?.spellings ?? []
  expect(groups.map((group) => group.length)).toEqual([3, 3])
  const classNames = Object.fromEntries(
    groups.flatMap((group) => group.map((name) => [name, group[0] ?? ''])),
  )
  await readAs({ classNames })
  const joined = await seen()
  expect(joined.dataset.facts?.classCounts).toEqual([15, 15])
  expect(joined.dataset.facts?.spellings).toBeUndefined()
})

itReported('pictures of a kind that is not read are named', async () => {
  const { dataset, problems } = await made('classification', '38-heic-among-jpegs')
  expect(dataset.facts?.items).toBe(24)
  expect(problems.map(({ reason, params }) => [reason, params.kind])).toEqual(
    Array(12).fill(['kind_not_read', 'HEIC']),
  )
})

itReported('segmentations lie where their own slices say', async () => {
  const { dataset, problems, items } = await made('volume_segmentation', '18-dicom-seg-sparse')
  expect(problems).toEqual([])
  expect(dataset.classes).toEqual(['background', 'Liver'])
  expect(items.length).toBeGreaterThan(0)
  expect(dataset.facts?.classCounts[1]).toBe(400 * items.length)
})

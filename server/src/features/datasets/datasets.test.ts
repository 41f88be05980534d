import { files as limits } from '@neuroloom/contract/limits'
import type { Task } from '@neuroloom/contract/task'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idAt } from '../../../test/cloud.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { hugePng } from '../../../test/images.ts'
import { type TestFile, upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { drawCell, drawField } from '../../demo/pictures.ts'
import { encodePng } from '../../demo/png.ts'
import { sweepOrphans } from '../../infra/storage/blobs.ts'
import { open } from '../accounts/sign-in/session.ts'
import { purge } from '../files/recycle/purge.ts'
import { look, register } from './jobs.ts'
import { manifestOf } from './service.ts'
import { datasetItems, datasets } from './tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000
let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const cell = (kind: 'round' | 'elongated', seed: number) => encodePng(drawCell(kind, seed))
const classFiles = (top = 'set'): TestFile[] =>
  [1, 2, 3].flatMap((seed) => [
    { path: `${top}/round/${seed}.png`, bytes: cell('round', seed) },
    { path: `${top}/elongated/${seed}.png`, bytes: cell('elongated', seed) },
  ])
const field = (seed: number, size = 32) => {
  const { image, mask } = drawField(seed, size)
  return { image: encodePng(image), mask: encodePng(mask) }
}

async function start(task: Task, files: TestFile[], owner?: Session) {
  const session = owner ?? (await server.signUp({ vipSuper: 1 }))
  const folderId = (await upload(server, session, { files })) ?? ''
  const name = `project ${Math.random()}`
  const project = await server.call('projects/create', { name, task }, session)
  return { session, folderId, projectId: project.data.id }
}
const recognise = (session: Session, projectId: string, folderId: string) =>
  server.call('datasets/recognise', { projectId, folderId }, session)

/** Uploads, recognises, runs the job and tells what came of it. */
async function made(task: Task, files: TestFile[]) {
  const place = await start(task, files)
  const { data } = await recognise(place.session, place.projectId, place.folderId)
  await look(makeWorker(server), data.id)
  const dataset = (await server.call('datasets/detail', { id: data.id }, place.session)).data
  const { problems } = (await server.call('datasets/problems', { id: data.id }, place.session)).data
  return { ...place, dataset, problems: problems.map(({ path, reason }) => [path, reason]) }
}

describe('recognition', () => {
  it('makes both parts of class folders, in Chinese and with spaces', async () => {
    const files = classFiles('显微 镜').map((file) => ({
      ...file,
      path: file.path.replace('round', '圆 形'),
    }))
    const { session, dataset, problems, projectId } = await made('classification', [
      ...files,
      { path: '显微 镜/README.md', bytes: Buffer.from('about') },
    ])
    expect(dataset).toMatchObject({
      name: '显微 镜',
      task: 'classification',
      layout: 'class_folders',
      state: 'ready',
      failure: null,
      classes: ['elongated', '圆 形'],
      progress: { done: 6, total: 6 },
      facts: { items: 6, channels: 1, classCounts: [3, 3], width: { min: 64, median: 64, max: 64 } },
    })
    expect(dataset.parts.map(({ part, items }) => [part, items])).toEqual([
      ['image', 6],
      ['label', 6],
    ])
    expect(problems).toEqual([])
    const { data } = await server.call('datasets/items', { id: dataset.id, class: 1 }, session)
    expect(data.items.map(({ name }) => name)).toEqual(['圆 形/1.png', '圆 形/2.png', '圆 形/3.png'])
    expect((await fetch(server.url + data.items[0]?.image)).status).toBe(200)
    const { data: project } = await server.call('projects/detail', { id: projectId }, session)
    expect(project.counts).toMatchObject({ trainSets: 1, files: 6 })
  })

  it('sets bad images aside by name and keeps the rest', async () => {
    const { dataset, problems } = await made('classification', [
      ...classFiles(),
      { path: 'set/round/broken.png', bytes: cell('round', 50).subarray(0, 300) },
      { path: 'set/round/text.png', bytes: Buffer.from('this is a text') },
      { path: 'set/round/empty.png', bytes: Buffer.alloc(0) },
      { path: 'set/round/huge.png', bytes: hugePng(cell('round', 99)) },
      { path: 'set/loose.png', bytes: cell('round', 51) },
      { path: 'set/elongated/copy of round.png', bytes: cell('round', 1) },
    ])
    expect(dataset).toMatchObject({ state: 'ready', problemCount: 7, facts: { classCounts: [3, 2] } })
    expect(Object.fromEntries(problems)).toEqual({
      'round/broken.png': 'truncated',
      'round/text.png': 'not_an_image',
      'round/empty.png': 'empty',
      'round/huge.png': 'too_large',
      'loose.png': 'not_in_class_folder',
      'round/1.png': 'duplicate_other_class',
      'elongated/copy of round.png': 'duplicate_other_class',
    })
  })

  it('pairs images with masks and names what has no partner', async () => {
    const pairs = [1, 2, 3].flatMap((seed) => [
      { path: `cells/images/cell ${seed}.png`, bytes: field(seed).image },
      { path: `cells/masks/cell ${seed}_mask.png`, bytes: field(seed).mask },
    ])
    const { dataset, problems } = await made('segmentation', [
      ...pairs,
      { path: 'cells/images/alone.png', bytes: field(9).image },
      { path: 'cells/masks/orphan.png', bytes: field(10).mask },
      { path: 'cells/images/small.png', bytes: field(11).image },
      { path: 'cells/masks/small.png', bytes: field(11, 24).mask },
      { path: 'cells/images/grey.png', bytes: field(12).image },
      { path: 'cells/masks/grey.png', bytes: field(13).image },
    ])
    expect(dataset).toMatchObject({
      state: 'ready',
      layout: 'images_masks',
      classes: ['background', 'foreground'],
      facts: { items: 3 },
    })
    expect(dataset.facts?.classCounts.reduce((sum, count) => sum + count, 0)).toBe(3 * 32 * 32)
    expect(Object.fromEntries(problems)).toEqual({
      'images/alone.png': 'image_without_mask',
      'masks/orphan.png': 'mask_without_image',
      'masks/small.png': 'size_differs',
      'masks/grey.png': 'mask_values',
    })
    const manifest = await manifestOf(server.ctx.db, dataset.id)
    expect(manifest).toMatchObject({ task: 'segmentation', maskValues: { '0': 0, '255': 1 }, channels: 1 })
    expect(manifest.items.every(({ image, label, group }) => image === group && label?.length === 64)).toBe(
      true,
    )
  })

  it('reads several labels from a table, shows those of one, and gives them to the engine', async () => {
    const table = 'image,labels,patient\n1,round|big,p1\n2,big,p1\n3,round,p2\n4,,p3\n'
    const { session, dataset } = await made('multilabel', [
      ...[1, 2, 3, 4].map((seed) => ({ path: `set/${seed}.png`, bytes: cell('round', seed) })),
      { path: 'set/labels.csv', bytes: Buffer.from(table) },
    ])
    expect(dataset).toMatchObject({
      ...{ task: 'multilabel', layout: 'csv_labels', state: 'ready', classes: ['big', 'round'] },
      facts: { items: 4, classCounts: [2, 2], patients: 3, given: null },
    })
    const { data } = await server.call('datasets/items', { id: dataset.id, class: 1 }, session)
    expect(data.items.map(({ name, labels }) => [name, labels])).toEqual([
      ['1.png', [0, 1]],
      ['3.png', [1]],
    ])
    const { items } = await manifestOf(server.ctx.db, dataset.id)
    expect(items.map(({ labels, group }) => [labels, group])).toEqual([
      [[0, 1], 'p1'],
      [[0], 'p1'],
      [[1], 'p2'],
      [[], 'p3'],
    ])
  })

  it('looks at a folder again after its files were repaired, and keeps the data set', async () => {
    const pairs = [1, 2].flatMap((seed) => [
      { path: `cells/images/${seed}.png`, bytes: field(seed).image },
      { path: `cells/masks/${seed === 2 ? 'two' : seed}.png`, bytes: field(seed).mask },
    ])
    const { session, dataset, problems, folderId } = await made('segmentation', pairs)
    expect(problems.map(([path]) => path)).toEqual(['images/2.png', 'masks/two.png'])
    const wrong = await idAt(server, session, 'masks/two.png', folderId)
    await server.call('files/rename', { id: wrong, name: '2.png' }, session)
    const begun = await server.call('datasets/recheck', { id: dataset.id }, session)
    expect(begun.data).toMatchObject({ id: dataset.id, state: 'checking', parts: [], problemCount: 0 })
    const twice = await server.call('datasets/recheck', { id: dataset.id }, session)
    expect(twice.data.error).toBe('dataset_not_ready')
    await look(makeWorker(server), dataset.id)
    const { data } = await server.call('datasets/detail', { id: dataset.id }, session)
    expect(data).toMatchObject({ state: 'ready', problemCount: 0, facts: { items: 2 } })
    await server.call('files/remove', { ids: [folderId] }, session)
    expect((await server.call('datasets/recheck', { id: dataset.id }, session)).data.error).toBe('missing')
  })

  it.each([
    ['single_class', 'classification', [{ path: 'set/only/1.png', bytes: cell('round', 1) }]],
    ['no_images', 'classification', [{ path: 'set/notes.txt', bytes: Buffer.from('x') }]],
    ['layout_unknown', 'segmentation', [{ path: 'set/only/1.png', bytes: cell('round', 1) }]],
    ['task_differs', 'segmentation', classFiles()],
    [
      'nothing_matches',
      'segmentation',
      [
        { path: 'set/images/1.png', bytes: field(1).image },
        { path: 'set/masks/2.png', bytes: field(2).mask },
      ],
    ],
  ] as const)(
    'fails as %s',
    async (failure, task, files) => {
      const { dataset } = await made(task, [...files])
      expect(dataset).toMatchObject({ state: 'failed', failure, parts: [] })
    },
    60_000,
  )

  it('fails as empty_folder', async () => {
    const { session, projectId } = await start('classification', classFiles())
    const { data: empty } = await server.call(
      'files/createFolder',
      { parentId: null, name: 'empty' },
      session,
    )
    const { data } = await recognise(session, projectId, empty.id)
    await look(makeWorker(server), data.id)
    const { data: dataset } = await server.call('datasets/detail', { id: data.id }, session)
    expect(dataset.failure).toBe('empty_folder')
  })

  it('runs as a job, tells pages, and goes on after the worker was lost', async () => {
    const { session, projectId, folderId } = await start('classification', classFiles())
    const { data } = await recognise(session, projectId, folderId)
    const worker = makeWorker(server)
    // The queue's own job is gone, as if with the worker that had taken it.
    await server.ctx.pool.query(`delete from pgboss.job where name = 'datasets.recognise'`)
    await worker.jobs.start()
    await register(worker)
    await expect
      .poll(async () => (await server.call('datasets/detail', { id: data.id }, session)).data.state, {
        timeout: 120_000,
        interval: 200,
      })
      .toBe('ready')
    expect(await server.ctx.live.lastId(server.ctx.db, { kind: 'dataset', id: data.id })).toBeGreaterThan(0)
    await look(worker, data.id)
    const again = await server.call('datasets/detail', { id: data.id }, session)
    expect(again.data.parts).toHaveLength(2)
  })
})

describe('data sets and their folders', () => {
  it('are made once of an unchanged folder, and anew of a changed one or after a failure', async () => {
    const { session, projectId, folderId } = await start('classification', classFiles())
    const first = await recognise(session, projectId, folderId)
    const twice = await Promise.all([1, 2].map(() => recognise(session, projectId, folderId)))
    expect(twice.map(({ data }) => data.error)).toEqual(['dataset_duplicate', 'dataset_duplicate'])
    await server.ctx.db
      .update(datasets)
      .set({ state: 'failed', failure: 'internal', checkedAt: new Date() })
      .where(eq(datasets.id, first.data.id))
    const anew = await recognise(session, projectId, folderId)
    expect(anew.code).toBe(10200)
    expect((await server.call('datasets/detail', { id: first.data.id }, session)).data.error).toBe(
      'dataset_missing',
    )
    await upload(server, session, { files: [{ path: 'set/round/new.png', bytes: cell('round', 77) }] })
    expect((await recognise(session, projectId, folderId)).code).toBe(10200)
  })

  it('keep the bytes of files that are removed; those count until the data set is forgotten', async () => {
    const own = await makeServer()
    const [outer] = [server]
    server = own
    try {
      const { session, dataset, folderId, projectId } = await made('classification', classFiles())
      await server.call('files/remove', { ids: [folderId] }, session)
      const { storageSize } = (await server.call('user/size', {}, session)).data
      server.forward(91 * DAY_MS)
      await purge(server.ctx)
      await sweepOrphans(server.ctx)
      const { items } = await manifestOf(server.ctx.db, dataset.id)
      for (const { image } of items) expect(await server.ctx.storage.size(image)).toBeGreaterThan(0)
      const { token } = await server.ctx.db.transaction((tx) =>
        open(server.ctx, tx, {
          userId: session.userId,
          from: { address: '127.0.0.1', agent: '', browser: false },
        }),
      )
      const later = { userId: session.userId, token }
      expect((await server.call('user/size', {}, later)).data.storageSize).toBe(storageSize)
      await server.call('datasets/remove', { id: dataset.id, projectId }, later)
      expect((await server.call('datasets/list', { projectId: null }, later)).data.datasets).toHaveLength(1)
      await server.call('datasets/remove', { id: dataset.id, projectId: null }, later)
      expect(await server.ctx.db.$count(datasetItems)).toBe(0)
      await purge(server.ctx)
      expect((await server.call('user/size', {}, later)).data.storageSize).toBe(0)
      server.forward(2 * limits.orphanMs)
      await sweepOrphans(server.ctx)
      await expect(server.ctx.storage.size(items[0]?.image ?? '')).rejects.toThrow('ENOENT')
    } finally {
      server = outer
      await own.close()
    }
  })
})

describe('data sets and projects', () => {
  it('are used in a further project of the same task, once', async () => {
    const { session, dataset } = await made('classification', classFiles())
    const make = (name: string, task: Task) => server.call('projects/create', { name, task }, session)
    const { data: same } = await make('same', 'classification')
    const { data: other } = await make('other', 'segmentation')
    const add = (projectId: string) => server.call('datasets/add', { id: dataset.id, projectId }, session)
    expect((await add(same.id)).code).toBe(10200)
    expect((await add(same.id)).data.error).toBe('dataset_duplicate')
    expect((await add(other.id)).data.error).toBe('task_differs')
    const { data } = await server.call('datasets/list', { projectId: same.id }, session)
    expect(data.datasets.map(({ id }) => id)).toEqual([dataset.id])
    const renamed = await server.call('datasets/rename', { id: dataset.id, name: '新 名' }, session)
    expect(renamed.data.name).toBe('新 名')
  })

  it('are missing for strangers, and refused to everybody who is not signed in', async () => {
    const { session, projectId, folderId } = await start('classification', classFiles())
    const { data } = await recognise(session, projectId, folderId)
    const stranger = await server.signUp()
    const mine = await server.call('projects/create', { name: 'mine', task: 'classification' }, stranger)
    const answers = [
      await server.call('datasets/detail', { id: data.id }, stranger),
      await server.call('datasets/items', { id: data.id }, stranger),
      await server.call('datasets/problems', { id: data.id }, stranger),
      await server.call('datasets/rename', { id: data.id, name: 'x' }, stranger),
      await server.call('datasets/remove', { id: data.id, projectId: null }, stranger),
      await server.call('datasets/recheck', { id: data.id }, stranger),
      await server.call('datasets/add', { id: data.id, projectId: mine.data.id }, stranger),
      await server.call('datasets/detail', { id: 'unknown' }, stranger),
    ]
    expect(answers.map((answer) => answer.data.error)).toEqual(answers.map(() => 'dataset_missing'))
    expect((await recognise(stranger, projectId, folderId)).data.error).toBe('project_missing')
    expect((await recognise(stranger, mine.data.id, folderId)).data.error).toBe('missing')
    expect((await server.call('datasets/list', { projectId }, stranger)).data.error).toBe('project_missing')
    expect((await server.call('datasets/list', { projectId: null })).data.error).toBe('not_signed_in')
  })
})

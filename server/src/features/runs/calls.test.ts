import { builtInNetworks } from '@neuroloom/contract/built-in-networks'
import type { Body } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { addDataset, makeTrainingSet, startQuick, type TrainingSet } from '../../../test/training.ts'
import { datasets } from '../datasets/tables.ts'
import { claim, reportDevice } from './queue/queue.ts'
import { runDevices, runs } from './tables.ts'

let server: TestServer
let gold: Session
let ordinary: Session
let set: TrainingSet
let ordinarySet: TrainingSet

beforeAll(async () => {
  server = await makeServer()
  gold = await server.signUp({ vipLevel: 4 })
  ordinary = await server.signUp({ vipLevel: 1 })
  set = await makeTrainingSet(server, gold, { items: 60 })
  ordinarySet = await makeTrainingSet(server, ordinary, { items: 60 })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.ctx.db.delete(runs)
  await server.ctx.db.delete(runDevices)
})

const start = (body: Partial<Body<'runs/start'>> = {}, who: Session | null = gold) =>
  server.call(
    'runs/start',
    { projectId: set.projectId, parts: set.parts, network: 'small_resnet', ...body },
    who,
  )
const errorOf = async (reply: ReturnType<typeof start>) => (await reply).data.error
const plain = { force: true, hyper: {} }

describe('every call', () => {
  it.each([
    ['runs/suggest', { projectId: 'p', datasetId: 'd' }],
    ['runs/start', { projectId: 'p', parts: [], network: 'unet' }],
    ['runs/test', { id: 'r', datasets: [] }],
    ['runs/list', { projectId: null }],
    ['runs/detail', { id: 'r' }],
    ['runs/stop', { id: 'r' }],
    ['runs/rerun', { id: 'r' }],
    ['runs/pause', { id: 'r' }],
    ['runs/resume', { id: 'r' }],
    ['runs/remove', { id: 'r' }],
    ['runs/restore', { id: 'r' }],
    ['runs/purge', { ids: null }],
    ['runs/items', { id: 'r' }],
    ['runs/download', { id: 'r', kind: 'onnx' }],
    ['networks/list', { task: 'segmentation' }],
    ['networks/detail', { id: 'unet' }],
  ] as const)('%s refuses who is not signed in and a body without its fields', async (path, body) => {
    expect((await server.call(path, body)).data.error).toBe('not_signed_in')
    // @ts-expect-error: exactly what a broken client would send
    expect((await server.call(path, { id: 7, task: 7, projectId: 7 }, gold)).data.error).toBe('invalid')
  })

  it('answers about another member’s run as about none', async () => {
    const { id } = await startQuick(server, gold, { set })
    const calls = [
      server.call('runs/detail', { id }, ordinary),
      server.call('runs/stop', { id }, ordinary),
      server.call('runs/remove', { id }, ordinary),
      server.call('runs/items', { id }, ordinary),
      server.call('runs/download', { id, kind: 'weights' }, ordinary),
      server.call('runs/test', { id, datasets: [set.datasetId] }, ordinary),
    ]
    const unknown = await server.call('runs/detail', { id: 'unknown' }, ordinary)
    for (const reply of await Promise.all(calls)) {
      expect([reply.code, reply.message]).toEqual([unknown.code, unknown.message])
    }
    expect((await server.call('runs/list', { projectId: null }, ordinary)).data.runs).toEqual([])
    expect(await errorOf(start({}, ordinary))).toBe('project_missing')
    const list = await server.call('runs/list', { projectId: set.projectId }, ordinary)
    expect(list.data.error).toBe('project_missing')
  })
})

describe('runs/start', () => {
  it('queues a training with settings chosen from the data when none are given', async () => {
    const suggestion = await server.call('runs/suggest', set, gold)
    const { data } = await start()
    expect(data).toMatchObject({ state: 'queued', hyper: suggestion.data.hyper, datasetName: 'cells' })
    expect(data.parameters).toBe(suggestion.data.parameters)
    const { data: listed } = await server.call('projects/detail', { id: set.projectId }, gold)
    expect(listed.counts.runs).toBe(1)
    expect(listed.lastRun).toEqual({ id: data.id, state: 'queued', score: null })
  })

  it('takes exactly one image part and the label part that belongs to it', async () => {
    const [image = '', label = ''] = set.parts
    const more = { projectId: set.projectId, task: set.task, items: 60, size: 32, name: 'more', seed: 2 }
    const other = await addDataset(server, gold, more)
    const [otherImage = '', otherLabel = ''] = other.parts
    const foreign = ordinarySet.parts[1] ?? ''
    expect(await errorOf(start({ parts: [image] }))).toBe('two_parts_needed')
    expect(await errorOf(start({ parts: [image, image] }))).toBe('two_parts_needed')
    expect(await errorOf(start({ parts: [image, label, otherImage] }))).toBe('two_parts_needed')
    expect(await errorOf(start({ parts: [image, otherImage] }))).toBe('two_parts_needed')
    expect(await errorOf(start({ parts: [image, otherLabel] }))).toBe('parts_differ')
    expect(await errorOf(start({ parts: [image, foreign] }))).toBe('dataset_missing')
    expect(await errorOf(start({ parts: [image, 'unknown'] }))).toBe('dataset_missing')
  })

  it('refuses data that are not ready, of another project or of another task', async () => {
    const own = await server.call('projects/create', { name: 'empty', task: 'segmentation' }, gold)
    expect(await errorOf(start({ projectId: own.data.id }))).toBe('dataset_missing')

    const of = eq(datasets.id, set.datasetId)
    await server.ctx.db.update(datasets).set({ state: 'checking', checkedAt: null }).where(of)
    expect(await errorOf(start())).toBe('dataset_not_ready')
    await server.ctx.db
      .update(datasets)
      .set({ state: 'ready', checkedAt: new Date(), task: 'segmentation' })
      .where(of)
    expect(await errorOf(start())).toBe('task_differs')
    await server.ctx.db.update(datasets).set({ task: 'classification' }).where(of)
  })

  it('refuses networks that do not exist, are of another task or do not fit', async () => {
    expect(await errorOf(start({ network: 'nonsense' }))).toBe('network_unfit')
    expect(await errorOf(start({ network: 'unet' }))).toBe('network_unfit')
    const suggestion = await server.call('runs/suggest', { ...set, network: 'unet' }, gold)
    expect(suggestion.data.error).toBe('network_unfit')
  })

  it('wants the member’s word for few images, and more than that for hardly any', async () => {
    const few = await makeTrainingSet(server, gold, { items: 15, name: 'few' })
    const tiny = await makeTrainingSet(server, gold, { items: 6, name: 'tiny' })
    const body = ({ projectId, parts }: TrainingSet) => ({ projectId, parts })
    const refused = await start(body(few))
    expect(refused.data).toMatchObject({ error: 'data_too_few', params: { count: 5, wanted: 20 } })
    expect((await start({ ...body(few), force: true })).code).toBe(10200)
    expect(await errorOf(start({ ...body(tiny), force: true }))).toBe('data_too_few')
    const validation = { method: 'kfold', splits: 10, seed: 1 } as const
    expect(await errorOf(start({ ...body(few), force: true, validation }))).toBe('data_too_few')
  })

  it('says before the start, and to who insists too, that two patients cannot be split', async () => {
    const pair = await makeTrainingSet(server, gold, { items: 24, name: 'pair' })
    const of = eq(datasets.id, pair.datasetId)
    const [row] = await server.ctx.db.select().from(datasets).where(of)
    if (!row?.facts) throw new Error('the data set has no facts')
    await server.ctx.db
      .update(datasets)
      .set({ facts: { ...row.facts, patients: 2, origin: undefined } })
      .where(of)
    const { data } = await server.call('runs/suggest', { ...pair, network: null }, gold)
    expect(data.blockers).toMatchObject([{ name: 'cases_too_few', params: { have: 2, need: 3 } }])
    const refused = await start({ projectId: pair.projectId, parts: pair.parts, force: true })
    expect(refused.data).toMatchObject({ error: 'cases_too_few', params: { have: 2, need: 3 } })
  })

  it('wants the member’s word where the given parts leave one class or one patient to learn from', async () => {
    const set = await makeTrainingSet(server, gold, { items: 60, name: 'given' })
    const of = eq(datasets.id, set.datasetId)
    const [row] = await server.ctx.db.select().from(datasets).where(of)
    if (!row?.facts) throw new Error('the data set has no facts')
    const given = { train: 40, validation: 0, test: 20 }
    const body = { projectId: set.projectId, parts: set.parts }
    const others = row.classes.map((_, index) => index).slice(1)
    for (const facts of [{ absent: { train: others, test: [] } }, { learners: 1 }]) {
      const told = { ...row.facts, given, ...facts }
      await server.ctx.db.update(datasets).set({ facts: told }).where(of)
      expect(await errorOf(start(body))).toBe('data_too_few')
      expect((await start({ ...body, force: true })).code).toBe(10200)
    }
  })

  it('lets everybody test in turn where that is offered', async () => {
    const own = { projectId: ordinarySet.projectId, parts: ordinarySet.parts, force: true }
    const { data: suggested } = await server.call('runs/suggest', ordinarySet, ordinary)
    expect(suggested.crossValidation).toEqual({ splits: 5, seed: 7 })
    const crossed = await start({ ...own, validation: { method: 'kfold', splits: 5, seed: 7 } }, ordinary)
    expect(crossed.data.validation).toMatchObject({ method: 'kfold', splits: 5 })
    const otherwise = start({ ...own, validation: { method: 'kfold', splits: 6, seed: 7 } }, ordinary)
    expect(await errorOf(otherwise)).toBe('tuning_gold_only')
  })

  it('lets gold members alone change the settings; the suggested ones are no change', async () => {
    const own = { projectId: ordinarySet.projectId, parts: ordinarySet.parts }
    const { data: suggested } = await server.call('runs/suggest', ordinarySet, ordinary)
    expect(suggested.mayTune).toBe(false)
    const tuned = start({ ...own, hyper: { epochs: suggested.hyper.epochs + 1 } }, ordinary)
    expect(await errorOf(tuned)).toBe('tuning_gold_only')
    const parted = start({ ...own, validation: { method: 'kfold', splits: 5, seed: 1 } }, ordinary)
    expect(await errorOf(parted)).toBe('tuning_gold_only')
    const same = start({ ...own, hyper: suggested.hyper, validation: suggested.validation }, ordinary)
    expect((await same).code).toBe(10200)
    expect((await start({ hyper: { epochs: 3 } })).data.hyper?.epochs).toBe(3)
    expect(suggested.hyper.labelSmoothing).toBe(0.1)
    const focal = await start({ hyper: { criterion: 'focal' } })
    expect(focal.data.hyper).not.toHaveProperty('labelSmoothing')
  })

  it('refuses settings that contradict the data or the task', async () => {
    const loss = await start({ hyper: { criterion: 'dice' } })
    expect(loss.data).toMatchObject({ error: 'invalid', fields: { 'hyper.criterion': 'form.invalid' } })
    // Offered where the device is quick with it alone.
    const half = await start({ hyper: { mixedPrecision: true } })
    expect(half.data).toMatchObject({ error: 'invalid', fields: { 'hyper.mixedPrecision': 'form.invalid' } })
    expect((await start({ hyper: { labelSmoothing: 0.6 } })).data).toMatchObject({ error: 'invalid' })
    const masks = await makeTrainingSet(server, gold, { task: 'segmentation', name: 'masks' })
    const smoothed = await start({
      ...{ projectId: masks.projectId, parts: masks.parts, network: 'unet' },
      hyper: { criterion: 'cross_entropy', labelSmoothing: 0.1 },
    })
    expect(smoothed.data).toMatchObject({
      error: 'invalid',
      fields: { 'hyper.labelSmoothing': 'form.invalid' },
    })
    const classes = await start({ hyper: { numClass: 7 } })
    expect(classes.data).toMatchObject({ error: 'invalid', fields: { 'hyper.numClass': 'form.invalid' } })
    expect((await start({ hyper: { epochs: 0 } })).data).toMatchObject({ error: 'invalid' })
  })

  it('refuses what the device cannot hold, with both numbers', async () => {
    const device = { kind: 'cpu' as const, index: 0, threads: 2, memoryBytes: 400_000_000 }
    await reportDevice(server.ctx.db, 'w', { device, others: 0 })
    const { data } = await start({ hyper: { batchSize: 1, imageSize: [1024, 1024] } })
    expect(data).toMatchObject({ error: 'memory_exceeded', params: { haveBytes: 400_000_000 } })
    const told = await server.call('runs/device', {}, gold)
    expect(told.data).toEqual({ kind: 'cpu', memoryBytes: 400_000_000 })
    expect((await start()).code).toBe(10200)
  })

  it('names the largest batch that the device holds', async () => {
    const device = { kind: 'cpu' as const, index: 0, threads: 2, memoryBytes: 600_000_000 }
    await reportDevice(server.ctx.db, 'w', { device, others: 0 })
    const { data, message } = await start({ hyper: { batchSize: 1024 } })
    expect(data.error).toBe('batch_too_large')
    const batch = Number(data.params?.batch)
    expect(message).toContain(`The largest batch that fits is ${batch}.`)
    expect((await start({ hyper: { batchSize: batch + 1 } })).data.params).toMatchObject({ batch })
    expect((await start({ hyper: { batchSize: batch } })).code).toBe(10200)
  })

  it('keeps as many models as the plan allows, those under way included', async () => {
    const own = { projectId: ordinarySet.projectId, parts: ordinarySet.parts }
    const replies = await Promise.all([start(own, ordinary), start(own, ordinary), start(own, ordinary)])
    expect(replies.map(({ code }) => code).sort()).toEqual([10200, 20101, 20101])
    const [first] = replies.filter(({ code }) => code === 10200)
    await server.call('runs/stop', { id: first?.data.id ?? '' }, ordinary)
    expect((await start(own, ordinary)).code).toBe(10200)
  })

  it('has no such limits on a hospital’s own server', async () => {
    const hospital = await makeServer({ deployment: 'private' })
    const member = await hospital.signUp({ vipLevel: 1 })
    const data = await makeTrainingSet(hospital, member, { items: 12 })
    for (let count = 0; count < 3; count += 1) {
      expect((await startQuick(hospital, member, { set: data })).state).toBe('queued')
    }
    await hospital.close()
  })
})

describe('runs/test', () => {
  it('needs a trained model, exactly one data set, and one that is ready', async () => {
    const { id } = await startQuick(server, gold, { set })
    const test = (ids: string[]) => server.call('runs/test', { id, datasets: ids }, gold)
    expect((await test([set.datasetId])).data.error).toBe('train_first')
  })
})

describe('runs/suggest', () => {
  it('says why each setting was chosen', async () => {
    const { data } = await server.call('runs/suggest', set, gold)
    expect(data).toMatchObject({ network: 'small_resnet', mayTune: true, blockers: [] })
    expect(data.reasons.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['network', 'imageSize', 'batchSize', 'epochs', 'validation']),
    )
    const missing = await server.call('runs/suggest', { ...set, datasetId: 'unknown' }, gold)
    expect(missing.data.error).toBe('dataset_missing')
  })
})

describe('runs/list', () => {
  it('shows the newest first, and only those of the project asked for', async () => {
    const first = await startQuick(server, gold, { set, ...plain })
    const second = await startQuick(server, gold, { set, ...plain })
    await claim(server.ctx, 'w')
    const { data } = await server.call('runs/list', { projectId: set.projectId }, gold)
    expect(data.runs.map(({ id, state, position }) => [id, state, position])).toEqual([
      [second.id, 'queued', 1],
      [first.id, 'running', null],
    ])
    expect(data.runs[0]?.lastEventId).toBeGreaterThan(0)
  })
})

describe('networks', () => {
  it.each(['classification', 'segmentation'] as const)(
    'lists those for %s with what they cost',
    async (task) => {
      const { data } = await server.call('networks/list', { task }, gold)
      expect(data.networks.map(({ id }) => id)).toEqual(builtInNetworks[task])
      for (const { parameters, macs, source } of data.networks) {
        expect(parameters).toBeGreaterThan(100_000)
        expect(macs).toBeGreaterThan(1_000_000)
        expect(source).toContain('http')
      }
    },
  )

  it('shows the document of one, and none that does not exist', async () => {
    const { data } = await server.call('networks/detail', { id: 'unet' }, gold)
    expect(data).toMatchObject({ id: 'unet', task: 'segmentation' })
    expect(data.yaml).toContain('name: unet')
    const missing = await server.call('networks/detail', { id: '../catalogue' }, gold)
    expect(missing.data.error).toBe('missing')
  })
})

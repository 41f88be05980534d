import { files as limits, planTable } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeTrainingSet, type TrainingSet } from '../../../../test/training.ts'
import { unzip } from '../../../../test/unzip.ts'
import { sweepOrphans } from '../../../infra/storage/blobs.ts'
import { eraseOf } from '../erase.ts'
import { purge } from './recycle.ts'

const DAY = 24 * 60 * 60 * 1000
const OK = 10200
let server: TestServer
let gold: Session
let set: TrainingSet
beforeAll(async () => {
  server = await makeServer()
  gold = await server.signUp({ vipLevel: 4 })
  set = await makeTrainingSet(server, gold, { items: 60 })
})
afterAll(() => server.close())

const query = (text: string, ...values: unknown[]) => server.ctx.pool.query(text, values)
const isThere = async (id: string) => (await query('select 1 from runs where id = $1', id)).rowCount === 1
const remove = (id: string, who = gold) => server.call('runs/remove', { id }, who)
const restore = (id: string, who = gold) => server.call('runs/restore', { id }, who)
const stationOf = async (who = gold) => (await server.call('runs/recycled', {}, who)).data.runs
const idsIn = async (who = gold) => (await stationOf(who)).map(({ id }) => id)

async function start(who = gold, { projectId, parts }: Pick<TrainingSet, 'projectId' | 'parts'> = set) {
  const body = { projectId, parts, network: 'small_resnet', force: true }
  const { data, message, code } = await server.call('runs/start', body, who)
  if (code !== OK) throw new Error(`runs/start: ${message}`)
  return data
}

/** As a worker leaves a training: with a score and weights. */
async function finish(id: string): Promise<void> {
  await query(`update runs set state = 'done', score = 0.5, ended_at = now() where id = $1`, id)
  await query(
    `insert into run_artifacts (run_id, kind, sha256, size_bytes)
     select $1, 'weights', image_sha256, 1234 from dataset_items limit 1`,
    id,
  )
}

async function train(who = gold, at: Pick<TrainingSet, 'projectId' | 'parts'> = set): Promise<string> {
  const { id } = await start(who, at)
  await finish(id)
  return id
}

/** A test of the training, as its row is once it has ended. */
async function testOf(parentId: string): Promise<string> {
  const id = `test-of-${parentId}`.slice(0, 40)
  await query(
    `insert into runs select (jsonb_populate_record(t, jsonb_build_object('id', $2::text, 'kind', 'test', 'parent_id', $1::text))).*
     from runs t where id = $1`,
    parentId,
    id,
  )
  return id
}

describe('a run that is deleted', () => {
  it('is in the recycle station with what it is, and when it is cleared', async () => {
    const ids = [await train(), await train()]
    for (const id of ids) {
      expect((await remove(id)).data).toEqual({ recycleDays: planTable[3].recycleDays })
      server.forward(1000)
    }
    const [last, first] = await stationOf()
    expect([last?.id, first?.id]).toEqual([...ids].reverse())
    expect(first).toMatchObject({ kind: 'train', projectId: set.projectId, project: 'Project of cells' })
    expect(first).toMatchObject({ task: 'classification', datasetName: 'cells', sizeBytes: 1234 })
    const { recycledAt = '', clearsAt = '' } = first ?? {}
    expect(Date.parse(clearsAt) - Date.parse(recycledAt)).toBe(planTable[3].recycleDays * DAY)
    await server.call('runs/purge', { ids: null }, gold)
  })

  it('is in no list, no count and no choice, and comes back to all of them as it was', async () => {
    const id = await train()
    const tested = await testOf(id)
    const { projectId } = set
    const shown = async () => ({
      own: (await server.call('runs/list', { projectId: null }, gold)).data,
      listed: (await server.call('runs/list', { projectId }, gold)).data,
      project: (await server.call('projects/detail', { id: projectId }, gold)).data,
      projects: (await server.call('projects/list', {}, gold)).data.projects,
      found: (await server.call('search/all', { text: 'training' }, gold)).data.runs,
      jobs: (await server.call('toolbox/status', { ids: [id] }, gold)).data,
      offers: (await server.call('shop/candidates', {}, gold)).data,
      used: (await server.call('plans/used', {}, gold)).data,
      test: (await server.call('runs/detail', { id: tested }, gold)).data,
      archive: await archiveOf(gold, projectId),
    })
    const before = await shown()
    const { own, listed, found, jobs, offers, archive } = before
    for (const place of [own, listed, found, jobs, offers, archive])
      expect(JSON.stringify(place)).toContain(id)
    expect(before.test.run.parentId).toBe(id)
    const trained = (await server.call('runs/detail', { id }, gold)).data

    await remove(id)
    const without = await shown()
    // What a test was of is told of by its own name alone.
    const withoutTest = JSON.stringify(without).replaceAll(tested, '')
    expect(withoutTest).not.toContain(id)
    expect(without.project.counts).toMatchObject({
      runs: before.project.counts.runs - 1,
      models: before.project.counts.models - 1,
    })
    expect(without.test.run.parentId).toBeNull()
    expect((await server.call('runs/rerun', { id: tested }, gold)).data.error).toBe('weights_gone')

    expect((await restore(id)).data).toMatchObject({ id, number: trained.run.number, state: 'done' })
    const { lastEventId: _, ...run } = (await server.call('runs/detail', { id }, gold)).data.run
    expect(trained.run).toMatchObject(run)
    const again = await shown()
    expect(again.project.counts).toEqual(before.project.counts)
    expect(again.test.run.parentId).toBe(id)
    expect(again.archive).toEqual(before.archive)
    expect(await idsIn()).toEqual([])
  })

  it('stops where it waits, tells nobody, and comes back as one that was stopped', async () => {
    const { id } = await start()
    await remove(id)
    const { rows } = await query('select state from runs where id = $1', id)
    expect(rows).toEqual([{ state: 'stopped' }])
    const { data } = await server.call('notice/list', {}, gold)
    expect(data.items.filter(({ params }) => params.run === id)).toEqual([])
    expect((await restore(id)).data.state).toBe('stopped')
  })

  it('is deleted twice by nobody, and its number is not given out again', async () => {
    const id = await train()
    const { number } = (await server.call('runs/detail', { id }, gold)).data.run
    await remove(id)
    expect((await remove(id)).data.error).toBe('run_missing')
    expect((await start()).number).toBeGreaterThan(number)
  })
})

describe('a place for a trained network', () => {
  it('is free once one is deleted, and asked for again when it comes back', async () => {
    const owner = await server.signUp({ vipLevel: 1 })
    const own = await makeTrainingSet(server, owner, { items: 60 })
    const first = await train(owner, own)
    const tested = await testOf(first)
    await remove(first, owner)
    await remove(tested, owner)
    const second = await train(owner, own)
    const limit = planTable[0].trainedModels
    expect((await restore(first, owner)).data).toMatchObject({ error: 'plan_limit', params: { limit } })
    expect((await idsIn(owner)).sort()).toEqual([first, tested].sort())
    // What is no network takes no place.
    expect((await restore(tested, owner)).code).toBe(OK)
    await remove(second, owner)
    expect((await restore(first, owner)).code).toBe(OK)
    expect((await server.call('runs/detail', { id: tested }, owner)).data.run.parentId).toBe(first)
  })

  it('of those that others see is asked for as well', async () => {
    const owner = await server.signUp({ vipLevel: 2 })
    const own = await makeTrainingSet(server, owner, { items: 60 })
    await server.call('projects/setPublic', { id: own.projectId, isPublic: true }, owner)
    const limit = planTable[1].sharedModels
    const ids = await Promise.all(Array.from({ length: limit ?? 0 }, () => train(owner, own)))
    const [first = ''] = ids
    await remove(first, owner)
    await train(owner, own)
    // Shared long ago, and yet one more than there may be.
    await query(`update projects set public_at = now() - interval '1 year' where id = $1`, own.projectId)
    await query(`update runs set created_at = now() - interval '1 year' where id = $1`, first)
    expect((await restore(first, owner)).data).toMatchObject({
      error: 'shared_models_limit',
      params: { used: limit, limit },
    })
    expect(await idsIn(owner)).toEqual([first])
    await server.call('projects/setPublic', { id: own.projectId, isPublic: false }, owner)
    expect((await restore(first, owner)).code).toBe(OK)
  })
})

describe('deleting for good', () => {
  it('frees the bytes of a run, which the recycle station keeps', async () => {
    const owner = await server.signUp({ vipLevel: 4 })
    const own = await makeTrainingSet(server, owner, { items: 61, name: 'alone' })
    const id = await train(owner, own)
    const { rows } = await query('select manifest_sha256 as sha256 from run_inputs where run_id = $1', id)
    const isKept = async () => {
      server.forward(2 * limits.orphanMs)
      await sweepOrphans(server.ctx)
      return (await query('select 1 from blobs where sha256 = $1', rows[0].sha256)).rowCount === 1
    }
    await remove(id, owner)
    expect(await isKept()).toBe(true)
    expect((await server.call('runs/purge', { ids: [id] }, owner)).data).toEqual({ purged: 1 })
    expect((await server.call('runs/purge', { ids: [id] }, owner)).data.error).toBe('run_missing')
    expect((await restore(id, owner)).data.error).toBe('run_missing')
    expect(await isThere(id)).toBe(false)
    expect(await isKept()).toBe(false)
    const news = await query('select 1 from live_events where topic = $1', `run:${id}`)
    expect(news.rowCount).toBe(0)
  })

  it('or bringing back whole is done, and not both, when both are asked for at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await train()
      await remove(id)
      const [back, gone] = await Promise.all([restore(id), server.call('runs/purge', { ids: [id] }, gold)])
      expect(await isThere(id)).toBe(back.code === OK)
      if (back.code === OK) {
        expect(gone.data.purged ?? 0).toBe(0)
        await remove(id)
      } else expect(back.data.error).toBe('run_missing')
    }
    await server.call('runs/purge', { ids: null }, gold)
    expect(await idsIn()).toEqual([])
  })
})

describe('the recycle station of a project', () => {
  it('takes those along that were deleted before, and gives them back to theirs', async () => {
    const owner = await server.signUp({ vipLevel: 4 })
    const own = await makeTrainingSet(server, owner, { items: 60 })
    const { projectId } = own
    const [id, stays] = [await train(owner, own), await train(owner, own)]
    await remove(id, owner)
    await server.call('projects/remove', { id: projectId }, owner)
    expect(await idsIn(owner)).toEqual([])
    expect((await restore(id, owner)).data.error).toBe('run_missing')
    expect((await server.call('runs/purge', { ids: null }, owner)).data).toEqual({ purged: 0 })
    await server.call('projects/restore', { id: projectId }, owner)
    expect(await idsIn(owner)).toEqual([id])
    const { data } = await server.call('runs/list', { projectId }, owner)
    expect(data.runs.map((run) => run.id)).toEqual([stays])
    await server.call('projects/remove', { id: projectId }, owner)
    await server.call('projects/purge', { ids: [projectId] }, owner)
    expect(await isThere(id)).toBe(false)
  })
})

it('an account takes it along, in its archive and at its end', async () => {
  const owner = await server.signUp({ vipLevel: 4 })
  const own = await makeTrainingSet(server, owner, { items: 60 })
  const id = await train(owner, own)
  await remove(id, owner)
  const { data } = await server.call('user/export', {}, owner)
  const archive = await entriesAt(data.url)
  expect(archive.get('runs.json')?.bytes.toString()).toContain(id)
  expect([...archive.keys()].some((path) => /^runs\/.*-run-1\.safetensors$/.test(path))).toBe(true)
  await eraseOf(server.ctx, owner.userId)
  expect(await isThere(id)).toBe(false)
})

// Last: it takes months, and sessions end.
it('is deleted for good after the days of the owner’s level, and not before', async () => {
  const [ordinary, silver] = [await server.signUp({ vipLevel: 1 }), await server.signUp({ vipLevel: 3 })]
  const ids: string[] = []
  for (const who of [ordinary, silver]) {
    const own = await makeTrainingSet(server, who, { items: 60 })
    ids.push(await train(who, own))
    await remove(ids.at(-1) ?? '', who)
  }
  const there = async () => {
    await purge(server.ctx)
    return Promise.all(ids.map(isThere))
  }
  server.forward(planTable[0].recycleDays * DAY - 60_000)
  expect(await there()).toEqual([true, true])
  server.forward(120_000)
  expect(await there()).toEqual([false, true])
  // What was promised stays so when the level falls.
  await query('update users set vip_level = 1 where id = $1', silver.userId)
  server.forward((planTable[2].recycleDays - planTable[0].recycleDays) * DAY - 180_000)
  expect(await there()).toEqual([false, true])
  server.forward(240_000)
  expect(await there()).toEqual([false, false])
})

async function archiveOf(who: Session, id: string): Promise<object> {
  const { data } = await server.call('projects/archive', { id }, who)
  const archive = await entriesAt(data.url)
  return [...archive].flatMap(([path, { bytes }]) =>
    path.includes('runs/') ? [[path, bytes.toString('latin1')]] : [],
  )
}

async function entriesAt(url: string) {
  const response = await fetch(server.url + url)
  return unzip(Buffer.from(await response.arrayBuffer()))
}

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'
import { textScans } from '../files/burned-in/tables.ts'
import { conversionItems, conversions } from '../files/convert/tables.ts'
import { toolFavourites, toolUses } from './tables.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const homeOf = async (who: Session) => (await server.call('toolbox/home', {}, who)).data
const mark = (who: Session, isFavourite: boolean) =>
  server.call('toolbox/setFavourite', { tool: 'viewer', isFavourite }, who)
const use = (who: Session | null, more: object = {}) =>
  server.call('toolbox/record', { tool: 'viewer', title: 'readers.csv', ...more }, who)
const historyOf = async (who: Session, after: string | null = null) =>
  (await server.call('toolbox/history', { after }, who)).data

/** A conversion as its job leaves it. */
async function makeConversion(who: Session, state: 'waiting' | 'done' | 'failed' | 'cancelled') {
  await upload(server, who, { files: [{ path: `${state}.png`, bytes: Buffer.from(state) }] })
  const { data } = await server.call('files/list', { folderId: null }, who)
  const ids = data.entries.filter(({ name }) => name.startsWith(state)).map(({ id }) => id)
  const { data: made } = await server.call('files/convert', { ids, format: 'png' }, who)
  const { db } = server.ctx
  await db.update(conversions).set({ state }).where(eq(conversions.id, made.id))
  if (state !== 'failed') return made.id
  const item = { conversionId: made.id, position: 0, fileIds: ids, sourceName: 'a.png' }
  await db.insert(conversionItems).values({ ...item, state })
  return made.id
}

describe('the toolbox', () => {
  it('asks for a signed-in member', async () => {
    expect((await server.call('toolbox/home', {})).data.error).toBe('not_signed_in')
    expect((await use(null)).data.error).toBe('not_signed_in')
  })

  it('keeps favourites, each once, for their member alone', async () => {
    const [who, other] = [await server.signUp(), await server.signUp()]
    await mark(who, true)
    await mark(who, true)
    expect((await homeOf(who)).favourites).toEqual(['viewer'])
    expect((await homeOf(other)).favourites).toEqual([])
    await mark(who, false)
    expect((await homeOf(who)).favourites).toEqual([])
  })

  it('leaves out a favourite and a use of a tool that there is no more', async () => {
    const who = await server.signUp()
    const { db } = server.ctx
    // What an earlier version wrote.
    const gone = { userId: who.userId, tool: 'gone' as 'viewer' }
    await db.insert(toolFavourites).values({ ...gone, markedAt: new Date() })
    await db.insert(toolUses).values({ ...gone, id: 'old', title: '', inputs: {}, usedAt: new Date() })
    expect((await homeOf(who)).favourites).toEqual([])
    expect((await historyOf(who)).uses).toEqual([])
  })

  it('has what queues work on the device for bronze members and up', async () => {
    const [ordinary, bronze] = [await server.signUp(), await server.signUp({ vipLevel: 2 })]
    expect((await homeOf(ordinary)).unavailable).toEqual(['flow', 'predictor'])
    expect((await homeOf(bronze)).unavailable).toEqual([])
    const refused = await server.call('toolbox/predict', { id: 'none' }, ordinary)
    expect(refused.data.error).toBe('application_unavailable')
    expect(refused.message).toBe('Application not available (upgrade membership).')
    const unknown = await server.call('toolbox/predict', { id: 'none' }, bronze)
    expect(unknown.data.error).toBe('run_missing')
    expect((await use(ordinary, { tool: 'predictor' })).data.error).toBe('application_unavailable')
  })
})

describe('the history', () => {
  it('tells newest first what was used on what, in pages, and forgets', async () => {
    const who = await server.signUp()
    const other = await server.signUp()
    for (let k = 0; k < 32; k += 1) {
      server.forward(1)
      await use(who, { title: `table ${k}`, inputs: { file: `id${k}` } })
    }
    const first = await historyOf(who)
    expect(first.uses).toHaveLength(30)
    expect(first.uses[0]).toMatchObject({ tool: 'viewer', title: 'table 31', inputs: { file: 'id31' } })
    const second = await historyOf(who, first.next)
    expect(second.uses.map(({ title }) => title)).toEqual(['table 1', 'table 0'])
    expect(second.next).toBeNull()
    expect((await historyOf(other)).uses).toEqual([])

    const id = first.uses[0]?.id ?? ''
    expect((await server.call('toolbox/forget', { id }, other)).data.error).toBe('missing')
    expect((await server.call('toolbox/forget', { id }, who)).code).toBe(10200)
    expect((await historyOf(who)).uses[0]?.title).toBe('table 30')
    await server.call('toolbox/forget', { id: null }, who)
    expect((await historyOf(who)).uses).toEqual([])
  })

  it('takes ids and choices, no data and no job of somebody else', async () => {
    const who = await server.signUp()
    const large = await use(who, { inputs: { data: 'x'.repeat(20_001) } })
    expect(large.data.error).toBe('invalid')
    const many = await use(who, { inputs: Object.fromEntries([...'abcdefghijklm'].map((key) => [key, ''])) })
    expect(many.data.error).toBe('invalid')
    const jobId = await makeConversion(await server.signUp(), 'waiting')
    expect((await use(who, { tool: 'converter', jobId })).data.error).toBe('missing')
  })
})

describe('how jobs stand', () => {
  it('is told of own ones alone, in the order of the question', async () => {
    const who = await server.signUp()
    const states = ['waiting', 'done', 'failed', 'cancelled'] as const
    const ids: string[] = []
    for (const state of states) ids.push(await makeConversion(who, state))
    const foreign = await makeConversion(await server.signUp(), 'waiting')
    const asked = [ids[2], foreign, 'nothing', ids[0], ids[1], ids[3], ids[2]].map((id) => id ?? '')
    const { data } = await server.call('toolbox/status', { ids: asked }, who)
    expect(data.jobs.map(({ id, state, reason }) => ({ id, state, reason: reason?.name ?? null }))).toEqual([
      { id: ids[2], state: 'failed', reason: 'some_failed' },
      { id: ids[0], state: 'waiting', reason: null },
      { id: ids[1], state: 'done', reason: null },
      { id: ids[3], state: 'failed', reason: 'stopped' },
    ])
    expect((await server.call('toolbox/status', { ids: [] }, who)).data.jobs).toEqual([])
    const many = Array.from({ length: 201 }, () => 'x')
    expect((await server.call('toolbox/status', { ids: many }, who)).data.error).toBe('invalid')
  })

  it('tells of works on folders and of searches for texts, and keeps what they were begun with', async () => {
    const [who, other] = [await server.signUp(), await server.signUp()]
    await upload(server, who, { files: [{ path: 'study/a.png', bytes: Buffer.from('a') }] })
    const folder = (await server.call('files/list', { folderId: null }, who)).data.entries[0]?.id ?? ''
    const asked = { kind: 'rename' as const, folderId: folder, pattern: '{number}' }
    const { data: work } = await server.call('recipes/start', { work: asked, name: 'renamed' }, who)
    const scanId = 'scan-of-somebody'
    const scan = { id: scanId, ownerId: who.userId, sourceIds: [folder], step: 'copy' as const }
    await server.ctx.db
      .insert(textScans)
      .values({ ...scan, state: 'failed', failure: 'ocr_missing', createdAt: new Date() })
    const ids = [work.id, scanId]
    const { data } = await server.call('toolbox/status', { ids }, who)
    expect(data.jobs).toMatchObject([
      { id: work.id, kind: 'preparation', state: 'waiting', reason: null, result: null },
      {
        ...{ id: scanId, kind: 'texts', state: 'failed', reason: { name: 'ocr_missing' } },
        result: { kind: 'texts', id: scanId },
      },
    ])
    expect((await server.call('toolbox/status', { ids }, other)).data.jobs).toEqual([])
    expect((await use(who, { tool: 'prepare', inputs: { folder }, jobId: work.id })).data.jobId).toBe(work.id)
    expect((await use(other, { tool: 'prepare', jobId: work.id })).data.error).toBe('missing')
    await server.call('recipes/cancel', { id: work.id }, who)
    const { data: after } = await server.call('toolbox/status', { ids: [work.id] }, who)
    expect(after.jobs).toMatchObject([{ state: 'failed', reason: { name: 'stopped' } }])
  })
})

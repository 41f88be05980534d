import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeTrainingSet, startQuick } from '../../../test/training.ts'
import { purge } from './recycle.ts'

const DAY = 24 * 60 * 60 * 1000
let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const member = (vipLevel: number) => server.signUp({ password: null, vipLevel })
const create = async (session: Session, name: string): Promise<string> =>
  (await server.call('projects/create', { name, task: 'classification' }, session)).data.id
const recycled = async (session: Session) =>
  (await server.call('projects/recycled', {}, session)).data.projects.map(({ name }) => name)
const isThere = async (id: string) =>
  (await server.ctx.pool.query('select 1 from projects where id = $1', [id])).rowCount === 1

describe('the recycle station of projects', () => {
  it('shows what was removed, last first, and when it is cleared', async () => {
    const owner = await member(2)
    for (const name of ['first', 'second']) {
      const id = await create(owner, name)
      expect((await server.call('projects/remove', { id }, owner)).data.recycleDays).toBe(14)
      server.forward(1000)
    }
    const { data } = await server.call('projects/recycled', {}, owner)
    expect(data.projects.map(({ name }) => name)).toEqual(['second', 'first'])
    expect(data.recycleDays).toBe(14)
    const [{ recycledAt, clearsAt } = { recycledAt: '', clearsAt: '' }] = data.projects
    expect(Date.parse(clearsAt) - Date.parse(recycledAt)).toBe(14 * DAY)
  })

  it('is cleared after the days of the owner’s level, and not before', async () => {
    const [ordinary, silver] = [await member(1), await member(3)]
    const ids = [await create(ordinary, 'seven'), await create(silver, 'thirty')]
    await server.call('projects/remove', { id: ids[0] ?? '' }, ordinary)
    await server.call('projects/remove', { id: ids[1] ?? '' }, silver)
    const there = async () => {
      await purge(server.ctx)
      return Promise.all(ids.map(isThere))
    }
    server.forward(7 * DAY - 60_000)
    expect(await there()).toEqual([true, true])
    server.forward(120_000)
    expect(await there()).toEqual([false, true])
    server.forward(23 * DAY)
    expect(await there()).toEqual([false, false])
  })

  it('keeps what was promised when the level falls', async () => {
    const owner = await member(3)
    const id = await create(owner, 'promised')
    await server.call('projects/remove', { id }, owner)
    await server.ctx.pool.query('update users set vip_level = 1 where id = $1', [owner.userId])
    server.forward(29 * DAY)
    await purge(server.ctx)
    expect(await isThere(id)).toBe(true)
    server.forward(DAY + 1000)
    await purge(server.ctx)
    expect(await isThere(id)).toBe(false)
  })

  it('deletes for good with all trainings, and stops them; data and files stay', async () => {
    const owner = await member(4)
    const set = await makeTrainingSet(server, owner)
    const run = await startQuick(server, owner, { set })
    const id = set.projectId
    await server.call('projects/remove', { id }, owner)
    const { rows } = await server.ctx.pool.query('select state from runs where id = $1', [run.id])
    expect(rows).toEqual([{ state: 'stopped' }])
    const other = await create(owner, 'other')
    await server.call('projects/remove', { id: other }, owner)
    expect((await server.call('projects/purge', { ids: [id] }, owner)).data).toEqual({ purged: 1 })
    expect((await server.call('projects/purge', { ids: [id] }, owner)).data.error).toBe('project_missing')
    expect(await recycled(owner)).toEqual(['other'])
    expect((await server.call('projects/purge', { ids: null }, owner)).data).toEqual({ purged: 1 })
    expect(await recycled(owner)).toEqual([])
    const left = await server.ctx.pool.query('select 1 from runs where project_id = $1', [id])
    expect(left.rowCount).toBe(0)
    const news = await server.ctx.pool.query('select 1 from live_events where topic = $1', [`run:${run.id}`])
    expect(news.rowCount).toBe(0)
    const { data } = await server.call('datasets/list', { projectId: null }, owner)
    expect(data.datasets.map((one) => one.id)).toEqual([set.datasetId])
  })

  it('gives a project back whole or deletes it, when both are asked for at once', async () => {
    const owner = await member(4)
    for (let round = 0; round < 5; round += 1) {
      const id = await create(owner, `round ${round}`)
      await server.call('projects/remove', { id }, owner)
      const [back, gone] = await Promise.all([
        server.call('projects/restore', { id }, owner),
        server.call('projects/purge', { ids: [id] }, owner),
      ])
      expect(await isThere(id)).toBe(back.code === 10200)
      if (back.code === 10200) expect(gone.data.purged ?? 0).toBe(0)
      else expect(back.data.error).toBe('project_missing')
    }
  })
})

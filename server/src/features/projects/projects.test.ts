import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const create = (session: Session | null, name: string) =>
  server.call('projects/create', { name, task: 'classification' }, session)
const names = async (session: Session, search = '') =>
  (await server.call('projects/list', { search }, session)).data.projects.map(({ name }) => name)

describe('projects', () => {
  it('are created, listed newest first, found, renamed', async () => {
    const session = await server.signUp()
    const { data: first } = await create(session, '肺部分类')
    expect(first).toMatchObject({
      task: 'classification',
      visibility: 'private',
      counts: { files: 0, trainSets: 0, testSets: 0, runs: 0, models: 0, displays: 3, reports: 0 },
      lastRun: null,
    })
    await create(session, 'Лёгкие')
    expect(await names(session)).toEqual(['Лёгкие', '肺部分类'])
    expect(await names(session, 'лёг')).toEqual(['Лёгкие'])
    const { data } = await server.call(
      'projects/rename',
      { id: first.id, name: 'Lungs', description: 'X-ray' },
      session,
    )
    expect(data).toMatchObject({ name: 'Lungs', description: 'X-ray' })
    const kept = await server.call('projects/rename', { id: first.id, name: 'Lungs 2' }, session)
    expect(kept.data.description).toBe('X-ray')
  })

  it('have a name of their own among the living ones', async () => {
    const session = await server.signUp()
    const tries = await Promise.all(Array.from({ length: 3 }, () => create(session, 'same')))
    expect(tries.map(({ data, code }) => data.error ?? code).sort()).toEqual([
      10200,
      'name_taken',
      'name_taken',
    ])
    const { data } = await create(session, 'other')
    const clash = await server.call('projects/rename', { id: data.id, name: 'same' }, session)
    expect(clash.data.error).toBe('name_taken')
  })

  it('go to the recycle station and come back, with a number when the name is taken', async () => {
    const session = await server.signUp()
    const { data: first } = await create(session, 'set')
    const removed = await server.call('projects/remove', { id: first.id }, session)
    expect(removed.data).toEqual({ recycleDays: 7 })
    expect((await server.call('projects/detail', { id: first.id }, session)).data.error).toBe(
      'project_missing',
    )
    expect((await server.call('projects/remove', { id: first.id }, session)).data.error).toBe(
      'project_missing',
    )
    await create(session, 'set')
    const { data } = await server.call('projects/restore', { id: first.id }, session)
    expect(data.name).toBe('set (2)')
  })

  it('are three at most for an ordinary member, however they come', async () => {
    const session = await server.signUp({ vipLevel: 1 })
    const tries = await Promise.all(Array.from({ length: 8 }, (_, n) => create(session, `project ${n}`)))
    const made = tries.filter(({ code }) => code === 10200)
    expect(made).toHaveLength(3)
    expect(tries.find(({ code }) => code !== 10200)?.data).toMatchObject({
      error: 'plan_limit',
      params: { limit: 3 },
    })
    const id = made[0]?.data.id ?? ''
    await server.call('projects/remove', { id }, session)
    await create(session, 'another')
    expect((await server.call('projects/restore', { id }, session)).data.error).toBe('plan_limit')
  })

  it('have no limit for a super member', async () => {
    const session = await server.signUp({ vipSuper: 1 })
    for (let number = 0; number < 5; number += 1)
      expect((await create(session, String(number))).code).toBe(10200)
    expect((await server.call('projects/list', {}, session)).data.limit).toBeNull()
  })

  it('are missing for strangers and refused to everybody who is not signed in', async () => {
    const [owner, stranger] = [await server.signUp(), await server.signUp()]
    const { data } = await create(owner, 'private')
    for (const path of ['projects/detail', 'projects/remove', 'projects/restore'] as const) {
      expect((await server.call(path, { id: data.id }, stranger)).data.error).toBe('project_missing')
    }
    const renamed = await server.call('projects/rename', { id: data.id, name: 'mine' }, stranger)
    expect(renamed.data.error).toBe('project_missing')
    expect(await names(owner)).toEqual(['private'])
    expect((await create(null, 'x')).data.error).toBe('not_signed_in')
  })

  it.each([{ name: '' }, { name: 'x'.repeat(101) }, { name: 'x', task: 'weather' }])(
    'refuse %j',
    async (body) => {
      const session = await server.signUp()
      // Deliberately not what the contract allows.
      const wrong = { task: 'classification', ...body } as { name: string; task: 'classification' }
      expect((await server.call('projects/create', wrong, session)).data.error).toBe('invalid')
    },
  )
})

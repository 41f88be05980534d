/** Ways by which data sets and models reach another account, each counted against the level of whose they are. */
import type { Body } from '@neuroloom/contract/calls'
import { planLimits, sharing } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from './harness.ts'
import { insist, makeFolder, put } from './sharing.ts'
import { makeTrainingSet } from './training.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

type Member = Session & { account: string }
const member = (vipLevel = 2): Promise<Member> => server.signUp({ password: null, vipLevel })
const LIMIT = planLimits({ vipLevel: 2, vipSuper: 0 }).sharedDatasets ?? 0

let count = 0
const unique = (): string => {
  count += 1
  return `Name ${count}`
}
const makeProject = async (owner: Session): Promise<string> =>
  (await server.call('projects/create', { name: unique(), task: 'classification' }, owner)).data.id
const recognise = (who: Session, projectId: string, folderId: string) =>
  server.call('datasets/recognise', { projectId, folderId }, who)
const makeData = async (owner: Session, projectId: string) => {
  const folderId = await makeFolder(server, owner, unique(), await topOf(owner))
  const { data, code } = await recognise(owner, projectId, folderId)
  expect(code).toBe(10200)
  return { id: data.id, folderId }
}
/** The level counts folders at the top. */
const tops = new Map<string, Promise<string>>()
const topOf = (owner: Session): Promise<string> => {
  const top = tops.get(owner.userId) ?? makeFolder(server, owner, 'data')
  tops.set(owner.userId, top)
  return top
}
/** A project with so many data sets, its owner's alone. */
const makeFull = async (owner: Session, sets = 1) => {
  const id = await makeProject(owner)
  const data = []
  for (let number = 0; number < sets; number += 1) data.push(await makeData(owner, id))
  return { id, data }
}
const publish = (owner: Session, id: string) =>
  server.call('projects/setPublic', { id, isPublic: true }, owner)
const hide = (owner: Session, id: string) => server.call('projects/setPublic', { id, isPublic: false }, owner)
const share = (owner: Session, id: string, { account }: Member, permission: 'view' | 'edit' = 'view') =>
  server.call('projects/share', { id, account, permission }, owner)
const give = (owner: Session, id: string, { account }: Member) =>
  server.call('files/share', { id, account, permission: 'view' }, owner)
const usedBy = async (owner: Session) => (await server.call('plans/shared', {}, owner)).data.datasets.used
const refusal = { error: 'shared_datasets_limit', params: { used: LIMIT, total: LIMIT + 1, limit: LIMIT } }

/** What makes a thing leave that had not left; `done` = the code of the answer. */
type Way = {
  name: string
  prepare: (owner: Session, friend: Member) => Promise<() => Promise<{ data: object }>>
}

const ways: Way[] = [
  {
    name: 'a project is shared',
    prepare: async (owner, friend) => {
      const { id } = await makeFull(owner)
      return () => share(owner, id, friend)
    },
  },
  {
    name: 'a project becomes public',
    prepare: async (owner) => {
      const { id } = await makeFull(owner)
      return () => publish(owner, id)
    },
  },
  {
    name: 'a folder is recognised in a project that others see',
    prepare: async (owner, friend) => {
      const id = await makeProject(owner)
      await share(owner, id, friend)
      const folderId = await makeFolder(server, owner, unique(), await topOf(owner))
      return () => recognise(owner, id, folderId)
    },
  },
  {
    name: 'a data set is added to a public project',
    prepare: async (owner) => {
      const from = await makeFull(owner)
      const projectId = await makeProject(owner)
      await publish(owner, projectId)
      const id = from.data[0]?.id ?? ''
      return () => server.call('datasets/add', { id, projectId }, owner)
    },
  },
  {
    name: 'an editor brings data into somebody else’s project',
    prepare: async (owner, friend) => {
      const projectId = await makeProject(friend)
      const given = await server.call(
        'projects/share',
        { id: projectId, account: await accountOf(owner), permission: 'edit' },
        friend,
      )
      expect(given.code).toBe(10200)
      const folderId = await makeFolder(server, owner, unique(), await topOf(owner))
      return () => recognise(owner, projectId, folderId)
    },
  },
  {
    name: 'a folder is shared',
    prepare: async (owner, friend) => {
      const id = await makeFolder(server, owner, unique(), await topOf(owner))
      return () => give(owner, id, friend)
    },
  },
  {
    name: 'a link is made',
    prepare: async (owner) => {
      const id = await makeFolder(server, owner, unique(), await topOf(owner))
      return () => server.call('files/createLink', { id, days: 1 }, owner)
    },
  },
  {
    name: 'a group gets a folder',
    prepare: async (owner) => {
      const id = await makeFolder(server, owner, unique(), await topOf(owner))
      const { data: group } = await server.call('files/createGroup', { name: unique() }, owner)
      return () =>
        server.call('files/giveToGroup', { groupId: group.id, ids: [id], permission: 'view' }, owner)
    },
  },
]

describe('a data set leaves', () => {
  it.each(ways)('when $name, and not beyond the level', async ({ prepare }) => {
    const [owner, friend] = [await member(), await member()]
    const act = await prepare(owner, friend)
    const other = await makeFull(owner, LIMIT - 1)
    await publish(owner, other.id)
    const more = await makeFull(owner)
    expect(await usedBy(owner)).toBe(LIMIT - 1)
    // First the one thing too many, then the very deed.
    await publish(owner, more.id)
    expect((await act()).data).toMatchObject(refusal)
    await hide(owner, more.id)
    expect((await act()).data).not.toHaveProperty('error')
    expect(await usedBy(owner)).toBe(LIMIT)
    expect((await publish(owner, more.id)).data).toMatchObject(refusal)
  })

  it('not at all where the level shares none, and the sentence says which level and what helps', async () => {
    const [owner, friend] = [await member(1), await member()]
    const { id } = await makeFull(owner)
    const answer = await share(owner, id, friend)
    expect(answer.data).toMatchObject({
      error: 'shared_datasets_limit',
      params: { limit: 0, used: 0, level: 1 },
    })
    expect(answer.message).toContain('(ordinary)')
    expect(answer.message).toContain('upgrade')
    expect((await publish(owner, id)).data).toMatchObject({ error: 'shared_datasets_limit' })
    expect((await server.call('projects/detail', { id }, friend)).data.error).toBe('project_missing')
  })

  it('once, whatever ways it takes', async () => {
    const [owner, friend, other] = [await member(), await member(), await member()]
    const { id, data } = await makeFull(owner)
    const { id: dataId = '', folderId = '' } = data[0] ?? {}
    await publish(owner, id)
    await share(owner, id, friend)
    await share(owner, id, other)
    await give(owner, folderId, friend)
    await server.call('files/createLink', { id: folderId, days: 1 }, owner)
    const second = await makeProject(owner)
    await server.call('datasets/add', { id: dataId, projectId: second }, owner)
    await publish(owner, second)
    const third = await makeProject(owner)
    // Found anew in the same folder: the same data.
    expect((await recognise(owner, third, folderId)).code).toBe(10200)
    await publish(owner, third)
    expect(await usedBy(owner)).toBe(1)
  })

  it('no more than the level allows, however many projects are given at once', async () => {
    const [owner, friend] = [await member(), await member()]
    const kept = await makeFull(owner, LIMIT - 1)
    await publish(owner, kept.id)
    const projects = []
    for (let number = 0; number < 4; number += 1) projects.push(await makeFull(owner))
    const tries = await Promise.all(
      projects.map(({ id }, index) =>
        insist(() => (index % 2 === 0 ? publish(owner, id) : share(owner, id, friend))),
      ),
    )
    expect(tries.filter(({ code }) => code === 10200)).toHaveLength(1)
    expect(await usedBy(owner)).toBe(LIMIT)
  })

  it('never by a copy, which takes own data alone and is nobody else’s', async () => {
    const [owner, friend] = [await member(), await member()]
    const { id } = await makeFull(owner, LIMIT)
    await publish(owner, id)
    const copied = await server.call('projects/copy', { id, name: unique() }, friend)
    expect(copied.data).toMatchObject({ leftOut: LIMIT })
    expect((await server.call('projects/copy', { id, name: unique() }, owner)).code).toBe(10200)
    expect([await usedBy(owner), await usedBy(friend)]).toEqual([LIMIT, 0])
  })

  it('until its project is removed for good, so that one that comes back fits', async () => {
    const owner = await member()
    const [first, second] = [await makeFull(owner, LIMIT), await makeFull(owner)]
    await publish(owner, first.id)
    await server.call('projects/remove', { id: first.id }, owner)
    expect((await publish(owner, second.id)).data).toMatchObject(refusal)
    expect((await server.call('projects/restore', { id: first.id }, owner)).data.visibility).toBe('public')
    await server.call('projects/remove', { id: first.id }, owner)
    await server.call('projects/purge', { ids: [first.id] }, owner)
    expect((await publish(owner, second.id)).code).toBe(10200)
  })

  it('anew when its folder holds other files', async () => {
    const owner = await member()
    const { id, data } = await makeFull(owner)
    const { id: dataId = '', folderId = '' } = data[0] ?? {}
    const second = await makeProject(owner)
    const again = await recognise(owner, second, folderId)
    await server.ctx.pool.query(
      `update datasets set state = 'failed', failure = 'internal', checked_at = now() where owner_id = $1`,
      [owner.userId],
    )
    for (const one of [id, second]) await publish(owner, one)
    const more = await makeFull(owner, LIMIT - 1)
    await publish(owner, more.id)
    expect(await usedBy(owner)).toBe(LIMIT)
    await put(server, owner, { parentId: folderId, name: 'new.txt', bytes: Buffer.from('new') })
    expect((await server.call('datasets/recheck', { id: dataId }, owner)).data).toMatchObject(refusal)
    expect((await server.call('datasets/detail', { id: again.data.id }, owner)).data.state).toBe('failed')
  })
})

describe('a level that falls', () => {
  const setLevel = (owner: Session, level: number, valid: Date | null = null) =>
    server.ctx.pool.query('update users set vip_level = $2, vip_valid = $3 where id = $1', [
      owner.userId,
      level,
      valid,
    ])

  it('takes nothing away; the newest things beyond it go to nobody else', async () => {
    const [owner, friend, other] = [await member(4), await member(), await member()]
    const projects = []
    for (let number = 0; number < 4; number += 1) {
      const project = await makeFull(owner)
      await share(owner, project.id, friend)
      projects.push(project.id)
    }
    await setLevel(owner, 2)
    server.forward(sharing.freshMs)
    for (const id of projects) expect((await server.call('projects/detail', { id }, friend)).code).toBe(10200)
    const [first = '', second = '', third = '', fourth = ''] = projects
    for (const id of [first, second]) expect((await share(owner, id, other)).code).toBe(10200)
    for (const id of [third, fourth]) {
      expect((await share(owner, id, other)).data).toMatchObject({ error: 'shared_datasets_limit' })
      expect((await publish(owner, id)).data).toMatchObject({ error: 'shared_datasets_limit' })
    }
  })

  it('falls by itself at the end of what was given', async () => {
    const [owner, friend] = [await member(4), await member()]
    const { id } = await makeFull(owner)
    const limitOf = async () => (await server.call('plans/shared', {}, owner)).data.datasets.limit
    await setLevel(owner, 4, new Date(server.ctx.now().getTime() + 60_000))
    expect(await limitOf()).toBe(8)
    await setLevel(owner, 4, new Date(server.ctx.now().getTime() - 1))
    // The form was never filled in: a visitor.
    expect((await server.call('user/info', {}, owner)).data.vipLevel).toBe(0)
    expect((await share(owner, id, friend)).data).toMatchObject({ error: 'upgrade_needed' })
    await server.ctx.pool.query('update users set type = 1 where id = $1', [owner.userId])
    expect((await server.call('user/info', {}, owner)).data.vipLevel).toBe(1)
    expect(await limitOf()).toBe(0)
  })
})

describe('a trained model leaves', () => {
  const start = (who: Session, set: { projectId: string; parts: string[] }) => {
    const body: Body<'runs/start'> = { ...set, network: 'small_resnet', force: true }
    return insist(() => server.call('runs/start', body, who))
  }
  const modelsOf = async (owner: Session) => (await server.call('plans/shared', {}, owner)).data.models

  it('by the project it was trained in, whoever trains, and not beyond the owner’s level', async () => {
    const [owner, editor] = [await member(2), await member(4)]
    const { projectId, parts } = await makeTrainingSet(server, owner, { items: 60 })
    const set = { projectId, parts }
    expect((await start(owner, set)).code).toBe(10200)
    expect(await modelsOf(owner)).toEqual({ used: 0, limit: 2 })
    expect((await share(owner, projectId, editor, 'edit')).code).toBe(10200)
    const tries = await Promise.all([editor, owner].map((who) => start(who, set)))
    expect(tries.map(({ data, code }) => data.error ?? code).sort()).toEqual([10200, 'shared_models_limit'])
    expect(await modelsOf(owner)).toEqual({ used: 2, limit: 2 })
    // Given up before it began, it is nobody's.
    const waiting = (await server.call('runs/list', { projectId }, owner)).data.runs[0]?.id ?? ''
    await server.call('runs/stop', { id: waiting }, owner)
    expect(await modelsOf(owner)).toEqual({ used: 1, limit: 2 })
    expect((await server.call('runs/rerun', { id: waiting }, editor)).code).toBe(10200)
    expect((await server.call('runs/rerun', { id: waiting }, editor)).data).toMatchObject({
      error: 'shared_models_limit',
      params: { used: 2, total: 3, limit: 2, level: 2 },
    })
  })

  it('not from a level that shares none', async () => {
    const [owner, friend] = [await member(4), await member()]
    const { projectId, parts } = await makeTrainingSet(server, owner, { items: 60 })
    await start(owner, { projectId, parts })
    await server.call('datasets/remove', { id: await dataOf(owner), projectId }, owner)
    await server.ctx.pool.query('update users set vip_level = 1 where id = $1', [owner.userId])
    expect((await share(owner, projectId, friend)).data).toMatchObject({ error: 'shared_models_limit' })
    expect((await publish(owner, projectId)).data).toMatchObject({ error: 'shared_models_limit' })
  })
})

describe('a hospital’s own server', () => {
  it('knows no limits of sharing', async () => {
    const own = await makeServer({ deployment: 'private' })
    try {
      const owner = await own.signUp({ password: null, vipLevel: 0 })
      expect((await own.call('plans/shared', {}, owner)).data).toEqual({
        datasets: { used: 0, limit: null },
        models: { used: 0, limit: null },
      })
    } finally {
      await own.close()
    }
  })
})

const accountOf = async ({ userId }: Session): Promise<string> => {
  const { rows } = await server.ctx.pool.query<{ email: string }>(
    'select email_key as email from users where id = $1',
    [userId],
  )
  return rows[0]?.email ?? ''
}
const dataOf = async (owner: Session): Promise<string> =>
  (await server.call('datasets/list', { projectId: null }, owner)).data.datasets[0]?.id ?? ''

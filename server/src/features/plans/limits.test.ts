import { planLimits, planTable } from '@neuroloom/contract/limits'
import { countedLimits } from '@neuroloom/contract/membership/counted'
import { planOverridesSchema, planTableWith } from '@neuroloom/contract/plans'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeFolder } from '../../../test/sharing.ts'
import { makeTrainingSet } from '../../../test/training.ts'
import { soonestCleared } from './service.ts'

const table = planTableWith(
  planOverridesSchema.parse({
    bronze: {
      ...{ projects: 2, topFolders: 2, storageBytes: 1_000_000, trainedModels: 1 },
      ...{ sharedDatasets: 1, sharedModels: 1, dataGroups: 1, chatGroups: 1, recycleDays: 3 },
    },
    gold: { projects: null },
  }),
)

let server: TestServer
beforeAll(async () => {
  server = await makeServer({ limits: table })
})
afterAll(() => server.close())

const member = (vipLevel = 2) => server.signUp({ vipLevel })
const countsOf = async (who: Session) =>
  Object.fromEntries(
    (await server.call('plans/used', {}, who)).data.limits.map(({ name, used, limit }) => [
      name,
      [used, limit],
    ]),
  )
const prepare = (who: Session, sizeBytes: number, parentId: string | null = null) =>
  server.call('files/prepare', { parentId, sameName: 'rename', files: [{ path: 'a.bin', sizeBytes }] }, who)

describe('the operator’s limits', () => {
  it('are kept, said in the refusal and shown beside the list', async () => {
    const who = await member()
    const create = (name: string) => server.call('projects/create', { name, task: 'classification' }, who)
    for (const name of ['One', 'Two']) expect((await create(name)).code).toBe(10200)
    expect((await create('Three')).data).toMatchObject({ error: 'plan_limit', params: { limit: 2 } })
    const { data } = await server.call('projects/list', { tab: 'all', search: '' }, who)
    expect([data.own, data.limit]).toEqual([2, 2])
  })

  it('of storage are those that uploads are measured by', async () => {
    const who = await member()
    expect((await server.call('user/size', {}, who)).data.storageLimit).toBe(1_000_000)
    expect((await prepare(who, 1_000_001)).data).toMatchObject({
      error: 'storage_full',
      params: { limitBytes: 1_000_000 },
    })
    expect((await prepare(who, 1_000_000)).code).toBe(10200)
  })

  it('leave alone what they do not name, and may take a limit away', async () => {
    expect((await countsOf(await member(1))).projects).toEqual([0, planTable[0].projects])
    expect((await countsOf(await member(4))).projects).toEqual([0, null])
  })

  it('decide how soon something may be cleared: by the level that keeps it shortest', () => {
    const days = (server.ctx.now().getTime() - soonestCleared(server.ctx).getTime()) / 86_400_000
    expect(days).toBeCloseTo(3)
  })
})

describe('what the levels allow', () => {
  it('is told to everybody, as it holds on this server', async () => {
    const { data } = await server.call('plans/limits', {})
    expect(data.levels).toEqual([1, 2, 3, 4].map((vipLevel) => planLimits({ vipLevel, vipSuper: 0 }, table)))
    expect(data.levels[1]).toMatchObject({ projects: 2, shareAccounts: 10 })
  })

  it('is nothing on a hospital’s own server', async () => {
    const own = await makeServer({ deployment: 'private', limits: table })
    try {
      expect((await own.call('plans/limits', {})).data).toEqual({ levels: [] })
      const who = await own.signUp({ vipLevel: 2 })
      const { limits } = (await own.call('plans/used', {}, who)).data
      expect(limits.map(({ limit }) => limit)).toEqual(countedLimits.map(() => null))
    } finally {
      await own.close()
    }
  })
})

describe('what is used', () => {
  it('is nothing for a new member, each against the limit of the level', async () => {
    expect(await countsOf(await member())).toEqual({
      projects: [0, 2],
      topFolders: [0, 2],
      storageBytes: [0, 1_000_000],
      trainedModels: [0, 1],
      sharedDatasets: [0, 1],
      sharedModels: [0, 1],
      dataGroups: [0, 1],
      chatGroups: [0, 1],
    })
  })

  it('is told to members alone, and of single limits where these are asked for', async () => {
    expect((await server.call('plans/used', {})).data.error).toBe('not_signed_in')
    const who = await member()
    const asked = await server.call('plans/used', { names: ['projects'] }, who)
    expect(asked.data.limits).toEqual([{ name: 'projects', used: 0, limit: 2 }])
  })

  it('is at its limit exactly when the next one is refused', async () => {
    const [who, friend] = [await member(), await member()]
    const { projectId, parts } = await makeTrainingSet(server, who, { items: 60 })
    await server.call('projects/create', { name: 'Second', task: 'classification' }, who)
    await makeFolder(server, who, 'second')
    const train = () =>
      server.call('runs/start', { projectId, parts, network: 'small_resnet', force: true }, who)
    const found = () => server.call('files/createGroup', { name: 'Ward' }, who)
    const share = (id: string) =>
      server.call('files/share', { id, account: friend.account, permission: 'view' }, who)
    expect((await train()).code).toBe(10200)
    expect((await found()).code).toBe(10200)
    const foundChatGroup = () => server.call('social/createGroup', { name: 'Ward' }, who)
    expect((await foundChatGroup()).code).toBe(10200)
    expect(
      (
        await server.call(
          'projects/share',
          { id: projectId, account: friend.account, permission: 'view' },
          who,
        )
      ).code,
    ).toBe(10200)

    const { storageBytes, ...counts } = await countsOf(who)
    const both = await server.call('plans/shared', {}, who)
    expect([both.data.datasets.used, both.data.models.used]).toEqual([1, 1])
    expect(counts).toEqual({
      projects: [2, 2],
      topFolders: [2, 2],
      trainedModels: [1, 1],
      sharedDatasets: [1, 1],
      sharedModels: [1, 1],
      dataGroups: [1, 1],
      chatGroups: [1, 1],
    })
    const refused = { error: 'plan_limit' }
    const third = await server.call('projects/create', { name: 'Third', task: 'classification' }, who)
    expect(third.data).toMatchObject({ ...refused, params: { limit: 2 } })
    const folder = await server.call('files/createFolder', { parentId: null, name: 'third' }, who)
    expect(folder.data).toMatchObject({ ...refused, params: { limit: 2 } })
    expect((await found()).data).toMatchObject({ ...refused, params: { limit: 1 } })
    expect((await foundChatGroup()).data).toMatchObject({ ...refused, params: { limit: 1 } })
    const again = await train()
    expect(again.data.error).toMatch(/^(plan_limit|shared_models_limit)$/)
    const { data } = await server.call('files/list', { folderId: null }, who)
    const other = data.entries.find(({ name }) => name === 'second')?.id ?? ''
    expect((await share(other)).data).toMatchObject({ error: 'shared_datasets_limit' })

    // With an upload under way, whose room is set aside, too.
    const used = storageBytes?.[0] ?? 0
    const rest = 1_000_000 - used
    expect(used).toBeGreaterThan(0)
    expect((await prepare(who, rest + 1, other)).data).toMatchObject({ error: 'storage_full' })
    expect((await prepare(who, rest, other)).code).toBe(10200)
    expect((await countsOf(who)).storageBytes).toEqual([1_000_000, 1_000_000])
  })
})

import { roles } from '@neuroloom/contract/accounts/roles'
import { planTable } from '@neuroloom/contract/limits'
import { planOverridesSchema, planTableWith } from '@neuroloom/contract/plans'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'

/** Of the operator's file. */
const base = planTableWith(planOverridesSchema.parse({ bronze: { projects: 1 } }))
let server: TestServer
let boss: Session
beforeAll(async () => {
  server = await makeServer({ limits: base })
  boss = await server.signUp({ role: roles.administrator })
})
afterAll(() => server.close())

const overridesOf = (given: object) => planOverridesSchema.parse(given)
const change = (overrides: object, version: number) =>
  server.call('plans/change', { overrides: overridesOf(overrides), version }, boss)
const bronze = async () => (await server.call('plans/limits', {})).data.levels[1]

describe('limits that administrators set', () => {
  it('count at once, over the operator’s file, and go back to it where they are left out', async () => {
    const who = await server.signUp({ vipLevel: 2 })
    const create = async (name: string) =>
      (await server.call('projects/create', { name, task: 'classification' }, who)).data
    await create('One')
    expect(await create('Two')).toMatchObject({ error: 'plan_limit', params: { limit: 1 } })
    const { data: before } = await server.call('plans/office', {}, boss)
    expect(before).toMatchObject({ version: 0, changedAt: null, levels: { bronze: { projects: 1 } } })
    const { data } = await change({ bronze: { projects: 2, storageBytes: null } }, 0)
    expect(data).toMatchObject({ version: 1, overrides: { bronze: { projects: 2, storageBytes: null } } })
    expect(await bronze()).toMatchObject({
      projects: 2,
      storageBytes: null,
      topFolders: planTable[1].topFolders,
    })
    expect((await create('Two')).error).toBeUndefined()
    expect((await create('Three')).error).toBe('plan_limit')
    await change({}, 1)
    expect(await bronze()).toMatchObject({ projects: 1, storageBytes: planTable[1].storageBytes })
  })

  it('reach every other process', async () => {
    const { databaseUrl } = server.ctx.config
    const other = await makeServer({ limits: base, ...(databaseUrl ? { databaseUrl } : {}) })
    const { version } = (await server.call('plans/office', {}, boss)).data
    await change({ gold: { recycleDays: 5 } }, version)
    await expect.poll(() => other.ctx.planLimits.table()[3].recycleDays).toBe(5)
    await other.close()
  })

  it('are never written over unseen, and each change is written down with what was before', async () => {
    const { version } = (await server.call('plans/office', {}, boss)).data
    const both = await Promise.all([
      change({ silver: { projects: 7 } }, version),
      change({ silver: { projects: 8 } }, version),
    ])
    expect(both.map(({ data }) => data.error ?? 'changed').sort()).toEqual(['changed', 'limits_changed'])
    const { rows } = await server.ctx.pool.query(
      `select actor, after from audit_events where action = 'limits.change' order by id desc limit 1`,
    )
    expect(rows[0]?.actor).toBe(boss.userId)
    expect([7, 8]).toContain(rows[0]?.after['silver.projects'])
  })

  it('that are none are refused, as is everybody but administrators', async () => {
    const raw = (overrides: object, who: Session) =>
      // What no page would send.
      server.call('plans/change', { overrides, version: 0 } as never, who)
    const wrong = [
      { bronze: { projects: -1 } },
      { gold: { recycleDays: null } },
      { platinum: {} },
      { gold: { shoes: 1 } },
    ]
    for (const overrides of wrong)
      expect((await raw(overrides, boss)).code, JSON.stringify(overrides)).toBe(10422)
    const member = await server.signUp()
    expect((await raw({}, member)).code).toBe(10403)
    expect((await server.call('plans/office', {}, member)).code).toBe(10403)
  })
})

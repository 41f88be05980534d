import { planLimits, planTable } from '@neuroloom/contract/limits'
import { countedLimits, isNearlyFull } from '@neuroloom/contract/membership/counted'
import { planOverridesSchema, planTableWith } from '@neuroloom/contract/plans'
import { expect, it } from 'vitest'

const overridden = (said: unknown) => planTableWith(planOverridesSchema.parse(said))

it('without a word of the operator the table is the product’s own', () => {
  expect(overridden({})).toEqual(planTable)
})

it('takes what is said in place of the product’s number, null for no limit', () => {
  const table = overridden({ silver: { projects: null, dataGroups: 0 } })
  const silver = { vipLevel: 3, vipSuper: 0 }
  expect(planLimits(silver, table)).toEqual({ ...planLimits(silver), projects: null, dataGroups: 0 })
  expect(table.toSpliced(2, 1)).toEqual(planTable.toSpliced(2, 1))
})

it.each([-1, 0])('a visitor (level %i) has the first row of the table, and shares nothing', (vipLevel) => {
  const none = { sharedDatasets: 0, sharedModels: 0, shareAccounts: 0, dataGroups: 0, chatGroups: 0 }
  expect(planLimits({ vipLevel, vipSuper: 0 })).toEqual({ ...planTable[0], ...none })
})

it.each([1, 2, 3, 4, 5])('level %i has the row of the table nearest to it', (vipLevel) => {
  const row = Math.min(Math.max(vipLevel, 1), 4) - 1
  expect(planLimits({ vipLevel, vipSuper: 0 })).toEqual(planTable[row])
})

it('super members have no limits and keep what they remove as long as gold members', () => {
  const { recycleDays, ...quotas } = planLimits(
    { vipLevel: 1, vipSuper: 1 },
    overridden({ gold: { recycleDays: 365 } }),
  )
  expect(recycleDays).toBe(365)
  expect(new Set(Object.values(quotas))).toEqual(new Set([null]))
  expect(planLimits({ vipLevel: 0, vipSuper: 1 }).recycleDays).toBe(90)
})

it.each([
  { wooden: {} },
  { gold: { project: 1 } },
  { gold: { projects: -1 } },
  { gold: { projects: 1.5 } },
  { gold: { projects: 2 ** 53 } },
  { gold: { recycleDays: null } },
])('refuses %j', (said) => {
  expect(planOverridesSchema.safeParse(said).success).toBe(false)
})

it.each([
  [79, false],
  [80, true],
  [100, true],
  [101, true],
])('%i of 100 is nearly full: %s', (used, is) => {
  expect(isNearlyFull(used, 100)).toBe(is)
})

it('counts nothing that has no limit', () => {
  for (const name of countedLimits) expect(planTable[0]).toHaveProperty(name)
})

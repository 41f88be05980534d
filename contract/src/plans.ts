/** Membership: what its levels allow on a server, what a member uses of it, and what of that is shared with others. */
import * as z from 'zod'
import { type PlanLimits, type PlanTable, planTable } from './limits.ts'
import { countedLimits } from './membership/counted.ts'
import { route } from './route.ts'

const sharedCount = z.object({ used: z.int(), limit: z.int().nullable() })

const quotaText = 'a whole number from 0 on, or null for no limit'
const quota = z.int(quotaText).min(0, quotaText).nullable()
const daysText = 'a whole number of days from 1 to 36500'

const planLimitsSchema = z.strictObject({
  sharedDatasets: quota,
  sharedModels: quota,
  trainedModels: quota,
  storageBytes: quota,
  // What is removed must go one day: a hundred years at the latest.
  recycleDays: z.int(daysText).min(1, daysText).max(36_500, daysText),
  projects: quota,
  topFolders: quota,
  dataGroups: quota,
  chatGroups: quota,
  shareAccounts: quota,
}) satisfies z.ZodType<PlanLimits>

const ownLimits = planLimitsSchema.partial().default({})
/** What the operator of a server says otherwise than the product, by level and limit. */
export const planOverridesSchema = z.strictObject({
  ordinary: ownLimits,
  bronze: ownLimits,
  silver: ownLimits,
  gold: ownLimits,
})

export type PlanOverrides = z.infer<typeof planOverridesSchema>

/** The table that holds on a server. */
export function planTableWith(
  { ordinary, bronze, silver, gold }: PlanOverrides,
  base: PlanTable = planTable,
): PlanTable {
  const [first, second, third, fourth] = base
  return planTableSchema.parse([
    { ...first, ...ordinary },
    { ...second, ...bronze },
    { ...third, ...silver },
    { ...fourth, ...gold },
  ])
}

const planTableSchema = z.tuple([planLimitsSchema, planLimitsSchema, planLimitsSchema, planLimitsSchema])

const version = z.int().min(0).max(1_000_000_000)
const officeSchema = z.object({
  /** What holds without the back-office: the product's limits and those of the operator's file. */
  levels: z.object({
    ordinary: planLimitsSchema,
    bronze: planLimitsSchema,
    silver: planLimitsSchema,
    gold: planLimitsSchema,
  }),
  overrides: planOverridesSchema,
  version: z.int(),
  changedAt: z.iso.datetime().nullable(),
})

export const planCalls = {
  'plans/office': route({
    summary: 'Limits of the levels, and which of them administrators have set; for administrators',
    request: z.object({}),
    response: officeSchema,
    errors: [],
  }),
  'plans/change': route({
    summary: 'Set limits of the levels; those that are left out go back. For administrators',
    request: z.object({
      overrides: planOverridesSchema,
      /** Of the limits that the page showed. */
      version,
    }),
    response: officeSchema,
    errors: ['limits_changed'],
  }),
  'plans/limits': route({
    summary:
      'What the levels 1 (ordinary) to 4 (gold) allow on this server; none on a hospital’s own, which has no levels; null = without limit',
    request: z.object({}),
    response: z.object({ levels: z.union([planTableSchema, z.tuple([])]) }),
    errors: [],
  }),
  'plans/used': route({
    summary:
      'How much of each limit of the level is used, or of some; counted as where it is kept; null = without limit',
    request: z.object({
      names: z
        .array(z.enum(countedLimits))
        .max(countedLimits.length)
        .default([...countedLimits]),
    }),
    response: z.object({
      limits: z.array(
        z.object({ name: z.enum(countedLimits), used: z.int().min(0), limit: z.int().nullable() }),
      ),
    }),
    errors: [],
  }),
  'plans/shared': route({
    summary: 'How many of the own data sets and models others have, and how many may be; null = any number',
    request: z.object({}),
    response: z.object({ datasets: sharedCount, models: sharedCount }),
    errors: [],
  }),
}

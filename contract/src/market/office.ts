/** Demands as administrators see them, and disputes that they decide. */
import * as z from 'zod'
import { market as limits } from '../limits.ts'
import { route } from '../route.ts'
import { demandSchema, marketIdSchema as id, wordsSchema } from './demand.ts'
import { demandStates } from './states.ts'

export const officeDemandSchema = demandSchema.omit({ may: true, isOwn: true, hasOffered: true }).extend({
  ownerAccount: z.string(),
  providerAccount: z.string(),
  /** The viewer takes part: nobody is the judge of an own case. */
  isParty: z.boolean(),
})
export type OfficeDemand = z.infer<typeof officeDemandSchema>

export const marketOfficeCalls = {
  'office/demands': route({
    summary: 'One page of the demands of members; for administrators, as all calls here',
    request: z.object({
      state: z.enum(demandStates).nullable().default('disputed'),
      page: z.int().min(1).max(100_000).default(1),
    }),
    response: z.object({ demands: z.array(officeDemandSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'office/dispute': route({
    summary: 'Decide a dispute: what of the held money the provider gets; the rest goes back to the customer',
    request: z.object({ id, providerFen: z.int().min(0).max(limits.mostFen), reason: wordsSchema }),
    response: officeDemandSchema,
    errors: ['demand_missing', 'demand_state', 'split_too_much', 'not_found'],
  }),
}

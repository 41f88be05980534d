/** The own online shop: putting a trained model into the shop, and what came of it; and what administrators decide. */
import * as z from 'zod'
import { shop as limits } from '../limits.ts'
import { orderNoSchema } from '../membership/orders.ts'
import { route } from '../route.ts'
import { taskSchema } from '../task-schema.ts'
import {
  aboutSchema,
  claimSchema,
  listingIdSchema as id,
  listingCardSchema,
  listingSchema,
} from './listing.ts'
import { checkRefusals, claimStates, listingStates, saleStates } from './words.ts'

const page = z.int().min(1).max(100_000).default(1)
const note = z.string().trim().max(limits.lineLength).default('')

/** A test of an own training: what it measured is what the platform will measure again. */
export const candidateSchema = z.object({
  testId: z.string(),
  runId: z.string(),
  runNumber: z.int(),
  testNumber: z.int(),
  project: z.string(),
  task: taskSchema,
  network: z.object({ id: z.string(), isOwn: z.boolean(), name: z.string() }),
  datasetName: z.string(),
  score: z.number(),
  items: z.int(),
  endedAt: z.iso.datetime(),
  /** A model that was bought cannot be sold again, nor one that began with it where the licence forbids it. */
  isBlocked: z.boolean(),
})
export type Candidate = z.infer<typeof candidateSchema>

export const ownListingSchema = listingCardSchema.extend({
  state: z.enum(listingStates),
  version: z.int(),
  refusal: z.enum(checkRefusals).nullable(),
  banReason: z.string(),
  /** Sales that stand: how many, and what the seller gets of them, recorded or held. */
  sold: z.object({ count: z.int(), fen: z.int(), points: z.int() }),
  openClaims: z.int(),
})
export type OwnListing = z.infer<typeof ownListingSchema>

export const saleSchema = z.object({
  orderNo: orderNoSchema,
  listingId: id,
  model: z.string(),
  buyer: z.string(),
  unit: z.enum(['fen', 'point']),
  /** What the buyer gave, and what of it is the seller's. */
  amount: z.int(),
  share: z.int(),
  state: z.enum(saleStates),
  at: z.iso.datetime(),
  /** When it is recorded, where no claim stands in the way. */
  recordAt: z.iso.datetime(),
  claim: claimSchema.nullable(),
})
export type Sale = z.infer<typeof saleSchema>

export const sellerCalls = {
  'shop/mine': route({
    summary: 'The own listings, the newest first, with what they brought',
    request: z.object({}),
    response: z.object({
      listings: z.array(ownListingSchema),
      /** Models that may be shared or listed at one time by the level; null = any number. */
      limit: z.int().nullable(),
      used: z.int(),
    }),
    errors: ['not_found'],
  }),
  'shop/sales': route({
    summary: 'One page of the sales of the own models, the newest first',
    request: z.object({ page }),
    response: z.object({ sales: z.array(saleSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'shop/candidates': route({
    summary: 'Own trainings with a test that is done: what can be put into the shop',
    request: z.object({}),
    response: z.object({ candidates: z.array(candidateSchema) }),
    errors: ['not_found'],
  }),
  'shop/offer': route({
    summary:
      'Put a trained model into the shop: it is listed when the platform has measured the same score again',
    request: z.object({ testId: id, about: aboutSchema, acceptRules: z.int() }),
    response: listingSchema,
    errors: [
      'run_missing',
      'test_first',
      'model_not_own',
      'listing_twice',
      'listing_limit',
      'shared_models_limit',
      'level_too_low',
      'information_needed',
      'rules_changed',
      'not_found',
    ],
  }),
  'shop/renew': route({
    summary: 'A new version of an own listing, or the same once more: checked before buyers get it',
    request: z.object({ id, testId: id, note }),
    response: listingSchema,
    errors: [
      'listing_missing',
      'listing_checking',
      'listing_banned',
      'run_missing',
      'test_first',
      'task_differs',
      'model_not_own',
      'listing_twice',
      'not_found',
    ],
  }),
  'shop/edit': route({
    summary: 'Change what is said of an own listing, and its price for later buyers',
    request: z.object({ id, about: aboutSchema }),
    response: listingSchema,
    errors: ['listing_missing', 'listing_banned', 'not_found'],
  }),
  'shop/show': route({
    summary: 'Take an own listing out of the shop, or put it back; who has the model keeps it',
    request: z.object({ id, isShown: z.boolean() }),
    response: listingSchema,
    errors: [
      'listing_missing',
      'listing_checking',
      'listing_closed',
      'listing_banned',
      'shared_models_limit',
      'not_found',
    ],
  }),
  'shop/give': route({
    summary: 'Share an own listed model with another member, within the level’s number of accounts',
    request: z.object({ id, account: z.string().trim().min(1).max(200) }),
    response: listingSchema,
    errors: [
      'listing_missing',
      'account_missing',
      'model_held',
      'own_listing',
      'share_limit',
      'shared_models_limit',
      'not_found',
    ],
  }),
}

export const officeListingSchema = ownListingSchema.extend({
  account: z.string(),
})
export type OfficeListing = z.infer<typeof officeListingSchema>

export const officeClaimSchema = claimSchema.extend({
  sale: saleSchema.omit({ claim: true }),
  buyerAccount: z.string(),
  sellerAccount: z.string(),
  listing: z.object({ id, name: z.string(), version: z.int() }),
  /** What the buyer computed with it: trainings, predictions, tests. */
  uses: z.int(),
  /** Of a re-run: how it stands; null where none is needed. */
  check: z.enum(['running', 'same', 'differs', 'failed']).nullable(),
  /** The viewer bought or sold it: nobody is the judge of an own case. */
  isOwn: z.boolean(),
})
export type OfficeClaim = z.infer<typeof officeClaimSchema>

const reason = z.string().trim().min(1).max(limits.claimLength)

export const shopOfficeCalls = {
  'office/listings': route({
    summary: 'One page of all listings; for administrators, as all calls here',
    request: z.object({
      search: z.string().trim().max(200).default(''),
      state: z.enum(listingStates).nullable().default(null),
      page,
    }),
    response: z.object({ listings: z.array(officeListingSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'office/listing': route({
    summary: 'Take a listing out of the shop for a stated reason, or let it back',
    request: z.object({
      id,
      decision: z.discriminatedUnion('is', [
        z.object({ is: z.literal('banned'), reason }),
        z.object({ is: z.literal('allowed') }),
      ]),
    }),
    response: officeListingSchema,
    errors: ['listing_missing', 'not_found'],
  }),
  'office/claims': route({
    summary: 'One page of the claims of buyers, those that wait first',
    request: z.object({ state: z.enum(claimStates).nullable().default('open'), page }),
    response: z.object({ claims: z.array(officeClaimSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'office/claim': route({
    summary:
      'Grant a claim, which gives the money or points back and ends the use, or refuse it, with the reason',
    request: z.object({ id, decision: z.enum(['granted', 'refused']), reason }),
    response: officeClaimSchema,
    errors: ['claim_missing', 'order_over', 'not_found'],
  }),
}

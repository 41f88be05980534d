/** A demand as pages get it: somebody wants work done, providers offer it, one does it. Amounts are whole fen. */
import * as z from 'zod'
import { market as limits } from '../limits.ts'
import { projectTasks } from '../task.ts'
import { deliveryStates, demandActions, demandEnds, demandStates } from './states.ts'

export const marketIdSchema = z.string().min(1).max(40)

/** What the work is about: a task of the platform, or something else. */
export const workTasks = [...projectTasks, 'other'] as const
export type WorkTask = (typeof workTasks)[number]

export const fenSchema = z.int().min(limits.leastFen).max(limits.mostFen)
export const wordsSchema = z.string().trim().min(1).max(limits.wordsLength)

/** Bytes that came from somebody's cloud and are kept with a demand or a delivery, whatever becomes of the file there. */
export const marketFileSchema = z.object({ id: z.string(), name: z.string(), sizeBytes: z.int() })
export type MarketFile = z.infer<typeof marketFileSchema>

/** A folder of the customer's cloud; the provider has it while the work is under way. */
export const demandDataSchema = z.object({ id: z.string(), name: z.string() })
export type DemandData = z.infer<typeof demandDataSchema>

const personSchema = z.object({
  id: z.string(),
  /** '' where the account is gone. */
  nickName: z.string(),
})

export const milestoneSchema = z.object({
  title: z.string().trim().min(1).max(limits.milestoneLength),
  priceFen: z.int().min(1).max(limits.mostFen),
})

export const offerSchema = z.object({
  id: z.string(),
  provider: personSchema,
  priceFen: z.int(),
  /** How long the work takes from the payment on. */
  days: z.int(),
  text: z.string(),
  milestones: z.array(milestoneSchema),
  /** Grows with each change: what is selected is what was read. */
  revision: z.int(),
  at: z.iso.datetime(),
})
export type Offer = z.infer<typeof offerSchema>

export const deliverySchema = z.object({
  id: z.string(),
  /** The milestone that it is of, from 0. */
  part: z.int(),
  text: z.string(),
  files: z.array(marketFileSchema),
  state: z.enum(deliveryStates),
  /** Why it was sent back. */
  answer: z.string(),
  at: z.iso.datetime(),
})
export type Delivery = z.infer<typeof deliverySchema>

export const disputeSchema = z.object({
  byOwner: z.boolean(),
  reason: z.string(),
  at: z.iso.datetime(),
  /** Null until an administrator has decided: what of the held money the provider got, before the fee. */
  decision: z.object({ providerFen: z.int(), ownerFen: z.int(), reason: z.string() }).nullable(),
})
export type Dispute = z.infer<typeof disputeSchema>

export const ratingSchema = z.object({ stars: z.int(), text: z.string(), at: z.iso.datetime() })

export const demandCardSchema = z.object({
  id: z.string(),
  title: z.string(),
  task: z.enum(workTasks),
  budgetFen: z.int(),
  deadline: z.iso.date(),
  state: z.enum(demandStates),
  owner: personSchema,
  isOwn: z.boolean(),
  offers: z.int(),
  /** The reader has made an offer. */
  hasOffered: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type DemandCard = z.infer<typeof demandCardSchema>

export const demandSchema = demandCardSchema.extend({
  description: z.string(),
  attachments: z.array(marketFileSchema),
  /** How many folders of data it is about, and which: for the owner, and for the provider who has them now. */
  folders: z.int(),
  data: z.array(demandDataSchema),
  /** All of them for the owner, the own one for its provider. */
  offerList: z.array(offerSchema),
  /** From the payment on, for those who take part. */
  work: z
    .object({
      offer: offerSchema,
      isProvider: z.boolean(),
      /** Milestones that are accepted. */
      accepted: z.int(),
      heldFen: z.int(),
      releasedFen: z.int(),
      assignedAt: z.iso.datetime(),
      deliveries: z.array(deliverySchema),
      dispute: disputeSchema.nullable(),
      rating: ratingSchema.nullable(),
      end: z.enum(demandEnds).nullable(),
    })
    .nullable(),
  /** What the reader may do now. */
  may: z.array(z.enum(demandActions)),
})
export type Demand = z.infer<typeof demandSchema>

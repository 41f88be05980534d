/** A model in the shop as pages get it. */
import * as z from 'zod'
import { shop as limits } from '../limits.ts'
import { startFromSchema } from '../runs.ts'
import { taskSchema } from '../task-schema.ts'
import {
  checkRefusals,
  claimGrounds,
  claimStates,
  holdWays,
  licences,
  listingStates,
  modalities,
  organs,
  saleStates,
} from './words.ts'

export const listingIdSchema = z.string().min(1).max(40)
const numbers = z.record(z.string(), z.number().nullable())
const line = z.string().trim().min(1).max(limits.lineLength)
const text = z.string().trim().max(limits.textLength)

/** What a seller says of it; everything else is taken from the training and its test. */
export const aboutSchema = z.object({
  name: z.string().trim().min(1).max(limits.nameLength),
  /** In a sentence or two, as cards show it. */
  introduction: z.string().trim().min(1).max(limits.introductionLength),
  /** What it does well, one thing a line. */
  features: text.min(1),
  organ: z.enum(organs),
  modality: z.enum(modalities),
  licence: z.enum(licences),
  /** By which right the data were used: a licence, a consent, an ethics vote. */
  dataLicence: line,
  /** Whole yuan, which are as many points; 0 = free for everybody. */
  priceYuan: z.int().min(0).max(limits.mostYuan),
  /** For whom and for what it is meant, and for what not. */
  intendedUse: text.min(1),
  outOfScope: text.min(1),
  /** What it is known to get wrong. */
  limitations: text.min(1),
  /** Whose images it learned from: hospitals, scanners, ages. */
  population: text.min(1),
})
export type About = z.infer<typeof aboutSchema>

/** What the platform measured, and put its signature to. */
export const verifiedSchema = z.object({
  /** First metric of the task. */
  score: z.number(),
  metrics: numbers,
  perClass: z.array(z.object({ class: z.string(), values: numbers })),
  /** Images or volumes of the test. */
  items: z.int(),
  /** 95 % interval of the score; null where none can be given. */
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
  /** `held_out`: kept aside by the training; `all`: another data set. */
  part: z.enum(['held_out', 'all']),
  testedAt: z.iso.datetime(),
  /** Ed25519 over the statement that `shop/statement` gives, in base64. */
  signature: z.string(),
})
export type Verified = z.infer<typeof verifiedSchema>

export const versionSchema = z.object({
  number: z.int(),
  /** What changed, in the seller's words. */
  note: z.string(),
  at: z.iso.datetime(),
  score: z.number(),
  metrics: numbers,
})

export const listingCardSchema = z.object({
  id: listingIdSchema,
  name: z.string(),
  introduction: z.string(),
  task: taskSchema,
  organ: z.enum(organs),
  modality: z.enum(modalities),
  licence: z.enum(licences),
  priceYuan: z.int(),
  /** Of the newest version; null before the first check. */
  score: z.number().nullable(),
  parameters: z.int(),
  seller: z.string(),
  /** Mean of the reviews and how many there are; null = none yet. */
  rating: z.object({ stars: z.number(), reviews: z.int() }).nullable(),
  /** How many projects have used it. */
  usedIn: z.int(),
  listedAt: z.iso.datetime().nullable(),
  /** How the reader has it; null = not yet. */
  held: z.enum(holdWays).nullable(),
  /** A claim is under review. */
  isDisputed: z.boolean(),
})
export type ListingCard = z.infer<typeof listingCardSchema>

export const claimSchema = z.object({
  id: z.string(),
  ground: z.enum(claimGrounds),
  text: z.string(),
  state: z.enum(claimStates),
  /** Why it was decided so: a person's words, or '' where the re-run decided. */
  reason: z.string(),
  at: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
})
export type Claim = z.infer<typeof claimSchema>

export const reviewSchema = z.object({
  id: z.string(),
  stars: z.int().min(1).max(5),
  text: z.string(),
  by: z.string(),
  isOwn: z.boolean(),
  /** Version that was reviewed. */
  version: z.int(),
  at: z.iso.datetime(),
})
export type Review = z.infer<typeof reviewSchema>

/** A test of the model on the reader's own images. */
export const driveSchema = z.object({
  runId: z.string(),
  projectId: z.string(),
  datasetName: z.string(),
  version: z.int(),
  state: z.string(),
  score: z.number().nullable(),
  at: z.iso.datetime(),
  /** How often models of the shop were tested on these very images before: a best of many is better by chance. */
  looks: z.int(),
})
export type Drive = z.infer<typeof driveSchema>

export const listingSchema = listingCardSchema.extend({
  ...aboutSchema.shape,
  state: z.enum(listingStates),
  isOwn: z.boolean(),
  version: z.int(),
  versions: z.array(versionSchema),
  /** Name of the network: one that comes with the product by its id, or the seller's own. */
  network: z.object({ id: z.string(), isOwn: z.boolean(), name: z.string() }),
  /** Its document, which draws the structure. */
  graph: z.string(),
  classes: z.array(z.string()),
  /** What it learned from, as the run record has it. */
  learned: z.object({
    items: z.int(),
    /** Independent ones: images of one patient, and near doubles, count once. */
    cases: z.int(),
    epochs: z.int(),
    /** Height and width, in pixels. */
    imageSize: z.array(z.int()),
    trainedAt: z.iso.datetime(),
    /** The training or the model of the shop that it began with; null = from scratch. */
    startFrom: startFromSchema.pick({ isSameProject: true, hasSeenTest: true, model: true }).nullable(),
  }),
  verified: verifiedSchema.nullable(),
  /** Why the last check refused it. */
  refusal: z.enum(checkRefusals).nullable(),
  banReason: z.string(),
  /** What the reader could do now. */
  mine: z.object({
    /** The reader's purchase; null = none. Until then it may be claimed back. */
    sale: z
      .object({
        orderNo: z.string(),
        state: z.enum(saleStates),
        unit: z.enum(['fen', 'point']),
        amount: z.int(),
        refundUntil: z.iso.datetime(),
        claim: claimSchema.nullable(),
      })
      .nullable(),
    mayReview: z.boolean(),
    points: z.int(),
    /** Free places of the reader's level, and the models in them. */
    places: z.object({
      most: z.int().nullable(),
      held: z.array(
        z.object({
          id: listingIdSchema,
          name: z.string(),
          /** From when on another model may take this place. */
          freeFrom: z.iso.datetime(),
        }),
      ),
    }),
    drives: z.array(driveSchema),
  }),
})
export type Listing = z.infer<typeof listingSchema>

/** A model that the reader has, where a network is chosen. */
export const heldModelSchema = z.object({
  id: listingIdSchema,
  name: z.string(),
  task: taskSchema,
  version: z.int(),
  seller: z.string(),
  way: z.enum(holdWays),
  classes: z.array(z.string()),
  score: z.number(),
  parameters: z.int(),
  network: z.object({ id: z.string(), isOwn: z.boolean(), name: z.string() }),
  hasRecipe: z.boolean(),
})
export type HeldModel = z.infer<typeof heldModelSchema>

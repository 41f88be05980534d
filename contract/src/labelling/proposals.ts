/** What one's own networks propose on the images of a set, what people say to it, and the rounds of training it leads to. Data only. */
import * as z from 'zod'
import { labelling as limits } from '../limits.ts'
import { route } from '../route.ts'
import { taskSchema } from '../task-schema.ts'
import { orders } from './next.ts'

const id = z.string().min(1).max(40)
const orderSchema = z.enum(orders)

/** Why a network cannot propose on a set: keys `labelling:helper.unfit.<name>`. */
export const unfits = ['task', 'marks', 'volumes', 'pictures', 'classes'] as const

export const helperNetworkSchema = z.object({
  runId: z.string(),
  project: z.string(),
  number: z.int(),
  task: taskSchema,
  score: z.number().nullable(),
  classes: z.array(z.string()),
  unfit: z.enum(unfits).nullable(),
  /** It learned from images that a recipe had cut, sized or turned. Here they stay as they are, or marks would lie elsewhere. */
  isReshaped: z.boolean(),
})
export type HelperNetwork = z.infer<typeof helperNetworkSchema>

const choice = {
  runId: id,
  /** For each class of the network a class of the set; null = it is not proposed. */
  classes: z.array(z.string().max(24).nullable()).max(limits.classes),
  /** How the next image is chosen. */
  order: orderSchema,
  /** Learn anew in the background after so many labelled images; null = on wish alone. */
  every: z.int().min(1).max(limits.roundEvery.most).nullable(),
}
export const helperSchema = z.object({ ...choice, network: helperNetworkSchema })
export type Helper = z.infer<typeof helperSchema>

const side = z.number()
/** `region`: rings along the edges of pixels, of each slice that it reaches; `tag`: the image as a whole. */
export const proposedShapeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('box'), x: side, y: side, width: side, height: side }),
  z.object({
    kind: z.literal('region'),
    slices: z.array(z.object({ slice: z.int(), rings: z.array(z.array(side)) })),
  }),
  z.object({ kind: z.literal('tag') }),
])
export type ProposedShape = z.infer<typeof proposedShapeSchema>

export const proposedObjectSchema = z.object({
  /** From 1 on. */
  number: z.int(),
  /** Of the set. */
  class: z.string(),
  /** Of a box or a label its score; null = unknown, as of regions. */
  confidence: z.number().nullable(),
  shape: proposedShapeSchema,
})
export type ProposedObject = z.infer<typeof proposedObjectSchema>

/** `mended`: accepted, and then changed by hand. */
export const judgements = ['accepted', 'mended', 'refused'] as const
export const judgementSchema = z.enum(judgements)
export type Judgement = z.infer<typeof judgementSchema>

export const proposalSchema = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'ready', 'failed']),
  /** Number of the training in its project; null when it is gone. */
  run: z.int().nullable(),
  objects: z.array(proposedObjectSchema),
  /** Smaller ones that are not told. */
  left: z.int(),
  judged: z.array(z.object({ number: z.int(), judgement: judgementSchema })),
})
export type Proposal = z.infer<typeof proposalSchema>

export const roundSchema = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'reading', 'training', 'testing', 'done', 'failed']),
  /** Name of a failure, with its params. */
  failure: z
    .object({ name: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
    .nullable(),
  /** How its newest labels were chosen. */
  order: orderSchema,
  /** Images that it learned from. */
  labels: z.int().nullable(),
  /** Over the images that all rounds were tested on; null where there are none. */
  score: z.number().nullable(),
  /** Of its own. */
  tested: z.int(),
  runId: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type LabelRound = z.infer<typeof roundSchema>

const interval = z.object({ gain: z.number(), low: z.number(), high: z.number() })
const counts = { accepted: z.int(), mended: z.int(), refused: z.int() }

export const roundsSchema = z.object({
  rounds: z.array(roundSchema),
  metric: z.enum(['dice', 'accuracy', 'f1']).nullable(),
  /** Images that all rounds with a score were tested on. */
  images: z.int(),
  /** Finished images that the next round would learn from or be tested on, beyond those of the last one. */
  fresh: z.int(),
  /** What `more` labels more are worth; null while there is too little to say. */
  expected: interval.extend({ more: z.int() }).nullable(),
  /** What `more` labels in one's own order are worth beyond those in random order; null where not both were tried. */
  difference: interval.extend({ more: z.int() }).nullable(),
  shares: z.object({
    classes: z.array(z.object({ class: z.string(), ...counts })),
    /** By day (UTC), the newest last. */
    days: z.array(z.object({ day: z.iso.date(), ...counts })),
  }),
})
export type Rounds = z.infer<typeof roundsSchema>

/** Why this image is next: keys `labelling:helper.why.<name>`. `aside`: rounds are tested on it. `plain`: nothing is known yet. */
export const reasonsWhy = ['doubt', 'random', 'aside', 'plain'] as const

export const labelProposalCalls = {
  'labelling/helpers': route({
    summary:
      'Which of the member’s trained networks can propose on a set, why others cannot, and the one chosen',
    request: z.object({ id }),
    response: z.object({ networks: z.array(helperNetworkSchema), chosen: helperSchema.nullable() }),
    errors: ['label_set_missing'],
  }),
  'labelling/chooseHelper': route({
    summary: 'Choose the network that proposes, what its classes are here, and how one goes on',
    request: z.object({ id, ...choice }),
    response: helperSchema,
    errors: ['label_set_missing', 'run_missing', 'not_allowed', 'train_first', 'helper_unfit'],
  }),
  'labelling/propose': route({
    summary: 'Queue a prediction of the chosen network on images of the set, for proposals of the caller',
    request: z.object({ id, itemIds: z.array(id).min(1).max(limits.proposeItems) }),
    response: z.object({ runId: z.string(), waiting: z.array(z.string()) }),
    errors: [
      'label_set_missing',
      'label_item_missing',
      'helper_missing',
      'run_missing',
      'not_allowed',
      'train_first',
      'helper_unfit',
      'project_missing',
    ],
  }),
  'labelling/proposal': route({
    summary: 'What was last proposed to the caller on an image, and what the caller said to it',
    request: z.object({ itemId: id }),
    response: z.object({ proposal: proposalSchema.nullable() }),
    errors: ['label_item_missing'],
  }),
  'labelling/judge': route({
    summary: 'Say what became of proposed objects; null takes it back',
    request: z.object({
      proposalId: id,
      judged: z
        .array(z.object({ number: z.int().min(1), judgement: judgementSchema.nullable() }))
        .min(1)
        .max(limits.proposalObjects),
    }),
    response: z.object({}),
    errors: ['proposal_missing', 'label_item_missing'],
  }),
  'labelling/nextItem': route({
    summary: 'The image that is worth labelling next, by the chosen order',
    request: z.object({ id, itemId: id.nullable().default(null) }),
    response: z.object({
      itemId: z.string().nullable(),
      why: z.enum(reasonsWhy),
      /** Images that the network was asked about, among which it was chosen. */
      among: z.int(),
    }),
    errors: ['label_set_missing'],
  }),
  'labelling/rounds': route({
    summary:
      'Rounds of training with the caller’s labels, what more labels are worth, and what became of proposals',
    request: z.object({ id }),
    response: roundsSchema,
    errors: ['label_set_missing'],
  }),
  'labelling/train': route({
    summary: 'Train the chosen network anew with the caller’s finished labels, in the background',
    request: z.object({ id }),
    response: roundSchema,
    errors: ['label_set_missing', 'helper_missing', 'round_open', 'too_many_rounds', 'nothing_labelled'],
  }),
}

/**
 * Case rounds: a study that its owner shows to the members of a chat, live. One of them leads: all others see the same slice,
 * window and marks. The study is not copied; it is seen by members of the chat, as long as the round is open.
 */
import * as z from 'zod'
import { flatPlanes, imageViews, markKindSchema, planes, pointsOf } from '../image-view.ts'
import { rounds as limits } from '../limits.ts'
import { route } from '../route.ts'
import { viewSchema } from '../viewing.ts'
import { id, personSchema } from './people.ts'

const number = z.number().min(-1e9).max(1e9)
const triple = z.tuple([number, number, number])
const index = z.int().min(0).max(1e6)
const zoom = z.number().min(0.001).max(1000)

/** What the leader looks at. Each part may be missing: then it is as the image is first shown. */
export const roundStateSchema = z.object({
  /** Of a picture: what lies in the middle as shares of width and height, and how many times as large as fitted. */
  part: z.object({ middle: z.tuple([number, number]), by: zoom }).optional(),
  /** Of a volume: the cross, by place in the body where the file says it, and as a voxel; how far it was moved, how large. */
  sight: z
    .object({
      cross: z.object({ millimetres: triple.nullable(), voxel: z.tuple([index, index, index]) }),
      pan: z.object({ by: triple, zoom }),
    })
    .optional(),
  /** `span`: how far the values of the image reach. */
  window: z.object({ ends: z.tuple([number, number]), span: number }).optional(),
  plane: z.enum(planes).optional(),
  frame: index.optional(),
})
export type RoundState = z.infer<typeof roundStateSchema>

/** As the viewer draws them: pixels of one slice at one point in time. */
const shape = z.object({
  kind: markKindSchema,
  plane: z.enum(flatPlanes),
  slice: index,
  frame: index,
  points: z
    .array(z.tuple([number, number]))
    .min(1)
    .max(imageViews.points),
})

/** Whether the points make up a mark of this kind. */
export const isWholeMark = ({ kind, points }: Pick<z.infer<typeof shape>, 'kind' | 'points'>): boolean => {
  const wanted = pointsOf[kind]
  return wanted === null ? points.length >= imageViews.leastPoints : points.length === wanted
}

export const roundMarkSchema = shape.extend({
  /** Counted from 1 on, and never again used for another in the round. */
  number: z.int().positive(),
  name: z.string(),
  authorId: z.string(),
})
export type RoundMark = z.infer<typeof roundMarkSchema>

const markNumber = z.int().positive()
const name = z.string().trim().max(limits.markNameLength)

/** What is done with marks. Everybody changes their own; the leader may remove those of others. */
export const markDeedSchema = z.discriminatedUnion('deed', [
  z.object({ deed: z.literal('add'), mark: shape.refine(isWholeMark) }),
  z.object({ deed: z.literal('move'), number: markNumber, points: shape.shape.points }),
  z.object({ deed: z.literal('rename'), number: markNumber, name }),
  z.object({ deed: z.literal('remove'), number: markNumber }),
  z.object({ deed: z.literal('clear') }),
])
export type RoundMarkDeed = z.infer<typeof markDeedSchema>

export const roundSchema = z.object({
  id: z.string(),
  chatId: z.string(),
  chatName: z.string(),
  title: z.string(),
  /** Whose study it is. */
  host: personSchema,
  openedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** Null while nobody leads: whoever asks for the lead has it. */
  leader: personSchema.nullable(),
  /** Whether members who do not lead may set marks. */
  allMark: z.boolean(),
  /** Who looks on now, and who of them asks to lead. */
  people: z.array(personSchema.extend({ asks: z.boolean() })),
  /** Grows with each state; what comes with a lower one is old. */
  stateCount: z.int(),
  state: roundStateSchema,
  markCount: z.int(),
  marks: z.array(roundMarkSchema),
})
export type Round = z.infer<typeof roundSchema>

/** In a list: what a chat shows of it. */
export const roundEntrySchema = roundSchema.pick({
  id: true,
  title: true,
  host: true,
  openedAt: true,
  endedAt: true,
})

/** Live events of topic `round`. `state`: the leader moved on; only of use where its number is higher than the known one. */
export const roundStateNewsSchema = z.object({ stateCount: z.int(), state: roundStateSchema })
/** `marks`: they changed; null where they are too many for an event, and the page asks for them. */
export const roundMarksNewsSchema = z.object({
  markCount: z.int(),
  marks: z.array(roundMarkSchema).nullable(),
})
// And `people`: who is there, leads or asks to lead changed, or the round ended; the page asks.

const roundId = id
const gone = ['case_round_missing', 'case_round_over'] as const

export const socialRoundCalls = {
  'round/open': route({
    summary: 'Show an own, de-identified image or series to the members of a chat, live',
    request: z.object({
      chatId: id,
      fileId: id,
      /** Of a DICOM slice: the whole series of its folder. */
      series: z.boolean().default(false),
      title: z.string().trim().min(1).max(limits.titleLength),
      allMark: z.boolean().default(false),
      /** The owner has looked: no name is to be read in the pixels, nor in the title. */
      isChecked: z.literal(true),
    }),
    response: roundSchema,
    errors: [
      ...['chat_missing', 'social_refused', 'not_friends', 'social_slow', 'missing', 'not_allowed'],
      ...['shown_study_patient', 'shown_study_no_image', 'shown_study_preparing', 'too_many_case_rounds'],
    ] as const,
  }),
  'round/list': route({
    summary: 'Rounds of a chat, those that are open first',
    request: z.object({ chatId: id }),
    response: z.object({ rounds: z.array(roundEntrySchema) }),
    errors: ['chat_missing'],
  }),
  'round/show': route({
    summary: 'Who leads a round, what is shown and marked; whoever asks counts as present for a while',
    request: z.object({ roundId }),
    response: roundSchema,
    errors: gone,
  }),
  'round/view': route({
    summary: 'What a page needs to draw the image of a round; good for the pixels alone',
    request: z.object({ roundId }),
    response: viewSchema,
    errors: [...gone, 'busy'],
  }),
  'round/state': route({
    summary: 'What the leader looks at now; one that is older than the last one is passed over',
    request: z.object({ roundId, stateCount: z.int().min(1).max(1e9), state: roundStateSchema }),
    /** The highest number so far. */
    response: z.object({ stateCount: z.int() }),
    errors: [...gone, 'case_round_not_led'],
  }),
  'round/mark': route({
    summary: 'Set, move, name or remove marks that everybody sees',
    request: z.object({ roundId, change: markDeedSchema }),
    response: roundMarksNewsSchema.extend({ marks: z.array(roundMarkSchema) }),
    errors: [...gone, 'case_round_not_led', 'too_many_marks'],
  }),
  'round/askLead': route({
    summary: 'Ask to lead; at once where nobody leads, or the leader is away',
    request: z.object({ roundId }),
    response: roundSchema,
    errors: gone,
  }),
  'round/giveLead': route({
    summary: 'Give the lead to a member who is present; by the leader or the owner of the study',
    request: z.object({ roundId, memberId: id }),
    response: roundSchema,
    errors: [...gone, 'case_round_not_led', 'member_missing'],
  }),
  'round/leave': route({
    summary: 'Look on no more; a leader who leaves frees the lead',
    request: z.object({ roundId }),
    response: z.object({}),
    errors: [],
  }),
  'round/end': route({
    summary: 'End a round: from now on nobody but its owner sees the study',
    request: z.object({ roundId }),
    response: z.object({}),
    errors: ['case_round_missing'],
  }),
}

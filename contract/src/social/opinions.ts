/**
 * Second opinions: a member asks others of a chat one question about studies. Each answers without seeing the others; then
 * all see how far they agree. The studies are not copied; readers see them as long as the request is open.
 */
import * as z from 'zod'
import { flatPlanes, imageViews } from '../image-view.ts'
import { opinions as limits } from '../limits.ts'
import { route } from '../route.ts'
import { viewSchema } from '../viewing.ts'
import { id, personSchema } from './people.ts'

const number = z.number().min(-1e6).max(1e6)
const index = z.int().min(0).max(1e6)
const position = z
  .int()
  .min(0)
  .max(limits.studies - 1)
const title = z.string().trim().min(1).max(limits.titleLength)
const label = z.string().trim().min(1).max(limits.answerLength)

/** A closed line on one slice, in its pixels. */
export const outlineSchema = z.object({
  plane: z.enum(flatPlanes),
  slice: index,
  frame: index,
  points: z
    .array(z.tuple([number, number]))
    .min(imageViews.leastPoints)
    .max(imageViews.points),
})
export type Outline = z.infer<typeof outlineSchema>

const given = z.object({
  /** Which of the answers, counted from 0 on. */
  answer: z
    .int()
    .min(0)
    .max(limits.answers - 1),
  note: z.string().trim().max(limits.noteLength),
  outline: outlineSchema.nullable(),
})

/** What one reader said of one study. */
export const opinionAnswerSchema = given.extend({
  position: z.int(),
  readerId: z.string(),
  at: z.iso.datetime(),
})
export type OpinionAnswer = z.infer<typeof opinionAnswerSchema>

const estimate = z.object({ value: z.number(), low: z.number(), high: z.number() })

/** Of those readers who have answered all studies. */
export const opinionAgreementSchema = z.object({
  readers: z.array(z.string()),
  studies: z.int(),
  /** Studies of which all of them said the same. */
  same: z.int(),
  /** Cohen's of two readers, Fleiss' of more; null where `why` says what stands in the way. */
  kappa: estimate.nullable(),
  method: z.enum(['cohen', 'fleiss']),
  why: z.enum(['few_readers', 'few_studies', 'one_answer']).nullable(),
  /** Of each two readers, over the studies that both outlined on the same slice. */
  dice: z.array(
    z.object({
      one: z.string(),
      other: z.string(),
      mean: z.number().nullable(),
      studies: z.int(),
      /** Both outlined, on different slices: not compared. */
      apart: z.int(),
    }),
  ),
})
export type OpinionAgreement = z.infer<typeof opinionAgreementSchema>

export const opinionSchema = z.object({
  id: z.string(),
  chatId: z.string(),
  chatName: z.string(),
  asker: personSchema,
  question: z.string(),
  answers: z.array(z.string()),
  hasOutline: z.boolean(),
  askedAt: z.iso.datetime(),
  until: z.iso.datetime(),
  /** Null while readers may answer. */
  closedAt: z.iso.datetime().nullable(),
  studies: z.array(z.object({ position: z.int(), title: z.string() })),
  readers: z.array(personSchema.extend({ answered: z.int(), doneAt: z.iso.datetime().nullable() })),
  isAsker: z.boolean(),
  /** Whether oneself may answer now. */
  canAnswer: z.boolean(),
  own: z.array(opinionAnswerSchema),
  /** Null as long as oneself must not see what others said. */
  results: z.object({ answers: z.array(opinionAnswerSchema), agreement: opinionAgreementSchema }).nullable(),
})
export type Opinion = z.infer<typeof opinionSchema>

const opinionId = id
const gone = ['opinion_missing', 'opinion_closed'] as const

export const socialOpinionCalls = {
  'opinion/ask': route({
    summary: 'Ask members of a chat one question about own, de-identified studies',
    request: z.object({
      chatId: id,
      question: z.string().trim().min(1).max(limits.questionLength),
      answers: z.array(label).min(2).max(limits.answers),
      hasOutline: z.boolean().default(false),
      studies: z
        .array(z.object({ fileId: id, series: z.boolean().default(false), title }))
        .min(1)
        .max(limits.studies),
      readerIds: z.array(id).min(1).max(limits.readers),
      until: z.iso.datetime().max(40),
      /** The owner has looked: no name is to be read in pixels, question and titles. */
      isChecked: z.literal(true),
    }),
    response: opinionSchema,
    errors: [
      ...['chat_missing', 'social_refused', 'not_friends', 'social_slow', 'missing', 'not_allowed'],
      ...['member_missing', 'shown_study_patient', 'shown_study_no_image', 'shown_study_preparing'],
      'too_many_opinions',
    ] as const,
  }),
  'opinion/show': route({
    summary: 'A request for a second opinion: the studies, own answers; what others said once one may see it',
    request: z.object({ opinionId }),
    response: opinionSchema,
    errors: ['opinion_missing'],
  }),
  'opinion/view': route({
    summary: 'What a page needs to draw one of the studies; good for the pixels alone',
    request: z.object({ opinionId, position }),
    response: viewSchema,
    errors: [...gone, 'busy'],
  }),
  'opinion/answer': route({
    summary: 'Answer for one study; may be changed until all are answered',
    request: given.extend({ opinionId, position }),
    response: opinionSchema,
    errors: [...gone, 'opinion_answered'],
  }),
  'opinion/close': route({
    summary: 'Take no more answers, and show what was said (by whoever asked)',
    request: z.object({ opinionId }),
    response: opinionSchema,
    errors: ['opinion_missing'],
  }),
}

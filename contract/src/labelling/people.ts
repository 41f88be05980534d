/** The people of a label set: who reads it and how far they are, and what they say about an image. Data only. */
import * as z from 'zod'
import { labelling as limits } from '../limits.ts'
import { route } from '../route.ts'
import { shareSchema } from '../sharing.ts'
import { readingCountsSchema } from './labelling.ts'
import { placeSchema } from './things.ts'

const id = z.string().min(1).max(40)
const permission = z.enum(['read', 'review'])

export const labelReaderSchema = z.object({
  id: z.string(),
  member: shareSchema.shape.member.unwrap(),
  permission,
  /** Images by where the readings of this member stand. */
  progress: readingCountsSchema,
  addedAt: z.iso.datetime(),
})
export type LabelReader = z.infer<typeof labelReaderSchema>

export const labelCommentSchema = z.object({
  id: z.string(),
  /** Whose marks it is about; null = the image. */
  readingId: z.string().nullable(),
  /** The one that began, of a reply. */
  replyTo: z.string().nullable(),
  /** Nickname; '' for one's own, '—' when that member is gone. */
  author: z.string(),
  text: z.string(),
  /** Where it is pinned. */
  at: placeSchema.extend({ x: z.number(), y: z.number() }).nullable(),
  isResolved: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type LabelComment = z.infer<typeof labelCommentSchema>

const coordinate = z.number().min(0).max(limits.side)

export const labelPeopleCalls = {
  'labelling/readers': route({
    summary: 'Who reads an own set, and how far each is',
    request: z.object({ id }),
    response: z.object({
      readers: z.array(labelReaderSchema),
      own: readingCountsSchema,
      /** Accounts that it may be shared with. */
      limit: z.int(),
      /** Images of which a file names its patient: readers get no header, and the pixels and names as they are. */
      namePatients: z.int(),
    }),
    errors: ['label_set_missing', 'not_allowed'],
  }),
  'labelling/addReader': route({
    summary: 'Give an own set to an account, to read its images or also to judge what others marked',
    request: z.object({ id, account: z.string().trim().min(1).max(254), permission }),
    response: labelReaderSchema,
    errors: [
      'label_set_missing',
      'not_allowed',
      'account_missing',
      'share_self',
      'share_twice',
      'share_limit',
      'upgrade_needed',
      'tries_wait',
    ],
  }),
  'labelling/changeReader': route({
    summary: 'Give a reader another permission',
    request: z.object({ readerId: id, permission }),
    response: labelReaderSchema,
    errors: ['missing'],
  }),
  'labelling/removeReader': route({
    summary: 'Withdraw an own set from a reader at once; the marks stay with the set',
    request: z.object({ readerId: id }),
    response: z.object({}),
    errors: ['missing'],
  }),
  'labelling/leave': route({
    summary: 'Give up a set that one was given; the marks stay with the set',
    request: z.object({ id }),
    response: z.object({}),
    errors: ['label_set_missing', 'missing'],
  }),
  'labelling/comments': route({
    summary: 'What was said about an image, as far as the caller may see it',
    request: z.object({ itemId: id }),
    response: z.object({ comments: z.array(labelCommentSchema) }),
    errors: ['label_item_missing'],
  }),
  'labelling/comment': route({
    summary: 'Say something about an image, a place of it, or the marks of a reader; or reply',
    request: z.object({
      itemId: id,
      readingId: id.nullable().default(null),
      replyTo: id.nullable().default(null),
      text: z.string().trim().min(1).max(limits.commentLength),
      at: placeSchema.extend({ x: coordinate, y: coordinate }).nullable().default(null),
    }),
    response: labelCommentSchema,
    errors: ['label_item_missing', 'reading_missing', 'comment_missing', 'too_many_comments'],
  }),
  'labelling/resolveComment': route({
    summary: 'Mark what was said as done, or open it again',
    request: z.object({ commentId: id, isResolved: z.boolean() }),
    response: labelCommentSchema,
    errors: ['comment_missing'],
  }),
  'labelling/removeComment': route({
    summary: 'Take back what one said oneself, with its replies; the owner of the set anything',
    request: z.object({ commentId: id }),
    response: z.object({}),
    errors: ['comment_missing', 'not_allowed'],
  }),
}

/** Live event `comments` on the topic `reading`: something was said about its image. */
export const commentsEventSchema = z.object({ itemId: z.string() })

/** Posts: texts for everybody who is signed in, with likes, threaded replies and topics; and reports about what members write. */
import * as z from 'zod'
import { social as limits } from '../limits.ts'
import { route } from '../route.ts'
import { attachmentSchema, openedSchema, sentAttachmentsSchema } from './attachments.ts'
import { cursor, id, personSchema } from './people.ts'

/** Empty with attachments alone. */
const text = z.string().trim().max(limits.postLength)
const requestId = z.string().min(8).max(40)

export const postSchema = z.object({
  id: z.string(),
  author: personSchema,
  at: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  /** Empty where attachments say it all. */
  text: z.string(),
  attachments: z.array(attachmentSchema),
  /** Words after #, in the order of the text, lower case. */
  topics: z.array(z.string()),
  likeCount: z.int(),
  isLiked: z.boolean(),
  replyCount: z.int(),
  isOwn: z.boolean(),
  isFollowed: z.boolean(),
})
export type Post = z.infer<typeof postSchema>

export const replySchema = z.object({
  id: z.string(),
  /** The reply that it answers; null of answers to the post itself. */
  parentId: z.string().nullable(),
  author: personSchema,
  at: z.iso.datetime(),
  /** Empty where it was deleted; replies to it stay. */
  text: z.string(),
  isDeleted: z.boolean(),
  isOwn: z.boolean(),
})
export type Reply = z.infer<typeof replySchema>

export const reportKinds = ['message', 'post', 'reply', 'member', 'group'] as const
export const reportReasons = ['spam', 'insult', 'patient_data', 'false_medical', 'illegal', 'other'] as const
export type ReportKind = (typeof reportKinds)[number]
export type ReportReason = (typeof reportReasons)[number]

export const reportSchema = z.object({
  id: z.string(),
  kind: z.enum(reportKinds),
  reason: z.enum(reportReasons),
  text: z.string(),
  /** As it was when it was reported. */
  content: z.string(),
  /** What went with it then, kept for those who decide; null of what was gone already. */
  attachments: z.array(z.object({ attachment: attachmentSchema, opened: openedSchema.nullable() })),
  /** Who wrote or owns it. */
  about: personSchema,
  reporter: personSchema,
  at: z.iso.datetime(),
  state: z.enum(['open', 'removed', 'kept']),
  decidedAt: z.iso.datetime().nullable(),
})
export type SocialReport = z.infer<typeof reportSchema>

const feed = z.object({ posts: z.array(postSchema), next: z.string().nullable() })

export const socialPostCalls = {
  'social/posts': route({
    summary:
      'Posts, latest first: of everybody, of those whom one follows, of a topic, of a member, or with a text in them',
    request: z.object({
      feed: z.discriminatedUnion('of', [
        z.object({ of: z.literal('all') }),
        z.object({ of: z.literal('followed') }),
        z.object({ of: z.literal('topic'), topic: z.string().trim().min(1).max(limits.topicLength) }),
        z.object({ of: z.literal('member'), memberId: id }),
        z.object({ of: z.literal('text'), text: z.string().trim().min(2).max(100) }),
      ]),
      after: cursor,
    }),
    response: feed,
    errors: ['member_missing', 'missing'],
  }),
  'social/topics': route({
    summary: 'Topics of the last 30 days by number of posts',
    request: z.object({}),
    response: z.object({ topics: z.array(z.object({ topic: z.string(), posts: z.int() })) }),
    errors: [],
  }),
  'social/post': route({
    summary: 'One post with its replies in order',
    request: z.object({ postId: id }),
    response: z.object({ post: postSchema, replies: z.array(replySchema) }),
    errors: ['post_missing'],
  }),
  'social/createPost': route({
    summary: 'Write a post; the same request id is one post',
    request: z.object({ requestId, text, attachments: sentAttachmentsSchema }),
    response: postSchema,
    errors: ['social_slow', 'image_missing', 'card_missing'],
  }),
  'social/editPost': route({
    summary: 'Change the text of an own post; what it said before stays in its history',
    request: z.object({ postId: id, text }),
    response: postSchema,
    errors: ['post_missing', 'not_allowed', 'social_slow'],
  }),
  'social/postHistory': route({
    summary: 'What a post said before its changes, latest first',
    request: z.object({ postId: id }),
    response: z.object({ versions: z.array(z.object({ text: z.string(), at: z.iso.datetime() })) }),
    errors: ['post_missing'],
  }),
  'social/deletePost': route({
    summary: 'Delete an own post with its replies and history',
    request: z.object({ postId: id }),
    response: z.object({}),
    errors: ['post_missing', 'not_allowed'],
  }),
  'social/like': route({
    summary: 'Like a post, or like it no more',
    request: z.object({ postId: id, isLiked: z.boolean() }),
    response: z.object({ likeCount: z.int() }),
    errors: ['post_missing'],
  }),
  'social/reply': route({
    summary: 'Reply to a post or to a reply; the same request id is one reply',
    request: z.object({
      postId: id,
      parentId: id.nullable().default(null),
      requestId,
      text: z.string().trim().min(1).max(limits.replyLength),
    }),
    response: replySchema,
    errors: ['post_missing', 'reply_missing', 'social_slow', 'too_many_replies'],
  }),
  'social/deleteReply': route({
    summary: 'Delete an own reply, or any below an own post',
    request: z.object({ replyId: id }),
    response: z.object({}),
    errors: ['reply_missing', 'not_allowed'],
  }),
  'social/report': route({
    summary: 'Report what a member wrote; administrators see it as it is now',
    request: z.object({
      kind: z.enum(reportKinds),
      /** Of a message: of its chat; else as `targetId`. */
      chatId: id.nullable().default(null),
      targetId: z.string().min(1).max(40),
      reason: z.enum(reportReasons),
      text: z.string().trim().max(limits.reportLength).default(''),
    }),
    response: z.object({}),
    errors: [
      'chat_missing',
      'message_missing',
      'post_missing',
      'reply_missing',
      'member_missing',
      'group_missing',
      'tries_wait',
    ],
  }),
}

export const socialOfficeCalls = {
  'office/socialReports': route({
    summary: 'Reported content, what waits first (administrators)',
    request: z.object({ state: z.enum(['open', 'decided']), after: cursor }),
    response: z.object({ reports: z.array(reportSchema), next: z.string().nullable(), openCount: z.int() }),
    errors: ['not_allowed', 'missing'],
  }),
  'office/decideSocialReport': route({
    summary: 'Remove what was reported, or keep it (administrators)',
    request: z.object({ reportId: id, decision: z.enum(['remove', 'keep']) }),
    response: reportSchema,
    errors: ['not_allowed', 'report_missing', 'report_decided'],
  }),
}

/** Conversations: of two members, and of a group. What is sent twice is one message. */
import * as z from 'zod'
import { social as limits } from '../limits.ts'
import { route } from '../route.ts'
import { attachmentKinds } from './attachment-kinds.ts'
import { attachmentSchema, sentAttachmentsSchema } from './attachments.ts'
import { cursor, id, personSchema } from './people.ts'

/** Grows within a chat in the order in which everybody sees its messages. */
const messageId = z.int().min(0)

/** What happened in a group, told by its own line: no text of a member. */
export const chatEventKinds = ['created', 'joined', 'invited', 'left', 'removed', 'owner', 'notice'] as const
export type ChatEventKind = (typeof chatEventKinds)[number]

export const messageSchema = z.object({
  id: messageId,
  chatId: z.string(),
  from: personSchema,
  at: z.iso.datetime(),
  /** Empty where it was withdrawn, and where attachments say it all. */
  text: z.string(),
  attachments: z.array(attachmentSchema),
  /** Of a line about the group: whom it is about, and what happened. */
  event: z.object({ kind: z.enum(chatEventKinds), person: personSchema.nullable() }).nullable(),
  isWithdrawn: z.boolean(),
  /** Given by the sender's page: `social/send` with the same one answers the same message. */
  requestId: z.string(),
  replyTo: z
    .object({
      id: messageId,
      from: personSchema,
      text: z.string(),
      /** What went with it first: said where it has no text. */
      attached: z.enum(attachmentKinds).nullable(),
    })
    .nullable(),
  /** Members named in it with @, of this chat. */
  mentions: z.array(z.string()),
})
export type Message = z.infer<typeof messageSchema>

export const chatSchema = z.object({
  id: z.string(),
  kind: z.enum(['pair', 'group']),
  /** Of the other member, or of the group. */
  name: z.string(),
  /** The other member; null of groups. */
  person: personSchema.nullable(),
  groupId: z.string().nullable(),
  last: messageSchema.nullable(),
  /** Of others, without lines about the group; counted to `unread` of the limits and no further. */
  unreadCount: z.int(),
  /** Unread messages that name oneself. */
  mentionCount: z.int(),
  /** The last that oneself has read. */
  readId: messageId,
  /** Of a pair: the last that the other one has read; 0 of groups. */
  otherReadId: messageId,
  isMuted: z.boolean(),
  /** Why nothing can be sent; null where it can. Who left a group, or was removed, reads it up to then. */
  closed: z.enum(['blocked', 'left', 'account_closed', 'not_friends']).nullable(),
})
export type Chat = z.infer<typeof chatSchema>

/**
 * Live events of topic `chat`: `message`, of one that is new or was withdrawn; null where it is too large to be sent along,
 * and the page asks for what comes after the last one it has.
 */
export const chatNewsSchema = z.object({ messageId, message: messageSchema.nullable() })
export type ChatNews = z.infer<typeof chatNewsSchema>
/** And `read`, in a pair: how far a member has read. */
export const readNewsSchema = z.object({ memberId: z.string(), messageId })
export type ReadNews = z.infer<typeof readNewsSchema>

/** Empty with attachments alone. */
const text = z.string().max(limits.messageLength)

export const socialChatCalls = {
  'social/chats': route({
    summary: 'Conversations with anything in them, the latest first, and how much is unread in all',
    request: z.object({}),
    response: z.object({ chats: z.array(chatSchema), unreadCount: z.int() }),
    errors: [],
  }),
  'social/unread': route({
    summary: 'What waits in the social centre: messages, friend requests, notices',
    request: z.object({}),
    response: z.object({ chats: z.int(), applications: z.int(), notices: z.int(), all: z.int() }),
    errors: [],
  }),
  'social/openChat': route({
    summary: 'The conversation with a friend; made if there is none',
    request: z.object({ memberId: id }),
    response: chatSchema,
    errors: ['member_missing', 'not_friends', 'social_refused'],
  }),
  'social/messages': route({
    summary:
      'Messages of a conversation in order: the latest, those before one (paging back), those after one (catching up), or around one',
    request: z.object({
      chatId: id,
      before: messageId.nullable().default(null),
      after: messageId.nullable().default(null),
      around: messageId.nullable().default(null),
    }),
    response: z.object({
      messages: z.array(messageSchema),
      hasEarlier: z.boolean(),
      hasLater: z.boolean(),
      chat: chatSchema,
    }),
    errors: ['chat_missing'],
  }),
  'social/send': route({
    summary: 'Send a text, attachments or both; answers when it is kept',
    request: z.object({
      chatId: id,
      requestId: z.string().min(8).max(40),
      text,
      attachments: sentAttachmentsSchema,
      replyTo: messageId.nullable().default(null),
      /** Members of the chat whom it names. */
      mentions: z.array(id).max(limits.mentions).default([]),
    }),
    response: messageSchema,
    errors: [
      'chat_missing',
      'message_missing',
      'social_refused',
      'not_friends',
      'social_slow',
      'image_missing',
      'card_missing',
    ],
  }),
  'social/withdraw': route({
    summary: 'Take back an own message within two minutes; its text and images are deleted',
    request: z.object({ chatId: id, messageId }),
    response: messageSchema,
    errors: ['chat_missing', 'message_missing', 'message_late'],
  }),
  'social/read': route({
    summary: 'Everything up to this message has been read',
    request: z.object({ chatId: id, messageId }),
    response: z.object({ unreadCount: z.int() }),
    errors: ['chat_missing'],
  }),
  'social/mute': route({
    summary: 'A muted conversation counts no unread messages in the badge',
    request: z.object({ chatId: id, isMuted: z.boolean() }),
    response: z.object({}),
    errors: ['chat_missing'],
  }),
  'social/removeChat': route({
    summary: 'Remove a conversation and its history from one’s own list; the other side keeps theirs',
    request: z.object({ chatId: id }),
    response: z.object({}),
    errors: ['chat_missing'],
  }),
  'social/searchMessages': route({
    summary: 'Messages that contain a text, in one conversation or in all of one’s own, latest first',
    request: z.object({
      text: z.string().trim().min(2).max(100),
      chatId: id.nullable().default(null),
      after: cursor,
    }),
    response: z.object({
      found: z.array(z.object({ message: messageSchema, chatName: z.string() })),
      next: z.string().nullable(),
    }),
    errors: ['chat_missing'],
  }),
}

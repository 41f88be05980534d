/** Members as others see them: cards, friends, follows and blocks. */
import * as z from 'zod'
import { social as limits } from '../limits.ts'
import { route } from '../route.ts'

export const id = z.string().min(1).max(40)
/** Where the next page begins; null for the first. */
export const cursor = z.string().max(200).nullable().default(null)

/** What everybody sees of a member wherever a name stands. A closed account has an empty name. */
export const personSchema = z.object({ id: z.string(), nickName: z.string(), photo: z.string() })
export type Person = z.infer<typeof personSchema>

/** Fields of a profile that a member may show to others; none is shown unless its owner chose it. */
export const cardFields = ['name', 'institution', 'department', 'occupation', 'country', 'email'] as const
export const cardFieldSchema = z.enum(cardFields)
export type CardField = (typeof cardFields)[number]

export const relationSchema = z.object({
  isSelf: z.boolean(),
  isFriend: z.boolean(),
  /** One has asked them within a day, or they have asked oneself, and they are no friends yet. */
  application: z.enum(['none', 'sent', 'received']),
  isFollowed: z.boolean(),
  isBlocked: z.boolean(),
})
export type Relation = z.infer<typeof relationSchema>

export const cardSchema = personSchema.extend({
  introduction: z.string(),
  fields: z.array(z.object({ field: cardFieldSchema, value: z.string() })),
  relation: relationSchema,
  /** Null where either side does not show it. */
  isOnline: z.boolean().nullable(),
  counts: z.object({ follows: z.int(), fans: z.int(), posts: z.int() }),
})
export type Card = z.infer<typeof cardSchema>

export const applicationSchema = z.object({
  id: z.string(),
  person: personSchema,
  text: z.string(),
  /** `received`: to oneself. */
  direction: z.enum(['received', 'sent']),
  state: z.enum(['waiting', 'accepted', 'refused']),
  at: z.iso.datetime(),
})
export type Application = z.infer<typeof applicationSchema>

const people = z.object({ people: z.array(personSchema), next: z.string().nullable() })

export const socialPeopleCalls = {
  'social/findPeople': route({
    summary: 'Members by their exact account, or by a part of the nickname where they may be found by it',
    request: z.object({ text: z.string().trim().min(2).max(100) }),
    response: z.object({ people: z.array(personSchema) }),
    errors: ['tries_wait'],
  }),
  'social/card': route({
    summary: 'What a member shows of oneself, and how one stands to them',
    request: z.object({ memberId: id }),
    response: cardSchema,
    errors: ['member_missing'],
  }),
  'social/ownCard': route({
    summary: 'What one shows of oneself to others',
    request: z.object({}),
    response: z.object({
      introduction: z.string(),
      shown: z.array(cardFieldSchema),
      canBeFound: z.boolean(),
      showsOnline: z.boolean(),
    }),
    errors: [],
  }),
  'social/editCard': route({
    summary: 'Choose what others see',
    request: z.object({
      introduction: z.string().trim().max(limits.introductionLength),
      shown: z.array(cardFieldSchema).max(cardFields.length),
      /** By a part of the nickname; the exact account always finds. */
      canBeFound: z.boolean(),
      showsOnline: z.boolean(),
    }),
    response: z.object({}),
    errors: [],
  }),
  'social/apply': route({
    summary: 'Ask a member to be friends; whoever was asked by them already accepts by it',
    request: z.object({ memberId: id, text: z.string().trim().max(limits.applicationLength).default('') }),
    response: relationSchema,
    errors: ['member_missing', 'social_refused', 'social_slow', 'too_many_friends'],
  }),
  'social/applications': route({
    summary: 'Friend requests to and from oneself, those that wait first',
    request: z.object({}),
    response: z.object({ applicationList: z.array(applicationSchema), unreadCount: z.int() }),
    errors: [],
  }),
  'social/answerApplication': route({
    summary: 'Accept or refuse a friend request',
    request: z.object({ applicationId: id, accept: z.boolean() }),
    response: z.object({}),
    errors: ['application_missing', 'too_many_friends'],
  }),
  'social/friends': route({
    summary: 'The address book: friends by name',
    request: z.object({}),
    response: z.object({
      friends: z.array(personSchema.extend({ isOnline: z.boolean().nullable(), since: z.iso.datetime() })),
    }),
    errors: [],
  }),
  'social/unfriend': route({
    summary: 'End a friendship; nobody is told',
    request: z.object({ memberId: id }),
    response: z.object({}),
    errors: [],
  }),
  'social/follow': route({
    summary: 'Follow a member, whose posts then are in one’s feed',
    request: z.object({ memberId: id }),
    response: relationSchema,
    errors: ['member_missing', 'social_refused', 'social_slow'],
  }),
  'social/unfollow': route({
    summary: 'Follow a member no more',
    request: z.object({ memberId: id }),
    response: relationSchema,
    errors: ['member_missing'],
  }),
  'social/follows': route({
    summary: 'Whom a member follows, latest first',
    request: z.object({ memberId: id, after: cursor }),
    response: people,
    errors: ['member_missing', 'missing'],
  }),
  'social/fans': route({
    summary: 'Who follows a member, latest first',
    request: z.object({ memberId: id, after: cursor }),
    response: people,
    errors: ['member_missing', 'missing'],
  }),
  'social/block': route({
    summary: 'Block a member: neither reaches the other, friendship and follows end',
    request: z.object({ memberId: id }),
    response: z.object({}),
    errors: ['member_missing'],
  }),
  'social/unblock': route({
    summary: 'Take a block back; what it ended stays ended',
    request: z.object({ memberId: id }),
    response: z.object({}),
    errors: [],
  }),
  'social/blocked': route({
    summary: 'Members whom one has blocked',
    request: z.object({}),
    response: z.object({ people: z.array(personSchema) }),
    errors: [],
  }),
}

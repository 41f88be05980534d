/** Chat groups: found by a number, joined with a password where they have one. */
import * as z from 'zod'
import { social as limits } from '../limits.ts'
import { route } from '../route.ts'
import { id, personSchema } from './people.ts'

const name = z.string().trim().min(1).max(limits.groupNameLength)
const introduction = z.string().trim().max(limits.introductionLength)
const password = z.string().max(limits.groupPasswordLength)
const number = z.string().regex(/^\d{6,12}$/)

export const chatGroupSchema = z.object({
  id: z.string(),
  chatId: z.string(),
  /** What people tell each other to join: digits. */
  number: z.string(),
  name: z.string(),
  introduction: z.string(),
  /** Shown above its chat; empty where there is none. */
  notice: z.string(),
  owner: personSchema,
  isOwner: z.boolean(),
  hasPassword: z.boolean(),
  memberCount: z.int(),
  createdAt: z.iso.datetime(),
})
export type ChatGroup = z.infer<typeof chatGroupSchema>

export const socialGroupCalls = {
  'social/groups': route({
    summary: 'Chat groups that one owns or joined, own ones first, and how many one may own',
    request: z.object({}),
    response: z.object({ groups: z.array(chatGroupSchema), ownLimit: z.int().nullable() }),
    errors: [],
  }),
  'social/createGroup': route({
    summary: 'Found a chat group',
    request: z.object({ name, introduction: introduction.default(''), password: password.default('') }),
    response: chatGroupSchema,
    errors: ['plan_limit', 'upgrade_needed'],
  }),
  'social/editGroup': route({
    summary: 'Change a group’s name, introduction, notice or password (its owner)',
    request: z.object({
      groupId: id,
      name,
      introduction,
      notice: z.string().trim().max(limits.noticeLength),
      /** Null = as it is; '' = none. */
      password: password.nullable().default(null),
    }),
    response: chatGroupSchema,
    errors: ['group_missing', 'not_allowed'],
  }),
  'social/findGroup': route({
    summary: 'The chat group behind a number, before joining',
    request: z.object({ number }),
    response: z.object({
      id: z.string(),
      number: z.string(),
      name: z.string(),
      introduction: z.string(),
      owner: personSchema,
      hasPassword: z.boolean(),
      memberCount: z.int(),
      joined: z.boolean(),
    }),
    errors: ['group_missing', 'tries_wait'],
  }),
  'social/joinGroup': route({
    summary: 'Join a chat group by its number and password',
    request: z.object({ number, password: password.default('') }),
    response: chatGroupSchema,
    errors: [
      'group_missing',
      'group_joined',
      'group_full',
      'access_password_wrong',
      'tries_wait',
      'social_refused',
      'group_barred',
    ],
  }),
  'social/inviteToGroup': route({
    summary: 'Bring a friend into a group',
    request: z.object({ groupId: id, memberId: id }),
    response: chatGroupSchema,
    errors: [
      'group_missing',
      'member_missing',
      'not_friends',
      'group_joined',
      'group_full',
      'social_refused',
      'not_allowed',
    ],
  }),
  'social/groupMembers': route({
    summary: 'Members of a chat group, its owner first',
    request: z.object({ groupId: id }),
    response: z.object({
      members: z.array(personSchema.extend({ isOwner: z.boolean(), joinedAt: z.iso.datetime() })),
    }),
    errors: ['group_missing'],
  }),
  'social/removeFromGroup': route({
    summary: 'Remove a member, who can join no more until the owner invites them (its owner)',
    request: z.object({ groupId: id, memberId: id }),
    response: z.object({}),
    errors: ['group_missing', 'not_allowed', 'member_missing'],
  }),
  'social/transferGroup': route({
    summary: 'Give a group to one of its members, whose level lets them own one more (its owner)',
    request: z.object({ groupId: id, memberId: id }),
    response: chatGroupSchema,
    errors: ['group_missing', 'not_allowed', 'member_missing', 'plan_limit'],
  }),
  'social/exitGroup': route({
    summary: 'Leave a group; its owner gives it away or dissolves it first',
    request: z.object({ groupId: id }),
    response: z.object({}),
    errors: ['group_missing', 'not_allowed'],
  }),
  'social/dissolveGroup': route({
    summary: 'End a group and delete its messages (its owner)',
    request: z.object({ groupId: id }),
    response: z.object({}),
    errors: ['group_missing', 'not_allowed'],
  }),
}

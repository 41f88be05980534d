/** Data groups: members who see the folders and files that any of them gave to the group. */
import * as z from 'zod'
import { sharing } from './limits.ts'
import { route } from './route.ts'
import { permissionSchema, sharedEntrySchema, shareSchema, withPatients } from './sharing.ts'

const id = z.string().min(1).max(40)
const name = z.string().trim().min(1).max(sharing.groupNameLength)
const about = z.string().trim().max(sharing.groupAboutLength)
const password = z.string().max(sharing.groupPasswordLength)

export const groupSchema = z.object({
  id: z.string(),
  /** What people tell each other to join: digits. */
  number: z.string(),
  name: z.string(),
  about: z.string(),
  isOwner: z.boolean(),
  owner: z.string(),
  hasPassword: z.boolean(),
  memberCount: z.int(),
  /** Folders and files given to it. */
  entryCount: z.int(),
  createdAt: z.iso.datetime(),
})
export type Group = z.infer<typeof groupSchema>

export const groupMemberSchema = z.object({
  id: z.string(),
  nickName: z.string(),
  photo: z.string(),
  isOwner: z.boolean(),
  joinedAt: z.iso.datetime(),
})
export type GroupMember = z.infer<typeof groupMemberSchema>

export const groupCalls = {
  'files/groups': route({
    summary: 'Groups that one owns or joined, own ones first',
    request: z.object({}),
    response: z.object({ groups: z.array(groupSchema), ownLimit: z.int().nullable() }),
    errors: [],
  }),
  'files/createGroup': route({
    summary: 'Found a group',
    /** An empty password lets in everybody who knows the number. */
    request: z.object({ name, about: about.default(''), password: password.default('') }),
    response: groupSchema,
    errors: ['plan_limit', 'upgrade_needed'],
  }),
  'files/editGroup': route({
    summary: 'Change a group’s name, introduction or password (its owner)',
    request: z.object({
      groupId: id,
      name,
      about,
      /** Null = as it is; '' = none. */
      password: password.nullable().default(null),
    }),
    response: groupSchema,
    errors: ['group_missing', 'not_allowed'],
  }),
  'files/findGroup': route({
    summary: 'The group behind a number, before joining',
    request: z.object({ number: z.string().regex(/^\d{6,12}$/) }),
    response: z.object({
      id: z.string(),
      name: z.string(),
      about: z.string(),
      owner: z.string(),
      hasPassword: z.boolean(),
      memberCount: z.int(),
      joined: z.boolean(),
    }),
    errors: ['group_missing', 'tries_wait'],
  }),
  'files/joinGroup': route({
    summary: 'Join a group by its number and password',
    request: z.object({ number: z.string().regex(/^\d{6,12}$/), password: password.default('') }),
    response: groupSchema,
    errors: ['group_missing', 'group_joined', 'group_full', 'access_password_wrong', 'tries_wait'],
  }),
  'files/groupMembers': route({
    summary: 'Members of a group',
    request: z.object({ groupId: id }),
    response: z.object({ members: z.array(groupMemberSchema) }),
    errors: ['group_missing'],
  }),
  'files/removeMember': route({
    summary: 'Remove a member and what they gave to the group (its owner)',
    request: z.object({ groupId: id, memberId: id }),
    response: z.object({}),
    errors: ['group_missing', 'not_allowed', 'missing'],
  }),
  'files/exitGroup': route({
    summary: 'Leave a group; what oneself gave to it goes along. The owner dissolves it instead',
    request: z.object({ groupId: id }),
    response: z.object({}),
    errors: ['group_missing', 'not_allowed'],
  }),
  'files/dissolveGroup': route({
    summary: 'End a group (its owner); the data stays with those who gave it',
    request: z.object({ groupId: id }),
    response: z.object({}),
    errors: ['group_missing', 'not_allowed'],
  }),
  'files/groupData': route({
    summary: 'What was given to a group, last first',
    request: z.object({ groupId: id, after: z.string().max(400).nullable().default(null) }),
    response: z.object({
      shared: z.array(
        sharedEntrySchema.extend({
          /** Given by oneself, or the group is one’s own: may be taken out. */
          canWithdraw: z.boolean(),
        }),
      ),
      next: z.string().nullable(),
    }),
    errors: ['group_missing'],
  }),
  'files/giveToGroup': route({
    summary: 'Give own files or folders to a group',
    request: z.object({
      groupId: id,
      ids: z.array(id).min(1).max(100),
      permission: permissionSchema,
      withPatients,
    }),
    response: z.object({ shares: z.array(shareSchema) }),
    errors: [
      'group_missing',
      'missing',
      'patients_named',
      'share_twice',
      'share_above',
      'shared_datasets_limit',
      'upgrade_needed',
    ],
  }),
  'files/takeFromGroup': route({
    summary: 'Take data out of a group: one’s own, or any as the group’s owner',
    request: z.object({ groupId: id, shareId: id }),
    response: z.object({}),
    errors: ['group_missing', 'missing', 'not_allowed'],
  }),
}

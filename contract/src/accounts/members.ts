/** Members as administrators see them, and what they do for them. */
import * as z from 'zod'
import { nickNameLength } from '../limits.ts'
import { route } from '../route.ts'
import { signInSchema } from './accounts.ts'
import { fullPhoneProblem, isEmail, nickNameProblem } from './form-rules.ts'
import { roles } from './roles.ts'

const id = z.string().min(1).max(40)
export const roleSchema = z.union(Object.values(roles).map((role) => z.literal(role)))
export const levelSchema = z.int().min(0).max(4)
/** What concerns the own account must be meant. */
const confirmed = z.boolean().default(false)

/** What somebody signs in with. */
export const accountSchema = z
  .string()
  .trim()
  .max(254)
  .superRefine((account, context) => {
    const problem = account.includes('@')
      ? isEmail(account)
        ? null
        : 'email_format'
      : fullPhoneProblem(account.replace(/^00/, '').replace(/[\s().-]/g, ''))
    if (problem) context.addIssue({ code: 'custom', message: `form.${problem}` })
  })

export const nickNameSchema = z
  .string()
  .trim()
  .max(nickNameLength)
  .superRefine((name, context) => {
    const problem = nickNameProblem(name)
    if (problem) context.addIssue({ code: 'custom', message: `form.${problem}` })
  })

export const memberSchema = z.object({
  id: z.string(),
  /** E-mail address or phone number that one signs in with. */
  account: z.string(),
  nickName: z.string(),
  /** As in the member's profile; '' where it was not given. */
  name: z.string(),
  organ: z.string(),
  role: roleSchema,
  /** What counts now, and until when. */
  vipLevel: levelSchema,
  vipValid: z.iso.datetime().nullable(),
  isSuper: z.boolean(),
  createdAt: z.iso.datetime(),
  /** The last sign-in; null = none that is still known. */
  signedInAt: z.iso.datetime().nullable(),
  isSignedIn: z.boolean(),
  /** Nobody signs in to it until an administrator allows it again. */
  isBlocked: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** Of live and removed files. */
  usedBytes: z.int(),
  /** Passwords and codes tried of late that were wrong; many of them slow or close the next sign-in. */
  wrongPasswords: z.int(),
})
export type Member = z.infer<typeof memberSchema>

export const memberSorts = ['made', 'name', 'account', 'level', 'role', 'signedIn', 'storage'] as const
export type MemberSort = (typeof memberSorts)[number]
/** `waiting`: made by an administrator, and not signed in to yet. */
export const memberStates = ['signedIn', 'blocked', 'waiting'] as const
export type MemberState = (typeof memberStates)[number]

/** A password that is shown once, and changed at the first sign-in. */
const password = z.string()

export const memberCalls = {
  'members/list': route({
    summary: 'One page of all members, the newest first unless sorted; for administrators, as all calls here',
    request: z.object({
      search: z.string().max(200).default(''),
      role: roleSchema.nullable().default(null),
      level: levelSchema.nullable().default(null),
      state: z.enum(memberStates).nullable().default(null),
      hasSecondFactor: z.boolean().nullable().default(null),
      sort: z.enum(memberSorts).default('made'),
      isDescending: z.boolean().default(true),
      page: z.int().min(1).max(100_000).default(1),
    }),
    response: z.object({ members: z.array(memberSchema), total: z.int(), pageSize: z.int() }),
    errors: [],
  }),
  'members/sessions': route({
    summary: 'The latest sign-ins of a member',
    request: z.object({ id }),
    response: z.object({ items: z.array(signInSchema) }),
    errors: ['member_missing'],
  }),
  'members/create': route({
    summary: 'Make an account; its password is told this once',
    request: z.object({
      account: accountSchema,
      nickName: nickNameSchema,
      role: roleSchema.default(roles.member),
      level: levelSchema.default(1),
    }),
    response: z.object({ member: memberSchema, password }),
    errors: ['account_taken'],
  }),
  'members/password': route({
    summary: 'Give an account a new password, told this once; its session ends',
    request: z.object({ id, confirmed }),
    response: z.object({ member: memberSchema, password }),
    errors: ['member_missing', 'own_account'],
  }),
  'members/unlock': route({
    summary: 'Forget the wrong passwords that were tried',
    request: z.object({ id }),
    response: memberSchema,
    errors: ['member_missing'],
  }),
  'members/role': route({
    summary: 'Give a member another role; the session ends',
    request: z.object({ id, role: roleSchema, confirmed }),
    response: memberSchema,
    errors: ['member_missing', 'own_account', 'last_administrator'],
  }),
  'members/level': route({
    summary: 'Give a member a level, until a moment or for ever',
    request: z.object({ id, level: levelSchema, until: z.iso.datetime().max(40).nullable() }),
    response: memberSchema,
    errors: ['member_missing'],
  }),
  'members/super': route({
    summary: 'Free a member of all limits, or no longer',
    request: z.object({ id, isSuper: z.boolean() }),
    response: memberSchema,
    errors: ['member_missing'],
  }),
  'members/signOut': route({
    summary: "End a member's session",
    request: z.object({ id, confirmed }),
    response: memberSchema,
    errors: ['member_missing', 'own_account'],
  }),
  'members/block': route({
    summary: 'Block signing in to an account, or allow it again; what is in it stays',
    request: z.object({ id, isBlocked: z.boolean(), confirmed }),
    response: memberSchema,
    errors: ['member_missing', 'own_account', 'last_administrator'],
  }),
  'members/secondFactorOff': route({
    summary: "Take a member's second factor away, when it is lost; the session ends. Never one's own",
    request: z.object({ id }),
    response: memberSchema,
    errors: ['member_missing', 'not_allowed', 'second_factor_off'],
  }),
  'members/close': route({
    summary:
      'Close an account for good: all that is its own is deleted; its sign-in name must be given once more',
    request: z.object({ id, account: z.string().trim().max(254), confirmed }),
    response: z.object({}),
    errors: ['member_missing', 'own_account', 'last_administrator', 'invalid', 'work_held'],
  }),
}

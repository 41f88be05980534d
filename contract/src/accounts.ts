/** Accounts: sign-in, the session, the own profile. Field names are the specification's. */
import * as z from 'zod'
import { route } from './route.ts'

export const honorifics = [
  'Prof Dr',
  'Prof',
  'Assoc Prof',
  'Asst Prof',
  'Dr',
  'Mr',
  'Ms',
  'Mdm',
  'Sir',
  'Messrs',
  'Revd',
] as const
export const occupations = ['scientist', 'engineer', 'doctor', 'nurse', 'student', 'other'] as const
export const educations = [
  'polytechnic',
  'junior college',
  'undergraduate',
  'postgraduate',
  'doctorate',
] as const

/** 0 member, 1 service provider, 2 administrator, 3 member of a partner institution. */
export const roles = { member: 0, provider: 1, administrator: 2, partner: 3 } as const

/** Numbers arrive as text from forms. */
const userId = z.string().max(40).optional()
const text = z.string().trim().max(200)

/** Profile fields that a member may set; everything else of a user is never settable by `user/edit`. */
export const profileSchema = z.object({
  nickName: text.min(1),
  name: text,
  surname: text,
  job: z.union([z.enum(honorifics), z.literal('')]),
  appellation: text,
  sex: z.enum(['male', 'female', '']),
  age: z.coerce.number().int().min(0).max(150).nullable(),
  edu: z.union([z.enum(educations), z.literal('')]),
  country: text,
  currCountry: text,
  area: text,
  address: text,
  postcode: text,
  bakPhone: text,
  bakPhoneUsage: text,
  fax: text,
  email1: text,
  email2: text,
  email3: text,
  firstContact: z.enum(['email', 'fax', 'phone', '']),
  organ: text,
  position: text,
  dept: text,
  title: text,
  keyword: text,
  photo: text,
})
export type Profile = z.infer<typeof profileSchema>

/** A user as its owner sees it; never a password or a whole document number. */
export const userSchema = profileSchema.extend({
  id: z.string(),
  role: z.int(),
  vipLevel: z.int(),
  vipSuper: z.int(),
  vipValid: z.string().nullable(),
  phone: z.string(),
  email: z.string(),
  type: z.int(),
  /** Digits of modules whose introduction is still shown: 1 project, 2 cloud, 3 toolbox, 4 community, 5 order. */
  showIntroduce: z.string(),
})
export type User = z.infer<typeof userSchema>

/** A puzzle solved for one purpose does not serve another. */
export const challengePurposes = ['login', 'sms', 'register', 'forget'] as const
export type ChallengePurpose = (typeof challengePurposes)[number]

/** A small puzzle, signed by the server: find the number whose SHA-256 with `salt` gives `target`. */
export const challengeSchema = z.object({
  salt: z.string(),
  target: z.string(),
  maxNumber: z.int(),
  expiresAt: z.int(),
  signature: z.string(),
})
export type Challenge = z.infer<typeof challengeSchema>

/** JSON text of the solved puzzle, so that it fits a form field. */
export const proofSchema = challengeSchema.omit({ maxNumber: true }).extend({ number: z.int().min(0) })
export type Proof = z.infer<typeof proofSchema>

export const accountCalls = {
  'setting/public': route({
    summary: 'What a page must know before sign-in',
    request: z.object({}),
    response: z.object({
      /** -1 on a hospital's own server (accounts come from the back-office), else 0. */
      host: z.int(),
      /** true = SMS, mail and payments go to a local sandbox; pages say so. */
      trial: z.boolean(),
      /** true = people can make their own account and renew a forgotten password here. */
      registration: z.boolean(),
      version: z.string(),
    }),
    errors: [],
  }),
  'user/challenge': route({
    summary: 'A puzzle for the drag slider',
    request: z.object({ purpose: z.enum(challengePurposes) }),
    response: challengeSchema,
    errors: [],
  }),
  'user/login': route({
    summary: 'Sign in with phone or e-mail and password',
    request: z.object({
      account: z.string().trim().min(1).max(200),
      password: z.string().min(1).max(1000),
      ocibe: z.coerce.number().optional(),
      proof: z.string().max(2000).optional(),
    }),
    response: userSchema.extend({ token: z.string() }),
    errors: ['wrong_credentials', 'drag_required', 'too_many_tries'],
    spread: true,
  }),
  'user/logout': route({
    summary: 'End the session',
    request: z.object({ userId }),
    response: z.object({}),
    errors: [],
  }),
  'user/info': route({
    summary: 'The own profile',
    request: z.object({ userId }),
    response: userSchema,
    errors: [],
    spread: true,
  }),
  'user/edit': route({
    summary: 'Change the own profile, or only showIntroduce',
    request: profileSchema.partial().extend({
      userId,
      showIntroduce: z
        .string()
        .regex(/^[1-5]{0,5}$/)
        .optional(),
    }),
    response: userSchema,
    errors: ['english_only'],
    spread: true,
  }),
  'user/size': route({
    summary: 'Storage in use',
    request: z.object({ userId }),
    response: z.object({ storageSize: z.int(), storageLimit: z.int().nullable() }),
    errors: [],
    spread: true,
  }),
  'user/ticket': route({
    summary: 'A one-use ticket that opens the live connection',
    request: z.object({}),
    response: z.object({ ticket: z.string() }),
    errors: [],
  }),
}

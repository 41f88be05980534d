/** Accounts: sign-in, the session, the own profile. Field names are the specification's. */
import * as z from 'zod'
import { languageSchema } from '../language.ts'
import { moduleNameSchema, moduleNames } from '../office/modules.ts'
import { route } from '../route.ts'
import { documentTypes, passwordProblem } from './form-rules.ts'
import { contacts, educations, honorifics, sexes } from './member-options.ts'

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
  sex: z.union([z.enum(sexes), z.literal('')]),
  age: z.coerce.number().int().min(0).max(150).nullable(),
  edu: z.union([z.enum(educations), z.literal('')]),
  country: text,
  currCountry: text,
  /** '/'-joined codes of province, city and district; 'other' where none fits. */
  area: text,
  address: text,
  postcode: text,
  cardType: z.union([z.enum(documentTypes), z.literal('')]),
  /** Whole on its way in, masked on its way out; a masked one means "as it was". */
  cardNumber: z.string().trim().max(40),
  /** How to be reached; one or several addresses. The address of the sign-in never changes by it. */
  phone: text,
  email: text,
  bakPhone: text,
  bakPhoneUsage: text,
  fax: text,
  email1: text,
  email2: text,
  email3: text,
  firstContact: z.union([z.enum(contacts), z.literal('')]),
  organ: text,
  position: text,
  dept: text,
  title: text,
  keyword: text,
  photo: text,
})
export type Profile = z.infer<typeof profileSchema>

/** The same in a form that may leave any of it empty. */
export const memberShape = z
  .object({
    ...profileSchema.omit({ nickName: true, age: true, photo: true }).shape,
    age: z.preprocess(
      (value) => (value === '' ? null : value),
      z.coerce.number().int().min(0).max(150).nullable(),
    ),
    photo: text,
  })
  .partial().shape

/** A user as its owner sees it; never a password or a whole document number. */
export const userSchema = profileSchema.extend({
  id: z.string(),
  /** The levels of `area`, from the province on; empty where none was given. */
  areaList: z.array(z.string()),
  role: z.int(),
  vipLevel: z.int(),
  vipSuper: z.int(),
  vipValid: z.string().nullable(),
  /** 1 once the whole profile was given. */
  type: z.int(),
  /** The password was printed at the first start, or drawn for an administrator: nothing else can be done before it is changed. */
  mustChangePassword: z.boolean(),
  /** By what the account signs in, and what therefore is not changed with the profile. */
  account: z.enum(['phone', 'email']),
  /** Digits of modules whose introduction is still shown: 1 project, 2 cloud, 3 toolbox, 4 community, 5 order. */
  showIntroduce: z.string(),
  /** Chosen while signed in, in whichever browser; null = never. */
  language: languageSchema.nullable(),
  /** Wishes an e-mail when a run that took minutes has ended. */
  runMail: z.boolean(),
})
export type User = z.infer<typeof userSchema>

/** What whoever signs in gets: the own record and what opens the session. */
export const signedInSchema = userSchema.extend({
  token: z.string(),
  /** Good for nothing but telling that the window closes: a page cannot send its token then. */
  closing: z.string(),
})

/** A puzzle solved for one purpose does not serve another. */
export const challengePurposes = ['login', 'sms', 'register', 'forget', 'message', 'link'] as const
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
export const proofSchema = challengeSchema.extend({ number: z.int().min(0) })
export type Proof = z.infer<typeof proofSchema>

/** One sign-in, without its secrets. */
export const signInSchema = z.object({
  id: z.string(),
  startedAt: z.string(),
  usedAt: z.string(),
  endedAt: z.string().nullable(),
  endReason: z.enum(['replaced', 'signed_out', 'expired']).nullable(),
  address: z.string(),
  /** Browser and system as the browser says; empty = a program. */
  agent: z.string(),
})
export type SignIn = z.infer<typeof signInSchema>

/** What an account's history tells; its texts are the page's. */
export const accountDeeds = [
  'register',
  'edit',
  'new_password',
  'wrong_password',
  'export',
  'link_made',
  'link_asked',
  'link_used',
  'partner_changed',
  'made_for_you',
  'password_given',
  'role_changed',
  'level_changed',
  'blocked',
  'opened',
  'second_factor_on',
  'second_factor_off',
  'second_factor_codes',
  'second_factor_taken',
  'wrong_code',
] as const

/** What waits for administrators in the back-office. */
export const officeNews = [
  'office_dispute',
  'office_claim',
  'office_custom_task',
  'office_code',
  'office_withdrawal',
  'office_report',
] as const
export type OfficeNews = (typeof officeNews)[number]

/** What the message box tells; its texts are the page's. */
export const noticeKinds = [
  'signed_in_elsewhere',
  'password_changed',
  'shared_with_you',
  'share_withdrawn',
  'group_joined',
  'group_removed',
  'group_dissolved',
  'project_shared',
  'project_unshared',
  'recipe_shared',
  'tool_shared',
  'tool_answers_no_room',
  'labels_shared',
  'labels_unshared',
  'labels_returned',
  'clock_jumped',
  'disk_low',
  /** Of the server's backups: `name` of its folder, and what the server says in `problem`. */
  'backup_failed',
  'backup_test_failed',
  'proxy_untrusted',
  'password_given',
  'role_changed',
  /** Of the member's partner: its name in `partner`. */
  'partner_joined',
  'partner_left',
  'level_changed',
  'level_ends',
  'level_ended',
  /** Of orders: what a plan gave (`level`, `until` or '' without end), and what becomes of money and invoices. */
  'plan_paid',
  'payment_returning',
  'order_refunded',
  'invoice_issued',
  'invoice_refused',
  'super_given',
  'super_taken',
  'account_unlocked',
  'account_opened',
  'second_factor_on',
  'second_factor_off',
  /** By an administrator. */
  'second_factor_taken',
  /** A recovery code was used: so many are left in `left`. */
  'recovery_code_used',
  /** By an administrator: `name` is private again, for that `reason`. */
  'folder_withdrawn',
  'project_withdrawn',
  /** Of the shop, with `model`; `reason` where a person gave one. */
  'model_listed',
  'model_refused',
  'model_banned',
  'model_sold',
  'model_given',
  'sale_recorded',
  'sale_refunded',
  'claim_opened',
  'claim_granted',
  'claim_refused',
  /** Of the wallet: `amount` in yuan, `number`; `reason` where it was refused. */
  'withdrawal_recorded',
  'withdrawal_refused',
  /** Of the market: `title` and `demandId`; `amount` in yuan, `member`, and `reason` where a person said so. */
  'offer_received',
  'offer_changed',
  'offer_removed',
  'offer_selected',
  'offer_declined',
  'demand_withdrawn',
  'work_delivered',
  'work_sent_back',
  'work_accepted',
  'work_reminder',
  'work_disputed',
  'dispute_decided',
  'work_given_up',
  'work_rated',
  /** Of a custom task: `task` its id, `title`; `amount` in yuan, `progress` in percent, `reason` and `date` where there are. */
  'custom_received',
  'custom_priced',
  'custom_approved',
  'custom_rejected',
  'custom_progress',
  'custom_completed',
  'custom_assigned',
  /** Of a code upload: `name`; `reason` where it was rejected. */
  'code_approved',
  'code_rejected',
  /** Of a run that ended: `run`, its kind in `what`, its `number` and its `project`. */
  'run_done',
  'run_failed',
  'run_stopped',
  /** Of the social centre: `member`, and of a reply `postId`. */
  'friend_request',
  'friend_accepted',
  'post_reply',
  ...officeNews,
] as const
export const noticeSchema = z.object({
  id: z.string(),
  kind: z.enum(noticeKinds),
  /** For the text: the address of a sign-in, names of members, groups and files. */
  params: z.record(z.string(), z.string()),
  at: z.string(),
  isRead: z.boolean(),
})
export type Notice = z.infer<typeof noticeSchema>

export const accountCalls = {
  'setting/public': route({
    summary: 'What a page must know before sign-in',
    request: z.object({}),
    response: z.object({
      /** -1 on a hospital's own server (accounts come from the back-office), else 0. */
      host: z.int(),
      /** true = SMS, mail and payments go to a local sandbox; pages say so. */
      trial: z.boolean(),
      /** true = whoever asks may open the page of messages that the trial did not send (`/dev/outbox`). */
      outbox: z.boolean(),
      /** true = people can make their own account here. */
      registration: z.boolean(),
      /** true = people can renew a forgotten password here. */
      renewal: z.boolean(),
      /** Modules that an administrator switched off. */
      off: z.array(moduleNameSchema).max(moduleNames.length),
      /** true = a code can also be sent by e-mail. */
      mail: z.boolean(),
      /** Whether e-mails are sent to members at all. */
      letters: z.boolean(),
      /** Area codes of the countries that text messages are sent to. */
      smsCountries: z.array(z.string()),
      version: z.string(),
    }),
    errors: [],
  }),
  'user/challenge': route({
    summary: 'A puzzle for the drag slider',
    request: z.object({
      purpose: z.enum(challengePurposes),
      /** Whose sign-in it is for: while somebody guesses there, the puzzle is harder. */
      account: z.string().trim().max(200).default(''),
    }),
    response: challengeSchema,
    errors: [],
  }),
  'user/login': route({
    summary: 'Sign in with phone or e-mail and password, or by the key of a link',
    request: z
      .object({
        account: z.string().trim().max(200).default(''),
        password: z.string().max(1000).default(''),
        /** Opaque, used once; stands in the address of a link that an administrator made. */
        key: z.string().max(200).optional(),
        ocibe: z.coerce.number().optional(),
        proof: z.string().max(1000).optional(),
      })
      .refine(({ account, password, key }) => key !== undefined || (account !== '' && password !== ''), {
        path: ['account'],
        message: 'form.required',
      }),
    response: signedInSchema,
    errors: [
      'wrong_credentials',
      'drag_required',
      'drag_again',
      'too_many_tries',
      'key_expired',
      'second_factor_needed',
    ],
    spread: true,
  }),
  'user/key': route({
    summary: "A link's key that signs one member in, once, within a minute; for administrators",
    request: z.object({
      account: z.string().trim().min(1).max(200),
      /** Where the link leads; below this server's own address. */
      path: z
        .string()
        .max(500)
        .regex(/^\/(?![/\\])/),
    }),
    response: z.object({ key: z.string(), url: z.string(), expiresAt: z.int() }),
    errors: ['account_missing'],
  }),
  'user/closing': route({
    summary: 'A window closes: the session ends in a moment unless a tab speaks up',
    request: z.object({ closing: z.string().max(200) }),
    response: z.object({}),
    errors: [],
  }),
  'user/stay': route({
    summary: 'A tab is open: the session stays',
    request: z.object({}),
    response: z.object({}),
    errors: [],
  }),
  'user/password': route({
    summary: 'Change the password; every other session ends and this one gets a new token',
    request: z
      .object({ userId, old: z.string().min(1).max(1000), password: z.string().max(1000) })
      .superRefine(({ password }, context) => {
        const problem = passwordProblem(password)
        if (problem) context.addIssue({ code: 'custom', path: ['password'], message: `form.${problem}` })
      }),
    response: z.object({ token: z.string(), closing: z.string() }),
    errors: ['password_wrong', 'too_many_tries'],
  }),
  'user/signins': route({
    summary: 'The latest sign-ins of the account',
    request: z.object({ userId }),
    response: z.object({
      items: z.array(signInSchema.extend({ isCurrent: z.boolean() })),
    }),
    errors: [],
  }),
  'user/history': route({
    summary: 'The latest that happened to the account, sign-ins aside',
    request: z.object({ userId }),
    response: z.object({
      items: z.array(
        z.object({ id: z.string(), deed: z.enum(accountDeeds), at: z.string(), address: z.string() }),
      ),
    }),
    errors: [],
  }),
  'user/export': route({
    summary: "A link, good for a minute, to an archive of everything that is the member's own",
    request: z.object({ userId }),
    response: z.object({ url: z.string() }),
    errors: [],
  }),
  'user/cancel': route({
    summary: 'Close the account for good: all that is its own is deleted',
    request: z.object({ userId, password: z.string().min(1).max(1000) }),
    response: z.object({}),
    errors: ['password_wrong', 'too_many_tries', 'last_administrator', 'work_held'],
  }),
  'setting/contract': route({
    summary: 'The user agreement as PDF, in Chinese; the word Chinese in the link stands for the language',
    request: z.object({}),
    response: z.object({ url: z.string() }),
    errors: [],
  }),
  'notice/list': route({
    summary: 'The latest notices to the member, and how many are unread',
    request: z.object({}),
    response: z.object({ items: z.array(noticeSchema), unreadCount: z.int() }),
    errors: [],
  }),
  'notice/read': route({
    summary: 'All notices up to this one have been read',
    request: z.object({ id: z.string().max(40) }),
    response: z.object({}),
    errors: [],
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
    summary: 'Change the own profile, or only showIntroduce, the language or the wish for e-mails',
    request: profileSchema.partial().extend({
      userId,
      showIntroduce: z
        .string()
        .regex(/^[1-5]{0,5}$/)
        .optional(),
      language: languageSchema.optional(),
      runMail: z.boolean().optional(),
    }),
    response: userSchema,
    errors: ['english_only', 'invalid'],
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

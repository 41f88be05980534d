/** Own data given to others: to an account, to a group, or by a link that opens without signing in. */
import * as z from 'zod'
import { accessSchema, entrySchema } from './files.ts'
import { sharing } from './limits.ts'
import { route } from './route.ts'

const id = z.string().min(1).max(40)
/** The owner's word that files which name their patient are given too, those that come in later as well. */
export const withPatients = z.boolean().default(false)

/** What somebody else may do. */
export const permissionSchema = z.enum(['view', 'edit'])
export type Permission = z.infer<typeof permissionSchema>

/** Somebody whom an entry is shared with. */
export const shareSchema = z.object({
  id: z.string(),
  member: z.object({ nickName: z.string(), photo: z.string(), account: z.string() }).nullable(),
  group: z.object({ id: z.string(), name: z.string() }).nullable(),
  permission: permissionSchema,
  sharedAt: z.iso.datetime(),
})
export type Share = z.infer<typeof shareSchema>

/** A link, without its secret: that is shown once, when the link is made. */
export const shareLinkSchema = z.object({
  id: z.string(),
  expiresAt: z.iso.datetime(),
  hasPassword: z.boolean(),
  createdAt: z.iso.datetime(),
  opened: z.int(),
  lastOpenedAt: z.iso.datetime().nullable(),
})
export type ShareLink = z.infer<typeof shareLinkSchema>

/** An entry that somebody else gave access to. */
export const sharedEntrySchema = z.object({
  shareId: z.string(),
  entry: entrySchema,
  access: accessSchema,
  owner: z.string(),
  sharedAt: z.iso.datetime(),
})
export type SharedEntry = z.infer<typeof sharedEntrySchema>

const linkPassword = z.string().min(sharing.linkPasswordMinLength).max(sharing.linkPasswordLength)
/** The secret part of a link's address. */
const linkToken = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/)

export const sharingCalls = {
  'files/share': route({
    summary: 'Share an own file or folder with an account',
    request: z.object({
      id,
      account: z.string().trim().min(1).max(254),
      permission: permissionSchema,
      withPatients,
    }),
    response: shareSchema,
    errors: [
      'missing',
      'patients_named',
      'account_missing',
      'share_self',
      'share_twice',
      'share_above',
      'share_limit',
      'shared_datasets_limit',
      'upgrade_needed',
      'tries_wait',
    ],
  }),
  'files/changeShare': route({
    summary: 'Give a share another permission',
    request: z.object({ shareId: id, permission: permissionSchema }),
    response: shareSchema,
    errors: ['missing'],
  }),
  'files/unshare': route({
    summary: 'Withdraw shares of own data; access ends at once, running downloads included',
    request: z.object({ shareIds: z.array(id).min(1).max(1000) }),
    response: z.object({ withdrawn: z.int() }),
    errors: ['missing'],
  }),
  'files/leaveShare': route({
    summary: 'Give up what somebody shared with oneself',
    request: z.object({ shareId: id }),
    response: z.object({}),
    errors: ['missing'],
  }),
  'files/shares': route({
    summary: 'Whom an own file or folder is shared with, and its links',
    request: z.object({ id }),
    response: z.object({
      shares: z.array(shareSchema),
      links: z.array(shareLinkSchema),
      /** Accounts that one thing may be shared with; null = any number. */
      accountLimit: z.int().nullable(),
    }),
    errors: ['missing'],
  }),
  'files/sharedWithMe': route({
    summary: 'What others shared with oneself, last first',
    request: z.object({ after: z.string().max(400).nullable().default(null) }),
    response: z.object({ shared: z.array(sharedEntrySchema), next: z.string().nullable() }),
    errors: [],
  }),
  'files/createLink': route({
    summary: 'Make a link that opens an own file or folder, for reading, without signing in',
    request: z.object({
      id,
      days: z
        .int()
        .min(1)
        .max(Math.max(...sharing.linkDays)),
      password: linkPassword.nullable().default(null),
      withPatients,
    }),
    /** `token` is shown this once; the address is `/shareFile#s=<token>`. */
    response: z.object({ link: shareLinkSchema, token: z.string() }),
    errors: ['missing', 'patients_named', 'link_limit', 'shared_datasets_limit', 'upgrade_needed'],
  }),
  'files/revokeLink': route({
    summary: 'End a link at once',
    request: z.object({ linkId: id }),
    response: z.object({}),
    errors: ['missing'],
  }),
  'files/visitLink': route({
    summary: 'Open a link (no sign-in): what it shows, and a pass for the further calls',
    request: z.object({
      token: linkToken,
      password: z.string().max(sharing.linkPasswordLength).default(''),
      /** Asked for where the password was often wrong. */
      proof: z.string().max(1000).optional(),
    }),
    response: z.object({
      /** Null while the password is missing. */
      pass: z.string().nullable(),
      needsPassword: z.boolean(),
      owner: z.string(),
      entry: entrySchema.omit({ shared: true }).nullable(),
      expiresAt: z.iso.datetime(),
    }),
    errors: ['link_gone', 'access_password_wrong', 'drag_required', 'tries_wait'],
  }),
  'files/listLinked': route({
    summary: 'One page of a folder behind a link',
    request: z.object({
      pass: z.string().max(800),
      /** Null = what the link shows. */
      folderId: id.nullable(),
      after: z.string().max(800).nullable().default(null),
    }),
    response: z.object({
      path: z.array(z.object({ id: z.string(), name: z.string() })),
      entries: z.array(entrySchema.omit({ shared: true })),
      next: z.string().nullable(),
      total: z.int(),
      /** As in `files/list`. */
      withheld: z.int(),
    }),
    errors: ['missing', 'link_gone'],
  }),
  'files/openLinked': route({
    summary: 'A short-lived address of one file behind a link, or of a folder as a zip',
    request: z.object({ pass: z.string().max(800), id, download: z.boolean().default(false) }),
    response: z.object({ url: z.string(), name: z.string(), sizeBytes: z.int() }),
    errors: ['missing', 'link_gone'],
  }),
}

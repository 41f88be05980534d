/** Partners: other systems, such as a hospital's own, that may sign their members in by links. */
import * as z from 'zod'
import { partners as limits } from '../limits.ts'
import { route } from '../route.ts'
import { accountSchema } from './members.ts'

const id = z.string().min(1).max(40)
const name = z.string().trim().min(1).max(limits.nameLength)
const page = z.int().min(1).max(100_000).default(1)

export const partnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Whom it may sign in. */
  members: z.int(),
  madeAt: z.iso.datetime(),
  /** When it last asked for a link; null = never. */
  usedAt: z.iso.datetime().nullable(),
})
export type Partner = z.infer<typeof partnerSchema>

/** Shown this once: the server keeps only what it is checked by. */
const withSecret = z.object({ partner: partnerSchema, secret: z.string() })

export const partnerCalls = {
  'partners/list': route({
    summary: 'All partners; for administrators, as all calls here but the last',
    request: z.object({}),
    response: z.object({ partners: z.array(partnerSchema).max(limits.most) }),
    errors: [],
  }),
  'partners/create': route({
    summary: 'Make a partner; its secret is told this once',
    request: z.object({ name }),
    response: withSecret,
    errors: ['partner_many'],
  }),
  'partners/secret': route({
    summary: 'Give a partner a new secret, which is told this once; the one before is good for nothing',
    request: z.object({ id }),
    response: withSecret,
    errors: ['partner_missing'],
  }),
  'partners/revoke': route({
    summary: 'Delete a partner: its secret and its links are good for nothing, its members stay as they are',
    request: z.object({ id }),
    response: z.object({}),
    errors: ['partner_missing'],
  }),
  'partners/members': route({
    summary: 'One page of those whom a partner may sign in',
    request: z.object({ id, page }),
    response: z.object({
      members: z
        .array(z.object({ id: z.string(), nickName: z.string(), account: z.string() }))
        .max(limits.pageSize),
      total: z.int(),
      pageSize: z.int(),
    }),
    errors: ['partner_missing'],
  }),
  'partners/addMember': route({
    summary: 'Let a partner sign a member in; never an administrator, and no member of another partner',
    request: z.object({ id, account: accountSchema }),
    response: z.object({}),
    errors: ['partner_missing', 'account_missing', 'partner_elsewhere', 'not_allowed'],
  }),
  'partners/removeMember': route({
    summary: 'A partner may no longer sign a member in',
    request: z.object({ id, memberId: id }),
    response: z.object({}),
    errors: ['partner_missing', 'member_missing'],
  }),
  'partner/key': route({
    summary:
      "For partners' own servers: a link's key that signs one of their members in, once, within a minute",
    request: z.object({
      partner: id,
      secret: z.string().min(1).max(200),
      account: z.string().trim().min(1).max(200),
      /** Where the link leads; below this server's own address. */
      path: z
        .string()
        .max(500)
        .regex(/^\/(?![/\\])/)
        .default('/mangeHome'),
    }),
    response: z.object({ key: z.string(), url: z.string(), expiresAt: z.int() }),
    errors: ['partner_refused', 'account_missing', 'rate_limited'],
  }),
}

import type { accountDeeds } from '@neuroloom/contract/accounts/accounts'
import type { Answer } from '@neuroloom/contract/calls'
import { signIns as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { auditEvents } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'

type Deed = (typeof accountDeeds)[number]

/** Sign-ins have a list of their own; what else is written down of an account, its owner may read. */
const deeds: Readonly<Record<string, Deed>> = {
  'account.register': 'register',
  'account.edit': 'edit',
  'account.new_password': 'new_password',
  'account.wrong_password': 'wrong_password',
  'session.wrong_password': 'wrong_password',
  'account.export': 'export',
  'key.make': 'link_made',
  'key.ask': 'link_asked',
  'session.open_by_key': 'link_used',
  'member.create': 'made_for_you',
  'member.password': 'password_given',
  'member.role': 'role_changed',
  'member.partner': 'partner_changed',
  'member.level': 'level_changed',
  'member.super': 'level_changed',
  'member.block': 'blocked',
  'member.open': 'opened',
  'account.second_factor_on': 'second_factor_on',
  'account.second_factor_off': 'second_factor_off',
  'account.second_factor_codes': 'second_factor_codes',
  'member.second_factor_off': 'second_factor_taken',
  'session.wrong_code': 'wrong_code',
}

/** What happened to the own account, whoever did it; newest first. */
export async function history(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'user/history'>> {
  return { items: await deedsOf(ctx, user.id) }
}

export async function deedsOf(ctx: Context, userId: string): Promise<Answer<'user/history'>['items']> {
  const rows = await ctx.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.subject, `user:${userId}`), inArray(auditEvents.action, Object.keys(deeds))))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(limits.shown)
  return rows.flatMap(({ id, action, at, address }) => {
    const deed = deeds[action]
    return deed ? [{ id: String(id), deed, at: at.toISOString(), address }] : []
  })
}

/** Who may ask for a custom task. */
import { custom as limits } from '@neuroloom/contract/limits'
import type { SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { lockMember } from '../../payments/service.ts'
import { standingOf } from '../../plans/service.ts'

/** Whether a member's level is at least this one. */
export function reaches(ctx: Context, member: Parameters<typeof standingOf>[1], level: number): boolean {
  const { vipLevel, vipSuper } = standingOf(ctx, member)
  return vipSuper !== 0 || vipLevel >= level
}

/** Gold members and above may order (design 4.13). Locks the member until the transaction ends. */
export async function requireOrderer(ctx: Context, tx: Tx, user: Pick<SessionUser, 'id'>): Promise<void> {
  const member = await lockMember(tx, user.id)
  if (!member) throw fail('not_allowed')
  if (!reaches(ctx, member, limits.orderLevel)) throw fail('application_unavailable')
}

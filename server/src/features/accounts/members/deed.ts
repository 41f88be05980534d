import { roles } from '@neuroloom/contract/accounts/roles'
import { and, eq, isNull } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import { type AuditState, audit, changedFacts } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { addNotice } from '../../../infra/notices.ts'
import { lockAdministrators } from '../administrators.ts'
import { type UserRow, users } from '../tables.ts'

/** An administrator, or whoever works at the server's own console (nobody signed in). */
export type Doer = { user: { id: string } | null; address: string }
export type Notice = Omit<Parameters<typeof addNotice>[2], 'userId'>

type Deed = {
  by: Doer
  memberId: string
  /** For the record of deeds. */
  action: `member.${string}`
  /** What happens to the own account must be meant; absent where it does no harm. */
  confirmed?: boolean
  /** Whether the member is an administrator no longer; the last one stays. */
  endsAdministrator?: boolean
}

/**
 * What an administrator does to a member, with the member's row locked: done, written down and, where `change` answers
 * with a notice, told in the member's message box; all of it or nothing.
 */
export async function perform(
  ctx: Context,
  { by, memberId, action, confirmed, endsAdministrator = false }: Deed,
  change: (tx: Tx, member: UserRow) => Promise<Notice | null>,
): Promise<void> {
  if (by.user?.id === memberId && confirmed === false) throw fail('own_account')
  await ctx.db.transaction(async (tx) => {
    // Before the member's own row, so that all who end an administrator's office lock in the same order.
    const administrators = endsAdministrator ? await lockAdministrators(tx) : []
    const [member] = await tx
      .select()
      .from(users)
      .where(and(eq(users.id, memberId), isNull(users.cancelledAt)))
      .for('update')
    if (!member) throw fail('member_missing')
    const isLast = administrators.every(({ id }) => id === memberId)
    if (endsAdministrator && member.role === roles.administrator && isLast) throw fail('last_administrator')
    const notice = await change(tx, member)
    if (notice) await addNotice(ctx, tx, { userId: memberId, ...notice })
    const [after] = await tx.select().from(users).where(eq(users.id, memberId))
    await audit(tx, {
      actor: by.user?.id ?? null,
      action,
      subject: `user:${memberId}`,
      address: by.address,
      ...changedFacts(factsOf(member), factsOf(after ?? member)),
    })
  })
}

/** What of a member's account the audit log may say. */
const factsOf = ({
  role,
  partnerId,
  vipLevel,
  vipValid,
  vipSuper,
  blockedAt,
  cancelledAt,
}: UserRow): AuditState => ({
  role,
  partner: partnerId,
  vipLevel,
  vipSuper,
  vipValid: vipValid?.toISOString() ?? null,
  isBlocked: blockedAt !== null,
  isClosed: cancelledAt !== null,
})

import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { addNotice } from '../../infra/notices.ts'
import { users } from '../accounts/tables.ts'

/** Tells a member, where there still is one: money comes and goes after an account is closed, too. */
export async function tell(ctx: Context, tx: Tx, notice: Parameters<typeof addNotice>[2]): Promise<void> {
  const isThere = and(eq(users.id, notice.userId), isNull(users.cancelledAt))
  if ((await tx.$count(users, isThere)) > 0) await addNotice(ctx, tx, notice)
}

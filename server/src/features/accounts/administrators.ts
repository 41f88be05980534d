import type { OfficeNews } from '@neuroloom/contract/accounts/accounts'
import { roles } from '@neuroloom/contract/accounts/roles'
import { and, eq, gt, isNull, type SQL } from 'drizzle-orm'
import { alarm, type TellAdministrators } from '../../infra/alarm.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { addNotice, notices } from '../../infra/notices.ts'
import { users } from './tables.ts'

/** Those who can sign in. */
const isAdministrator = (): SQL | undefined =>
  and(eq(users.role, roles.administrator), isNull(users.cancelledAt), isNull(users.blockedAt))

/**
 * Two who leave at once wait for each other here, and one of them stays. Weaker than `for update`, which would also wait for
 * every transaction that wrote a row of an administrator's.
 */
export const lockAdministrators = (tx: Tx): Promise<{ id: string }[]> =>
  tx.select({ id: users.id }).from(users).where(isAdministrator()).orderBy(users.id).for('no key update')

/** In each administrator's message box; not again while the last one of its kind holds. */
export const tellAdministrators: TellAdministrators = async (ctx, tx, { againMs, ...news }) => {
  const holds =
    againMs === undefined ? isNull(notices.readAt) : gt(notices.at, new Date(ctx.now().getTime() - againMs))
  for (const { id: userId } of await lockAdministrators(tx)) {
    const told = and(eq(notices.userId, userId), eq(notices.kind, news.kind), holds)
    if ((await tx.$count(notices, told)) === 0) await addNotice(ctx, tx, { userId, ...news })
  }
}

/** Whoever has not read the last message of this kind finds what came since in the same place. */
export const tellOfWork = (ctx: Context, kind: OfficeNews): Promise<void> =>
  ctx.db.transaction((tx) => alarm(ctx, tx, { kind, params: {} }))

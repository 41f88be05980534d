import { and, eq, gt, isNotNull, ne, sql } from 'drizzle-orm'
import type { SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import * as plans from '../../plans/service.ts'
import { links, shares } from './tables.ts'

/** Whether one more thing fits into the level; what is shared already counts once. Under the owner's lock. */
export async function requireRoomToShare(
  ctx: Context,
  tx: Tx,
  { user, entryId }: { user: SessionUser; entryId: string },
): Promise<void> {
  const limit = plans.limitsOf(ctx, user).sharedDatasets
  if (limit === null) return
  if (limit === 0) throw fail('upgrade_needed')
  if ((await countThings(ctx, tx, user.id, entryId)) >= limit) throw fail('plan_limit', { limit })
}

/** Things of a member that accounts or visitors of links may see, with what waits in the recycle station. */
export async function countThings(ctx: Context, db: Db, ownerId: string, exceptId = ''): Promise<number> {
  const shared = db
    .select({ entryId: shares.entryId })
    .from(shares)
    .where(and(eq(shares.ownerId, ownerId), isNotNull(shares.userId), ne(shares.entryId, exceptId)))
  const linked = db
    .select({ entryId: links.entryId })
    .from(links)
    .where(and(eq(links.ownerId, ownerId), gt(links.expiresAt, ctx.now()), ne(links.entryId, exceptId)))
  const [row] = await db
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(shared.union(linked).as('things'))
  return row?.count ?? 0
}

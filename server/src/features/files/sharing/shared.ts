import { and, eq, gt, sql } from 'drizzle-orm'
import type { SharedThings } from '../../plans/access.ts'
import { links, shares } from './tables.ts'

/**
 * What members, groups or visitors of links may see, with what waits in the recycle station. A public folder is the
 * administrator's offer to everybody, and nobody's share.
 */
export const sharedFiles: SharedThings = async (ctx, db, ownerId) => {
  const shared = await db
    .select({ id: shares.entryId, since: sql`min(${shares.sharedAt})`.mapWith(shares.sharedAt) })
    .from(shares)
    .where(eq(shares.ownerId, ownerId))
    .groupBy(shares.entryId)
  const linked = await db
    .select({ id: links.entryId, since: sql`min(${links.createdAt})`.mapWith(links.createdAt) })
    .from(links)
    .where(and(eq(links.ownerId, ownerId), gt(links.expiresAt, ctx.now())))
    .groupBy(links.entryId)
  return [...shared, ...linked].map(({ id, since }) => ({ kind: 'datasets', key: id, ids: [id], since }))
}

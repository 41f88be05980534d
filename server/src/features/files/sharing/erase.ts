import { and, eq, isNotNull, ne, or } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { dissolve } from '../groups/groups.ts'
import { accessChanged } from '../sending.ts'
import { files } from '../tables.ts'
import { lockCloud } from '../tree.ts'
import { type News, tell } from './news.ts'
import { groupMembers, groups, links, records, shares } from './tables.ts'

/**
 * Ends all that a member gave to others and got from them, with the records of the member's cloud; whom that concerns
 * is told. Own groups dissolve.
 */
export async function eraseSharing(ctx: Context, userId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, userId)
    const [owner] = await tx
      .select({ id: users.id, nickName: users.nickName })
      .from(users)
      .where(eq(users.id, userId))
    if (!owner) return
    const owned = await tx
      .select()
      .from(groups)
      .where(eq(groups.ownerId, userId))
      .orderBy(groups.id)
      .for('update')
    const news: News[] = []
    for (const { id: groupId } of owned) news.push(...(await dissolve(tx, { groupId, owner })))
    await accessChanged(tx, [userId, ...(await ownersFor(tx, userId))])
    const given = await tx
      .select({ userId: shares.userId, name: files.name })
      .from(shares)
      .innerJoin(files, eq(files.id, shares.entryId))
      .where(and(eq(shares.ownerId, userId), isNotNull(shares.userId)))
    await tx.delete(shares).where(or(eq(shares.ownerId, userId), eq(shares.userId, userId)))
    await tx.delete(groupMembers).where(eq(groupMembers.userId, userId))
    await tx.delete(links).where(eq(links.ownerId, userId))
    await tx.delete(records).where(eq(records.ownerId, userId))
    for (const { userId: to, name } of given) {
      const params = { owner: owner.nickName, name }
      if (to !== null) news.push({ userId: to, kind: 'share_withdrawn', params })
    }
    await tell(ctx, tx, news)
  })
}

/** Of all that the member may see of others'. */
async function ownersFor(tx: Tx, userId: string): Promise<string[]> {
  const shared = await tx
    .selectDistinct({ ownerId: shares.ownerId })
    .from(shares)
    .where(and(eq(shares.userId, userId), ne(shares.ownerId, userId)))
  const inGroups = await tx
    .selectDistinct({ ownerId: shares.ownerId })
    .from(shares)
    .innerJoin(groupMembers, eq(groupMembers.groupId, shares.groupId))
    .where(eq(groupMembers.userId, userId))
  return [...shared, ...inGroups].map(({ ownerId }) => ownerId)
}

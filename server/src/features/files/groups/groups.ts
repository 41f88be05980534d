import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Group } from '@neuroloom/contract/groups'
import { sharing as limits } from '@neuroloom/contract/limits'
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { users } from '../../accounts/tables.ts'
import * as plans from '../../plans/service.ts'
import { accessChanged, ownersIn } from '../sending.ts'
import { isInSight } from '../sharing/entries.ts'
import { type News, tell, tellGroup, tellMembers } from '../sharing/news.ts'
import { groupMembers, groups, shares } from '../sharing/tables.ts'
import { lockCloud } from '../tree.ts'
import { requireGroup, requireGroupOwner } from './access.ts'
import { groupPasswordHash, takeNumber } from './number.ts'

export async function listGroups(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'files/groups'>> {
  const joined = sql`exists (
    select from ${groupMembers} m where m.group_id = ${groups.id} and m.user_id = ${user.id}
  )`
  return {
    groups: await selectGroups(ctx.db, user, joined),
    ownLimit: plans.limitsOf(ctx, user).dataGroups,
  }
}

export async function createGroup(
  ctx: Context,
  { name, about, password: chosen }: Parsed<'files/createGroup'>,
  { user }: Caller,
): Promise<Answer<'files/createGroup'>> {
  plans.requireSharer(ctx, user)
  const passwordHash = await groupPasswordHash(chosen)
  return ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    const limit = plans.limitsOf(ctx, user).dataGroups
    if (limit !== null && (await countGroups(tx, user.id)) >= limit) throw fail('plan_limit', { limit })
    const createdAt = ctx.now()
    const id = newId()
    await insertNumbered(tx, { id, ownerId: user.id, name, about, passwordHash, createdAt })
    await tx.insert(groupMembers).values({ groupId: id, userId: user.id, joinedAt: createdAt })
    return groupOf(tx, user, id)
  })
}

export async function editGroup(
  ctx: Context,
  { groupId, name, about, password: chosen }: Parsed<'files/editGroup'>,
  { user }: Caller,
): Promise<Answer<'files/editGroup'>> {
  await requireGroupOwner(ctx.db, user, groupId)
  // Before anything is locked: it takes a while.
  const secret = chosen === null ? {} : { passwordHash: await groupPasswordHash(chosen) }
  const edited = await ctx.db.transaction(async (tx) => {
    await requireGroupOwner(tx, user, groupId, 'update')
    await tx
      .update(groups)
      .set({ name, about, ...secret })
      .where(eq(groups.id, groupId))
    return groupOf(tx, user, groupId)
  })
  await tellGroup(ctx, groupId)
  return edited
}

export const countGroups = (db: Db, ownerId: string): Promise<number> =>
  db.$count(groups, eq(groups.ownerId, ownerId))

/** What members gave to it is theirs alone again. */
export async function dissolveGroup(
  ctx: Context,
  { groupId }: Parsed<'files/dissolveGroup'>,
  { user }: Caller,
): Promise<Answer<'files/dissolveGroup'>> {
  await ctx.db.transaction(async (tx) => {
    await requireGroupOwner(tx, user, groupId, 'update')
    await tell(ctx, tx, await dissolve(tx, { groupId, owner: user }))
  })
  await tellMembers(ctx, [user.id])
  return {}
}

/** With the group's row locked. Answers with what its members are to be told. */
export async function dissolve(
  tx: Tx,
  { groupId, owner }: { groupId: string; owner: Pick<SessionUser, 'id' | 'nickName'> },
): Promise<News[]> {
  await accessChanged(tx, await ownersIn(tx, groupId))
  const members = await tx
    .select({ userId: groupMembers.userId })
    .from(groupMembers)
    .where(and(eq(groupMembers.groupId, groupId), ne(groupMembers.userId, owner.id)))
  const [gone] = await tx.delete(groups).where(eq(groups.id, groupId)).returning()
  if (!gone) return []
  const params = { owner: owner.nickName, group: gone.name }
  return members.map(({ userId }) => ({ userId, kind: 'group_dissolved', params }))
}

/** One group as a member sees it. */
export async function groupOf(db: Db, user: SessionUser, groupId: string): Promise<Group> {
  await requireGroup(db, user, groupId)
  const [group] = await selectGroups(db, user, eq(groups.id, groupId))
  if (!group) throw fail('group_missing')
  return group
}

/** Own ones first. */
async function selectGroups(db: Db, user: SessionUser, where: SQL | undefined): Promise<Group[]> {
  const rows = await db
    .select({
      group: groups,
      owner: users.nickName,
      memberCount: sql`(select count(*) from ${groupMembers} m where m.group_id = ${groups.id})`.mapWith(
        Number,
      ),
      entryCount: sql`(
        select count(*) from ${shares} s
        where s.group_id = ${groups.id} and ${isInSight(sql`s.entry_id`)}
      )`.mapWith(Number),
    })
    .from(groups)
    .innerJoin(users, eq(users.id, groups.ownerId))
    .where(where)
    .orderBy(sql`${groups.ownerId} = ${user.id} desc, lower(${groups.name}), ${groups.id}`)
  return rows.map(({ group, owner, memberCount, entryCount }) => ({
    id: group.id,
    number: group.number,
    name: group.name,
    about: group.about,
    isOwner: group.ownerId === user.id,
    owner,
    hasPassword: group.passwordHash !== null,
    memberCount,
    entryCount,
    createdAt: group.createdAt.toISOString(),
  }))
}

/** Under a number that no other group has. */
const insertNumbered = (tx: Tx, group: Omit<typeof groups.$inferInsert, 'number'>): Promise<void> =>
  takeNumber(limits.groupNumberDigits, (number) =>
    tx
      .insert(groups)
      .values({ ...group, number })
      .onConflictDoNothing({ target: groups.number })
      .returning({ id: groups.id }),
  )

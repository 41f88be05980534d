import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { sharing as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { verifyPassword } from '../../accounts/access.ts'
import { users } from '../../accounts/tables.ts'
import { record } from '../records/records.ts'
import { accessChanged, ownersIn } from '../sending.ts'
import { tell, tellGroup, tellMembers } from '../sharing/news.ts'
import { type GroupRow, groupMembers, groups, shares } from '../sharing/tables.ts'
import { type Bound, guess, tryPassword } from '../sharing/tries.ts'
import { files } from '../tables.ts'
import { requireGroup, requireGroupOwner } from './access.ts'
import { groupOf } from './groups.ts'

export async function findGroup(
  ctx: Context,
  { number }: Parsed<'files/findGroup'>,
  caller: Caller,
): Promise<Answer<'files/findGroup'>> {
  const { group, owner } = await byNumber(ctx, caller, number)
  const ofGroup = eq(groupMembers.groupId, group.id)
  const { id, name, about, passwordHash } = group
  return {
    id,
    name,
    about,
    owner,
    hasPassword: passwordHash !== null,
    memberCount: await ctx.db.$count(groupMembers, ofGroup),
    joined: (await ctx.db.$count(groupMembers, and(ofGroup, eq(groupMembers.userId, caller.user.id)))) > 0,
  }
}

export async function joinGroup(
  ctx: Context,
  { number, password: given }: Parsed<'files/joinGroup'>,
  caller: Caller,
): Promise<Answer<'files/joinGroup'>> {
  const { user } = caller
  const { group } = await byNumber(ctx, caller, number)
  const { id: groupId, passwordHash } = group
  if (passwordHash !== null) {
    const isRight = await tryPassword(ctx, bounds(caller), () => verifyPassword(passwordHash, given))
    if (!isRight) throw fail('access_password_wrong')
  }
  await ctx.db.transaction(async (tx) => {
    const [now] = await tx.select().from(groups).where(eq(groups.id, groupId)).for('update')
    if (!now) throw fail('group_missing')
    // Changed while it was looked at: it is the old one.
    if (now.passwordHash !== passwordHash) throw fail('access_password_wrong')
    const members = eq(groupMembers.groupId, groupId)
    if ((await tx.$count(groupMembers, and(members, eq(groupMembers.userId, user.id)))) > 0)
      throw fail('group_joined')
    if ((await tx.$count(groupMembers, members)) >= limits.groupMembers)
      throw fail('group_full', { limit: limits.groupMembers })
    await tx.insert(groupMembers).values({ groupId, userId: user.id, joinedAt: ctx.now() })
    const params = { member: user.nickName, group: now.name }
    await tell(ctx, tx, [{ userId: now.ownerId, kind: 'group_joined', params }])
  })
  await tellMembers(ctx, [user.id])
  return groupOf(ctx.db, user, groupId)
}

export async function listMembers(
  ctx: Context,
  { groupId }: Parsed<'files/groupMembers'>,
  { user }: Caller,
): Promise<Answer<'files/groupMembers'>> {
  const { ownerId } = await requireGroup(ctx.db, user, groupId)
  const rows = await ctx.db
    .select({ id: users.id, nickName: users.nickName, photo: users.photo, joinedAt: groupMembers.joinedAt })
    .from(groupMembers)
    .innerJoin(users, eq(users.id, groupMembers.userId))
    .where(eq(groupMembers.groupId, groupId))
    .orderBy(sql`${users.id} = ${ownerId} desc`, asc(groupMembers.joinedAt), asc(users.id))
  return {
    members: rows.map((row) => ({
      ...row,
      isOwner: row.id === ownerId,
      joinedAt: row.joinedAt.toISOString(),
    })),
  }
}

export async function removeMember(
  ctx: Context,
  { groupId, memberId }: Parsed<'files/removeMember'>,
  { user }: Caller,
): Promise<Answer<'files/removeMember'>> {
  await ctx.db.transaction(async (tx) => {
    const group = await requireGroupOwner(tx, user, groupId, 'update')
    if (memberId === user.id) throw fail('not_allowed')
    await takeOut(ctx, tx, { group, memberId, actorId: user.id })
    await tell(ctx, tx, [{ userId: memberId, kind: 'group_removed', params: { group: group.name } }])
  })
  await tellGroup(ctx, groupId)
  return {}
}

export async function exitGroup(
  ctx: Context,
  { groupId }: Parsed<'files/exitGroup'>,
  { user }: Caller,
): Promise<Answer<'files/exitGroup'>> {
  await ctx.db.transaction(async (tx) => {
    const group = await requireGroup(tx, user, groupId, 'update')
    if (group.ownerId === user.id) throw fail('not_allowed')
    await takeOut(ctx, tx, { group, memberId: user.id, actorId: user.id })
  })
  await tellMembers(ctx, [user.id])
  await tellGroup(ctx, groupId)
  return {}
}

/** What the member gave goes along, and with the membership the sight of what others gave. */
async function takeOut(
  ctx: Context,
  tx: Tx,
  { group, memberId, actorId }: { group: GroupRow; memberId: string; actorId: string },
): Promise<void> {
  await accessChanged(tx, await ownersIn(tx, group.id))
  const gone = await tx
    .delete(groupMembers)
    .where(and(eq(groupMembers.groupId, group.id), eq(groupMembers.userId, memberId)))
    .returning()
  if (gone.length === 0) throw fail('missing')
  const given = and(eq(shares.groupId, group.id), eq(shares.ownerId, memberId))
  const entries = await tx
    .select({ id: files.id, ownerId: files.ownerId, name: files.name })
    .from(shares)
    .innerJoin(files, eq(files.id, shares.entryId))
    .where(given)
  await tx.delete(shares).where(given)
  const detail = { with: 'group', to: group.name }
  await record(
    ctx,
    tx,
    entries.map((entry) => ({ action: 'unshare', actorId, entry, detail })),
  )
}

async function byNumber(ctx: Context, caller: Caller, number: string) {
  const found = await guess(ctx, bounds(caller), (tx) => selectByNumber(tx, number))
  if (!found) throw fail('group_missing')
  return found
}

async function selectByNumber(db: Db, number: string) {
  const [found] = await db
    .select({ group: groups, owner: users.nickName })
    .from(groups)
    .innerJoin(users, eq(users.id, groups.ownerId))
    .where(and(eq(groups.number, number), isNull(users.cancelledAt)))
  return found ?? null
}

const bounds = ({ user, address }: Caller): Bound[] => [
  { kind: 'group', key: user.id, limit: limits.groupTries, windowMs: limits.groupTriesMs },
  { kind: 'groupAddress', key: address, limit: limits.groupTriesPerAddress, windowMs: limits.groupTriesMs },
]

/** Coming into chat groups, and leaving them. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { verifyPassword } from '../../accounts/access.ts'
import { type UserRow, users } from '../../accounts/tables.ts'
import { type Bound, guess, tryPassword } from '../../files/service.ts'
import * as plans from '../../plans/service.ts'
import { isMember } from '../access.ts'
import { memberIds } from '../chats/access.ts'
import { tellMembers } from '../chats/news.ts'
import { addLine } from '../chats/send.ts'
import { type ChatMemberRow, type ChatRow, chatMembers, chats } from '../chats/tables.ts'
import { isBlockedBetween, personColumns, personOf, requireFriend } from '../people/relations.ts'
import { sightChanged, sightInChatChanged } from '../sight.ts'
import { lockChatOf, lockGroup, lockOwnedGroup, requireGroup } from './access.ts'
import { countMembers, groupOf, requireGroupQuota } from './groups.ts'
import { chatGroups } from './tables.ts'

export async function findGroup(
  ctx: Context,
  { number }: Parsed<'social/findGroup'>,
  { user }: Caller,
): Promise<Answer<'social/findGroup'>> {
  const { group, chatId, owner, memberCount } = await byNumber(ctx, user.id, number)
  const member = await memberOf(ctx.db, chatId, user.id)
  return {
    id: group.id,
    number: group.number,
    name: group.name,
    introduction: group.introduction,
    owner: personOf(owner),
    hasPassword: group.passwordHash !== null,
    memberCount,
    joined: member !== null && member.untilId === null,
  }
}

export async function joinGroup(
  ctx: Context,
  { number, password }: Parsed<'social/joinGroup'>,
  { user }: Caller,
): Promise<Answer<'social/joinGroup'>> {
  const { group } = await byNumber(ctx, user.id, number)
  const { id: groupId, passwordHash, ownerId } = group
  if (await isBlockedBetween(ctx.db, user.id, ownerId)) throw fail('social_refused')
  if (passwordHash !== null) {
    const isRight = await tryPassword(ctx, [boundOf(user.id)], () => verifyPassword(passwordHash, password))
    if (!isRight) throw fail('access_password_wrong')
  }
  return ctx.db.transaction(async (tx) => {
    const chat = await lockChatOf(tx, groupId)
    const [now] = await tx.select().from(chatGroups).where(eq(chatGroups.id, groupId))
    if (!chat || !now) throw fail('group_missing')
    // Changed while it was compared: it is the old one.
    if (now.passwordHash !== passwordHash) throw fail('access_password_wrong')
    const before = await memberOf(tx, chat.id, user.id)
    if (before?.isBarred) throw fail('group_barred')
    await enter(ctx, tx, chat, { userId: user.id, before })
    await addLine(ctx, tx, chat, { event: 'joined', actorId: user.id, personId: null })
    await tellMembers(ctx, tx, await memberIds(tx, chat.id))
    return groupOf(tx, user.id, groupId)
  })
}

export async function inviteToGroup(
  ctx: Context,
  { groupId, memberId }: Parsed<'social/inviteToGroup'>,
  { user }: Caller,
): Promise<Answer<'social/inviteToGroup'>> {
  return ctx.db.transaction(async (tx) => {
    const { group, chat } = await lockGroup(tx, user.id, groupId)
    await requireActive(tx, memberId)
    await requireFriend(tx, user.id, memberId)
    const before = await memberOf(tx, chat.id, memberId)
    // Whom the owner removed, the owner alone takes back.
    if (before?.isBarred && group.ownerId !== user.id) throw fail('not_allowed')
    await enter(ctx, tx, chat, { userId: memberId, before })
    await addLine(ctx, tx, chat, { event: 'invited', actorId: user.id, personId: memberId })
    await tellMembers(ctx, tx, await memberIds(tx, chat.id))
    return groupOf(tx, user.id, groupId)
  })
}

export async function listMembers(
  ctx: Context,
  { groupId }: Parsed<'social/groupMembers'>,
  { user }: Caller,
): Promise<Answer<'social/groupMembers'>> {
  const { group, chat } = await requireGroup(ctx.db, user.id, groupId)
  const rows = await ctx.db
    .select({ person: personColumns, joinedAt: chatMembers.joinedAt })
    .from(chatMembers)
    .innerJoin(users, eq(users.id, chatMembers.userId))
    .where(and(eq(chatMembers.chatId, chat.id), isNull(chatMembers.untilId)))
    .orderBy(sql`${users.id} = ${group.ownerId} desc`, asc(chatMembers.joinedAt), asc(users.id))
  return {
    members: rows.map(({ person, joinedAt }) => ({
      ...personOf(person),
      isOwner: person.id === group.ownerId,
      joinedAt: joinedAt.toISOString(),
    })),
  }
}

export async function removeFromGroup(
  ctx: Context,
  { groupId, memberId }: Parsed<'social/removeFromGroup'>,
  { user }: Caller,
): Promise<Answer<'social/removeFromGroup'>> {
  await ctx.db.transaction(async (tx) => {
    const { chat } = await lockOwnedGroup(tx, user.id, groupId)
    if (memberId === user.id) throw fail('not_allowed')
    await requireIn(tx, chat.id, memberId)
    const { id } = await addLine(ctx, tx, chat, { event: 'removed', actorId: user.id, personId: memberId })
    await leave(ctx, tx, { chatId: chat.id, userId: memberId, untilId: id, isBarred: true })
  })
  return {}
}

export async function exitGroup(
  ctx: Context,
  { groupId }: Parsed<'social/exitGroup'>,
  { user }: Caller,
): Promise<Answer<'social/exitGroup'>> {
  await ctx.db.transaction(async (tx) => {
    const { group, chat } = await lockGroup(tx, user.id, groupId)
    if (group.ownerId === user.id) throw fail('not_allowed')
    const { id } = await addLine(ctx, tx, chat, { event: 'left', actorId: user.id, personId: null })
    await leave(ctx, tx, { chatId: chat.id, userId: user.id, untilId: id, isBarred: false })
  })
  return {}
}

export async function transferGroup(
  ctx: Context,
  { groupId, memberId }: Parsed<'social/transferGroup'>,
  { user }: Caller,
): Promise<Answer<'social/transferGroup'>> {
  return ctx.db.transaction(async (tx) => {
    const { chat } = await lockOwnedGroup(tx, user.id, groupId)
    if (memberId === user.id) throw fail('member_missing')
    await requireIn(tx, chat.id, memberId)
    const receiver = await requireActive(tx, memberId)
    const { chatGroups: limit } = plans.limitsOf(ctx, receiver)
    await requireGroupQuota(tx, memberId, limit)
    await giveGroup(ctx, tx, { chat, groupId, toId: memberId, actorId: user.id })
    return groupOf(tx, user.id, groupId)
  })
}

/** With the chat locked. */
export async function giveGroup(
  ctx: Context,
  tx: Tx,
  { chat, groupId, toId, actorId }: { chat: ChatRow; groupId: string; toId: string; actorId: string },
): Promise<void> {
  await tx.update(chatGroups).set({ ownerId: toId }).where(eq(chatGroups.id, groupId))
  await addLine(ctx, tx, chat, { event: 'owner', actorId, personId: toId })
  await tellMembers(ctx, tx, await memberIds(tx, chat.id))
}

type Entering = { userId: string; before: ChatMemberRow | null }

/** What was written before is not seen. */
async function enter(ctx: Context, tx: Tx, chat: ChatRow, { userId, before }: Entering): Promise<void> {
  if (before && before.untilId === null) throw fail('group_joined')
  const isIn = and(eq(chatMembers.chatId, chat.id), isNull(chatMembers.untilId))
  if ((await tx.$count(chatMembers, isIn)) >= limits.groupMembers)
    throw fail('group_full', { limit: limits.groupMembers })
  const { lastId } = chat
  const fresh = { joinedAt: ctx.now(), fromId: lastId, untilId: null, isBarred: false, readId: lastId }
  await tx
    .insert(chatMembers)
    .values({ chatId: chat.id, userId, ...fresh })
    .onConflictDoUpdate({ target: [chatMembers.chatId, chatMembers.userId], set: fresh })
}

type Leaving = Pick<ChatMemberRow, 'chatId' | 'userId' | 'isBarred'> & { untilId: number }

/** What was written up to then is seen still; the chat is watched no more. */
async function leave(ctx: Context, tx: Tx, { chatId, userId, ...values }: Leaving): Promise<void> {
  await tellMembers(ctx, tx, await memberIds(tx, chatId))
  await tx
    .update(chatMembers)
    .set(values)
    .where(and(eq(chatMembers.chatId, chatId), eq(chatMembers.userId, userId)))
  await sightChanged(ctx, tx, [userId])
  // What others show there is being sent to the member perhaps.
  await sightInChatChanged(tx, chatId)
}

async function requireIn(tx: Tx, chatId: string, userId: string): Promise<void> {
  const member = await memberOf(tx, chatId, userId)
  if (!member || member.untilId !== null) throw fail('member_missing')
}

async function requireActive(tx: Tx, userId: string): Promise<UserRow> {
  const [row] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.cancelledAt)))
  if (!row || !isMember(row)) throw fail('member_missing')
  return row
}

async function memberOf(db: Db, chatId: string, userId: string): Promise<ChatMemberRow | null> {
  const [row] = await db
    .select()
    .from(chatMembers)
    .where(and(eq(chatMembers.chatId, chatId), eq(chatMembers.userId, userId)))
  return row ?? null
}

async function byNumber(ctx: Context, userId: string, number: string) {
  const found = await guess(ctx, [boundOf(userId)], (tx) => selectByNumber(tx, number))
  if (!found) throw fail('group_missing')
  return found
}

/** Wrong numbers and wrong passwords count together. */
const boundOf = (userId: string): Bound => ({
  ...{ kind: 'chatGroup', key: userId, limit: limits.tries, windowMs: limits.triesMs },
})

async function selectByNumber(db: Db, number: string) {
  const [found] = await db
    .select({ group: chatGroups, chatId: chats.id, owner: personColumns, memberCount: countMembers })
    .from(chatGroups)
    .innerJoin(chats, eq(chats.groupId, chatGroups.id))
    .innerJoin(users, eq(users.id, chatGroups.ownerId))
    .where(and(eq(chatGroups.number, number), isNull(users.cancelledAt)))
  return found ?? null
}

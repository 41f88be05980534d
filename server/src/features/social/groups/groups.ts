/** Founding chat groups, and what they say of themselves. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import type { ChatGroup } from '@neuroloom/contract/social/groups'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { users } from '../../accounts/tables.ts'
import { groupPasswordHash, takeNumber } from '../../files/service.ts'
import * as plans from '../../plans/service.ts'
import { memberIds } from '../chats/access.ts'
import { tellMembers } from '../chats/news.ts'
import { addLine } from '../chats/send.ts'
import { chatMembers, chats } from '../chats/tables.ts'
import { lock } from '../lock.ts'
import { personColumns, personOf } from '../people/relations.ts'
import { sightInChatChanged } from '../sight.ts'
import { cleanText } from '../text.ts'
import { lockOwnedGroup, requireGroup } from './access.ts'
import { chatGroups } from './tables.ts'

export async function listGroups(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'social/groups'>> {
  return {
    groups: await selectGroups(ctx.db, user.id),
    ownLimit: plans.limitsOf(ctx, user).chatGroups,
  }
}

export async function createGroup(
  ctx: Context,
  { password, ...given }: Parsed<'social/createGroup'>,
  { user }: Caller,
): Promise<Answer<'social/createGroup'>> {
  plans.requireSharer(ctx, user)
  const texts = textsOf(given)
  const passwordHash = await groupPasswordHash(password)
  return ctx.db.transaction(async (tx) => {
    await requireGroupQuota(tx, user.id, plans.limitsOf(ctx, user).chatGroups)
    const at = ctx.now()
    const id = newId()
    await insertNumbered(tx, { ...texts, id, ownerId: user.id, passwordHash, createdAt: at })
    const [chat] = await tx
      .insert(chats)
      .values({ id: newId(), kind: 'group', groupId: id, lastAt: at })
      .returning()
    if (!chat) throw new Error('The chat was not written')
    await tx.insert(chatMembers).values({ chatId: chat.id, userId: user.id, joinedAt: at })
    await addLine(ctx, tx, chat, { event: 'created', actorId: user.id, personId: null })
    await tellMembers(ctx, tx, [user.id])
    return groupOf(tx, user.id, id)
  })
}

export async function editGroup(
  ctx: Context,
  { groupId, password, notice: givenNotice, ...given }: Parsed<'social/editGroup'>,
  { user }: Caller,
): Promise<Answer<'social/editGroup'>> {
  const { group } = await requireGroup(ctx.db, user.id, groupId)
  if (group.ownerId !== user.id) throw fail('not_allowed')
  const texts = textsOf(given)
  const notice = cleanText(givenNotice, { field: 'notice', mayBeEmpty: true })
  // Before anything is locked: it takes a while.
  const secret = password === null ? {} : { passwordHash: await groupPasswordHash(password) }
  return ctx.db.transaction(async (tx) => {
    const { group: before, chat } = await lockOwnedGroup(tx, user.id, groupId)
    await tx
      .update(chatGroups)
      .set({ ...texts, notice, ...secret })
      .where(eq(chatGroups.id, groupId))
    if (notice !== before.notice)
      await addLine(ctx, tx, chat, { event: 'notice', actorId: user.id, personId: null })
    await tellMembers(ctx, tx, await memberIds(tx, chat.id))
    return groupOf(tx, user.id, groupId)
  })
}

export async function dissolveGroup(
  ctx: Context,
  { groupId }: Parsed<'social/dissolveGroup'>,
  { user }: Caller,
): Promise<Answer<'social/dissolveGroup'>> {
  await ctx.db.transaction(async (tx) => {
    const { chat } = await lockOwnedGroup(tx, user.id, groupId)
    await dissolve(ctx, tx, { groupId, chatId: chat.id })
  })
  return {}
}

/** With its chat locked: all that was written goes. */
export async function dissolve(
  ctx: Context,
  tx: Tx,
  { groupId, chatId }: { groupId: string; chatId: string },
): Promise<void> {
  const members = await memberIds(tx, chatId)
  await sightInChatChanged(tx, chatId)
  await tx.delete(chatGroups).where(eq(chatGroups.id, groupId))
  await ctx.live.rightsChanged(tx, { kind: 'chat', id: chatId })
  await tellMembers(ctx, tx, members)
}

export const countGroups = (db: Db, ownerId: string): Promise<number> =>
  db.$count(chatGroups, eq(chatGroups.ownerId, ownerId))

/** Room for one more. Of many founded or given at once, those that fit go through. */
export async function requireGroupQuota(tx: Tx, ownerId: string, limit: number | null): Promise<void> {
  await lock(tx, `groups ${ownerId}`)
  if (limit !== null && (await countGroups(tx, ownerId)) >= limit) throw fail('plan_limit', { limit })
}

/** One group as a member sees it. */
export async function groupOf(db: Db, userId: string, groupId: string): Promise<ChatGroup> {
  const [group] = await selectGroups(db, userId, eq(chatGroups.id, groupId))
  if (!group) throw fail('group_missing')
  return group
}

/** Those that the member is in, own ones first. */
async function selectGroups(db: Db, userId: string, where?: SQL): Promise<ChatGroup[]> {
  const rows = await db
    .select({
      group: chatGroups,
      chatId: chats.id,
      owner: personColumns,
      memberCount: countMembers,
    })
    .from(chatMembers)
    .innerJoin(chats, eq(chats.id, chatMembers.chatId))
    .innerJoin(chatGroups, eq(chatGroups.id, chats.groupId))
    .innerJoin(users, eq(users.id, chatGroups.ownerId))
    .where(and(...[eq(chatMembers.userId, userId), isNull(chatMembers.untilId)], where))
    .orderBy(
      sql`${chatGroups.ownerId} = ${userId} desc`,
      sql`lower(${chatGroups.name})`,
      sql`${chatGroups.id}`,
    )
  return rows.map(({ group, chatId, owner, memberCount }) => ({
    id: group.id,
    chatId,
    number: group.number,
    name: group.name,
    introduction: group.introduction,
    notice: group.notice,
    owner: personOf(owner),
    isOwner: group.ownerId === userId,
    hasPassword: group.passwordHash !== null,
    memberCount,
    createdAt: group.createdAt.toISOString(),
  }))
}

/** Of the chat in the query. */
export const countMembers = sql`(
  select count(*) from ${chatMembers} m where m.chat_id = social_chats.id and m.until_id is null
)`.mapWith(Number)

const textsOf = ({ name, introduction }: { name: string; introduction: string }) => ({
  // One line.
  name: cleanText(name.replace(/\s+/g, ' '), { field: 'name' }),
  introduction: cleanText(introduction, { field: 'introduction', mayBeEmpty: true }),
})

/** Under a number that no other group has. */
const insertNumbered = (tx: Tx, group: Omit<typeof chatGroups.$inferInsert, 'number'>): Promise<void> =>
  takeNumber(limits.groupNumberDigits, (number) =>
    tx
      .insert(chatGroups)
      .values({ ...group, number })
      .onConflictDoNothing({ target: chatGroups.number })
      .returning({ id: chatGroups.id }),
  )

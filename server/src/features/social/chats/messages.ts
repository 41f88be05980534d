/** Reading a chat: its latest messages, earlier and later ones, and those around one. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, gt, lt, lte, type SQL } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { isSeen, requireChat } from './access.ts'
import { describeChat, describeMessages, sinceOf } from './describe.ts'
import { type ChatMemberRow, type MessageRow, messages } from './tables.ts'

type Page = { rows: MessageRow[]; hasEarlier: boolean; hasLater: boolean }

export async function listMessages(
  ctx: Context,
  { chatId, ...place }: Parsed<'social/messages'>,
  { user }: Caller,
): Promise<Answer<'social/messages'>> {
  const own = await requireChat(ctx.db, user.id, chatId)
  const { rows, ...page } = await selectPage(ctx.db, own.member, place)
  return {
    messages: await describeMessages(ctx.db, rows, sinceOf([own.member])),
    ...page,
    chat: await describeChat(ctx.db, user.id, own),
  }
}

async function selectPage(
  db: Db,
  member: ChatMemberRow,
  { before, after, around }: Omit<Parsed<'social/messages'>, 'chatId'>,
): Promise<Page> {
  if (around !== null) {
    const half = Math.floor(limits.page / 2)
    const earlier = await selectEarlier(db, member, { where: lte(messages.id, around), most: half })
    const later = await selectLater(db, member, { where: gt(messages.id, around), most: half })
    return { ...later, rows: [...earlier.rows, ...later.rows], hasEarlier: earlier.hasEarlier }
  }
  if (after !== null) {
    const later = await selectLater(db, member, { where: gt(messages.id, after), most: limits.page })
    const isSeenBefore = and(isSeen(member), lte(messages.id, after))
    return { ...later, hasEarlier: await hasAny(db, isSeenBefore) }
  }
  const where = before === null ? undefined : lt(messages.id, before)
  const earlier = await selectEarlier(db, member, { where, most: limits.page })
  const last = earlier.rows.at(-1)
  const hasLater = before !== null && (await hasAny(db, and(isSeen(member), gt(messages.id, last?.id ?? 0))))
  return { ...earlier, hasLater }
}

type Part = { where: SQL | undefined; most: number }

async function selectEarlier(db: Db, member: ChatMemberRow, { where, most }: Part) {
  const rows = await db
    .select()
    .from(messages)
    .where(and(isSeen(member), where))
    .orderBy(desc(messages.id))
    .limit(most + 1)
  return { rows: rows.slice(0, most).reverse(), hasEarlier: rows.length > most }
}

async function selectLater(db: Db, member: ChatMemberRow, { where, most }: Part) {
  const rows = await db
    .select()
    .from(messages)
    .where(and(isSeen(member), where))
    .orderBy(asc(messages.id))
    .limit(most + 1)
  return { rows: rows.slice(0, most), hasLater: rows.length > most }
}

async function hasAny(db: Db, where: SQL | undefined): Promise<boolean> {
  const rows = await db.select({ id: messages.id }).from(messages).where(where).limit(1)
  return rows.length > 0
}

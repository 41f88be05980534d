/**
 * Messages that contain a text, latest first. A chat may hold a million: what is rare is found by its pairs of letters, which
 * the database keeps; what is frequent by walking back in time until a page is full.
 */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { dayMs, social as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { openCursor, sealCursor } from '../../files/service.ts'
import { firstUnseen, type OwnChat, requireChat } from './access.ts'
import { describeChats, describeMessages, sinceOf } from './describe.ts'
import { chatMembers, chats, type MessageRow, messages } from './tables.ts'

/** So many messages are walked through faster than an index is asked. */
const FEW = 20_000
/** About so many of the latest are walked through first: where a page fills there, no index is asked. */
const NEAR = 4000
/** What is found more often than this is frequent. */
const FREQUENT = 2000

export async function searchMessages(
  ctx: Context,
  { text, chatId, after }: Parsed<'social/searchMessages'>,
  { user }: Caller,
): Promise<Answer<'social/searchMessages'>> {
  const wanted = text.normalize('NFC').toLowerCase()
  const question = { of: 'messages', wanted, chatId, userId: user.id }
  const place = after === null ? null : placeSchema.parse(openCursor(ctx, question, after))
  const own = chatId === null ? await ownChats(ctx.db, user.id) : [await requireChat(ctx.db, user.id, chatId)]
  const rows = await find(ctx.db, own, { wanted, place, now: ctx.now() })
  const shown = rows.slice(0, limits.found)
  const last = shown.at(-1)
  const isMore = rows.length > limits.found && last
  const found = await describeMessages(ctx.db, shown, sinceOf(own.map(({ member }) => member)))
  const names = await namesOf(ctx.db, user.id, own, found)
  return {
    found: found.map((message) => ({ message, chatName: names.get(message.chatId) ?? '' })),
    next: isMore ? sealCursor(ctx, question, [last.at.toISOString(), last.chatId, last.id]) : null,
  }
}

/** The last message of a page: what is earlier comes next. */
const placeSchema = z.tuple([z.iso.datetime(), z.string(), z.int()])
type Place = z.infer<typeof placeSchema>
type Search = { wanted: string; place: Place | null; now: Date }

const ownChats = (db: Db, userId: string): Promise<OwnChat[]> =>
  db
    .select({ chat: chats, member: chatMembers })
    .from(chatMembers)
    .innerJoin(chats, eq(chats.id, chatMembers.chatId))
    .where(eq(chatMembers.userId, userId))

async function namesOf(
  db: Db,
  userId: string,
  own: readonly OwnChat[],
  found: readonly { chatId: string }[],
): Promise<Map<string, string>> {
  const ids = new Set(found.map(({ chatId }) => chatId))
  const described = await describeChats(
    db,
    userId,
    own.filter(({ chat }) => ids.has(chat.id)),
  )
  return new Map(described.map(({ id, name }) => [id, name]))
}

async function find(db: Db, own: readonly OwnChat[], search: Search): Promise<MessageRow[]> {
  const ranges = own.map(({ chat, member }) => ({
    chatId: chat.id,
    from: firstUnseen(member),
    until: member.untilId ?? chat.lastId,
  }))
  const filled = ranges.filter(({ from, until }) => until > from)
  if (filled.length === 0) return []
  const isSeen = sql`exists (
    select from unnest(
      ${sql.param(filled.map(({ chatId }) => chatId))}::text[],
      ${sql.param(filled.map(({ from }) => from))}::bigint[],
      ${sql.param(filled.map(({ until }) => until))}::bigint[]
    ) as seen (chat_id, first, last)
    where seen.chat_id = ${messages.chatId} and ${messages.id} > seen.first and ${messages.id} <= seen.last
  )`
  const chatIds = sql.param(filled.map(({ chatId }) => chatId))
  const isMeant = and(
    ...[sql`${messages.chatId} = any(${chatIds}::text[])`, isSeen],
    sql`strpos(${messages.searchText}, ${search.wanted}) > 0`,
    search.place ? isBefore(search.place) : undefined,
  )
  const count = filled.reduce((sum, { from, until }) => sum + until - from, 0)
  if (count > FEW) {
    const joined = Math.min(...own.map(({ member }) => member.joinedAt.getTime()))
    const nearMs = Math.max((search.now.getTime() - joined) * (NEAR / count), 1000)
    const found =
      (await findSince(db, isMeant, search, nearMs)) ??
      (await findRare(db, isMeant, search.wanted)) ??
      (await findByTime(db, isMeant, search, nearMs))
    if (found) return found
  }
  return latest(db, isMeant)
}

const byteOrder = sql`${messages.chatId} collate "C"`

const isBefore = ([at, chatId, id]: Place): SQL =>
  sql`(${messages.at}, ${byteOrder}, ${messages.id}) < (${at}::timestamptz, ${chatId}, ${id}::bigint)`

const latest = (db: Db, where: SQL | undefined): Promise<MessageRow[]> =>
  db
    .select()
    .from(messages)
    .where(where)
    .orderBy(desc(messages.at), desc(byteOrder), desc(messages.id))
    .limit(limits.found + 1)

/** Null where there are more of them than are worth sorting. */
async function findRare(db: Db, where: SQL | undefined, wanted: string): Promise<MessageRow[] | null> {
  const rows = await db
    .select({ chatId: messages.chatId, id: messages.id, at: messages.at })
    .from(messages)
    .where(and(sql`social_bigrams(${messages.searchText}) @> social_bigrams(${wanted})`, where))
    .limit(FREQUENT + 1)
  if (rows.length > FREQUENT) return null
  const isOne = rows
    .sort(latestFirst)
    .slice(0, limits.found + 1)
    .map(({ chatId, id }) => and(eq(messages.chatId, chatId), eq(messages.id, id)))
  if (isOne.length === 0) return []
  const found = await db
    .select()
    .from(messages)
    .where(or(...isOne))
  return found.sort(latestFirst)
}

type Ordered = Pick<MessageRow, 'chatId' | 'id' | 'at'>

/** As the database does it. */
function latestFirst(one: Ordered, other: Ordered): number {
  const byTime = other.at.getTime() - one.at.getTime()
  if (byTime !== 0) return byTime
  if (one.chatId === other.chatId) return other.id - one.id
  return one.chatId < other.chatId ? 1 : -1
}

/** In windows that grow, from the latest back; null where even the widest one fills no page. */
async function findByTime(
  db: Db,
  where: SQL | undefined,
  search: Search,
  nearMs: number,
): Promise<MessageRow[] | null> {
  for (let windowMs = 4 * nearMs; windowMs <= LAST_WINDOW_MS; windowMs *= 4) {
    const rows = await findSince(db, where, search, windowMs)
    if (rows) return rows
  }
  return null
}

/** A full page out of one window of time, or null. */
async function findSince(
  db: Db,
  where: SQL | undefined,
  { place, now }: Search,
  windowMs: number,
): Promise<MessageRow[] | null> {
  const until = place ? new Date(place[0]) : now
  const since = new Date(until.getTime() - windowMs).toISOString()
  const rows = await latest(db, and(where, sql`${messages.at} >= ${since}::timestamptz`))
  return rows.length > limits.found ? rows : null
}

const LAST_WINDOW_MS = 365 * dayMs

/** Opening, following and ending case rounds. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { rounds as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, isNull, not, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { Failure, fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { accessChanged, isShowable, requireShowable, viewShown } from '../../files/service.ts'
import { lockChat, requireChat } from '../chats/access.ts'
import { sendAbout } from '../chats/send.ts'
import { isHiddenFrom, nobody, personsOf } from '../people/relations.ts'
import { cleanText } from '../text.ts'
import { requireOpenRound } from './access.ts'
import { describeRound } from './describe.ts'
import { tellPeople } from './news.ts'
import { notePresence } from './people.ts'
import { type RoundRow, rounds } from './tables.ts'

export async function open(
  ctx: Context,
  { chatId, fileId, series, title, allMark }: Parsed<'round/open'>,
  caller: Caller,
): Promise<Answer<'round/open'>> {
  const { user, address } = caller
  const clean = cleanText(title, { field: 'title' })
  const { member } = await requireChat(ctx.db, user.id, chatId)
  if (member.untilId !== null) throw fail('chat_missing')
  await requireShowable(ctx, caller, { id: fileId, series })
  return ctx.db.transaction(async (tx) => {
    const own = await lockChat(tx, user.id, chatId)
    await requireFewOpen(tx, user.id)
    const values = { id: newId(), chatId, hostId: user.id, fileId, isSeries: series, title: clean, allMark }
    const [round] = await tx
      .insert(rounds)
      .values({ ...values, leaderId: user.id, openedAt: ctx.now() })
      .returning()
    if (!round) throw new Error('The round was not written')
    await notePresence(ctx, tx, round, user.id)
    await sendAbout(ctx, tx, own, {
      ...{ senderId: user.id, text: clean, attachment: { kind: 'round', id: round.id } },
    })
    const subject = `round:${round.id}`
    await audit(tx, {
      ...{ actor: user.id, action: 'social.open_round', subject, address, after: { file: fileId, series } },
    })
    return describeRound(ctx, tx, round, user.id)
  })
}

async function requireFewOpen(tx: Tx, userId: string): Promise<void> {
  const isOpen = and(eq(rounds.hostId, userId), isNull(rounds.endedAt))
  const open = await tx.select({ id: rounds.id }).from(rounds).where(isOpen).for('update')
  if (open.length >= limits.open) throw fail('too_many_case_rounds', { limit: limits.open })
}

export async function list(
  ctx: Context,
  { chatId }: Parsed<'round/list'>,
  { user }: Caller,
): Promise<Answer<'round/list'>> {
  const { member } = await requireChat(ctx.db, user.id, chatId)
  if (member.untilId !== null) throw fail('chat_missing')
  const rows = await ctx.db
    .select()
    .from(rounds)
    .where(and(eq(rounds.chatId, chatId), not(isHiddenFrom(ctx.db, user.id, rounds.hostId))))
    .orderBy(sql`${rounds.endedAt} is null and ${rounds.fileId} is not null desc`, desc(rounds.openedAt))
    .limit(limits.list)
  const hosts = await personsOf(
    ctx.db,
    rows.map(({ hostId }) => hostId),
  )
  return {
    rounds: rows.map(({ id, title, hostId, openedAt, endedAt, fileId }) => ({
      ...{ id, title, host: hosts.get(hostId) ?? nobody(), openedAt: openedAt.toISOString() },
      endedAt: (endedAt ?? (fileId === null ? openedAt : null))?.toISOString() ?? null,
    })),
  }
}

export async function show(
  ctx: Context,
  { roundId }: Parsed<'round/show'>,
  { user }: Caller,
): Promise<Answer<'round/show'>> {
  const round = await requireOpenRound(ctx.db, user.id, roundId)
  await requireStudy(ctx, round)
  await notePresence(ctx, ctx.db, round, user.id)
  return describeRound(ctx, ctx.db, round, user.id)
}

export async function view(
  ctx: Context,
  { roundId }: Parsed<'round/view'>,
  caller: Caller,
): Promise<Answer<'round/view'>> {
  const round = await requireOpenRound(ctx.db, caller.user.id, roundId)
  const { fileId, isSeries, title } = round
  if (fileId === null) throw fail('case_round_over')
  try {
    const shown = { id: fileId, series: isSeries, title, as: 'round', of: roundId }
    return await viewShown(ctx, caller, shown)
  } catch (error) {
    if (!(error instanceof Failure) || error.failure !== 'missing') throw error
    await ctx.db.transaction((tx) => close(ctx, tx, round))
    throw fail('case_round_over')
  }
}

/** A file that was deleted, or that names its patient by now, ends what shows it. */
async function requireStudy(ctx: Context, round: RoundRow): Promise<void> {
  const { fileId, hostId } = round
  if (fileId !== null && (await isShowable(ctx, hostId, fileId))) return
  await ctx.db.transaction((tx) => close(ctx, tx, round))
  throw fail('case_round_over')
}

/** By its host. */
export async function end(
  ctx: Context,
  { roundId }: Parsed<'round/end'>,
  { user, address }: Caller,
): Promise<Answer<'round/end'>> {
  await ctx.db.transaction(async (tx) => {
    await tx.select({ id: rounds.id }).from(rounds).where(eq(rounds.id, roundId)).for('update')
    const [round] = await tx
      .select()
      .from(rounds)
      .where(and(eq(rounds.id, roundId), eq(rounds.hostId, user.id)))
    if (!round) throw fail('case_round_missing')
    if (round.endedAt !== null) return
    await close(ctx, tx, round)
    await audit(tx, { actor: user.id, action: 'social.end_round', subject: `round:${roundId}`, address })
  })
  return {}
}

async function close(ctx: Context, tx: Tx, { id, hostId }: RoundRow): Promise<void> {
  const isOpen = and(eq(rounds.id, id), isNull(rounds.endedAt))
  const closed = await tx
    .update(rounds)
    .set({ endedAt: ctx.now(), leaderId: null })
    .where(isOpen)
    .returning({ id: rounds.id })
  if (closed.length === 0) return
  // Whoever gets the image gets no further byte.
  await accessChanged(tx, [hostId])
  await tellPeople(ctx, tx, id)
}

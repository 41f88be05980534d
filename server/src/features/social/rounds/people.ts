/** Who looks on in a case round, who leads it, and who asks to. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Round } from '@neuroloom/contract/social/rounds'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { lockRound } from './access.ts'
import { describeRound, presentPeople } from './describe.ts'
import { tellPeople } from './news.ts'
import { type RoundRow, roundPeople, rounds } from './tables.ts'

/** Somebody's page says that they look on. */
export async function notePresence(ctx: Context, db: Db, round: RoundRow, userId: string): Promise<void> {
  const before = await presentPeople(ctx, db, round)
  const seenAt = ctx.now()
  await db
    .insert(roundPeople)
    .values({ roundId: round.id, userId, seenAt })
    .onConflictDoUpdate({ target: [roundPeople.roundId, roundPeople.userId], set: { seenAt } })
  if (!before.some(({ id }) => id === userId)) await tellPeople(ctx, db, round.id)
}

export async function askLead(
  ctx: Context,
  { roundId }: Parsed<'round/askLead'>,
  { user }: Caller,
): Promise<Answer<'round/askLead'>> {
  return ctx.db.transaction(async (tx) => {
    const round = await lockRound(tx, user.id, roundId)
    await notePresence(ctx, tx, round, user.id)
    const people = await presentPeople(ctx, tx, round)
    const isLed = round.leaderId !== user.id && people.some(({ id }) => id === round.leaderId)
    if (!isLed) return lead(ctx, tx, round, { leaderId: user.id, userId: user.id })
    await tx.update(roundPeople).set({ askedAt: ctx.now() }).where(isOf(roundId, user.id))
    await tellPeople(ctx, tx, roundId)
    return describeRound(ctx, tx, round, user.id)
  })
}

/** The owner of the study may take the lead back. */
export async function giveLead(
  ctx: Context,
  { roundId, memberId }: Parsed<'round/giveLead'>,
  { user }: Caller,
): Promise<Answer<'round/giveLead'>> {
  return ctx.db.transaction(async (tx) => {
    const round = await lockRound(tx, user.id, roundId)
    if (![round.leaderId, round.hostId].includes(user.id)) throw fail('case_round_not_led')
    const people = await presentPeople(ctx, tx, round)
    if (!people.some(({ id }) => id === memberId)) throw fail('member_missing')
    return lead(ctx, tx, round, { leaderId: memberId, userId: user.id })
  })
}

type Leading = { leaderId: string; userId: string }

async function lead(ctx: Context, tx: Tx, { id }: RoundRow, { leaderId, userId }: Leading): Promise<Round> {
  const [round] = await tx.update(rounds).set({ leaderId }).where(eq(rounds.id, id)).returning()
  if (!round) throw fail('case_round_missing')
  await tx.update(roundPeople).set({ askedAt: null }).where(isOf(id, leaderId))
  await tellPeople(ctx, tx, id)
  return describeRound(ctx, tx, round, userId)
}

/** Whoever is no longer there, or never was, has left. */
export async function leave(
  ctx: Context,
  { roundId }: Parsed<'round/leave'>,
  { user }: Caller,
): Promise<Answer<'round/leave'>> {
  await ctx.db.transaction(async (tx) => {
    // The round first, as everywhere.
    await tx.select({ id: rounds.id }).from(rounds).where(eq(rounds.id, roundId)).for('update')
    const left = await tx
      .delete(roundPeople)
      .where(isOf(roundId, user.id))
      .returning({ roundId: roundPeople.roundId })
    if (left.length === 0) return
    await tx
      .update(rounds)
      .set({ leaderId: null })
      .where(and(eq(rounds.id, roundId), eq(rounds.leaderId, user.id)))
    await tellPeople(ctx, tx, roundId)
  })
  return {}
}

const isOf = (roundId: string, userId: string) =>
  and(eq(roundPeople.roundId, roundId), eq(roundPeople.userId, userId))

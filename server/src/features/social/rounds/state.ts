/** What everybody in a case round sees: where the leader is, and the marks. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { imageViews } from '@neuroloom/contract/image-view'
import { rounds as limits } from '@neuroloom/contract/limits'
import { isWholeMark, type RoundMark, type RoundMarkDeed } from '@neuroloom/contract/social/rounds'
import { eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail, failFields } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { cleanText } from '../text.ts'
import { lockRound } from './access.ts'
import { tellMarks, tellState } from './news.ts'
import { type RoundRow, rounds } from './tables.ts'

export async function setState(
  ctx: Context,
  { roundId, stateCount, state }: Parsed<'round/state'>,
  { user }: Caller,
): Promise<Answer<'round/state'>> {
  return ctx.db.transaction(async (tx) => {
    const round = await lockRound(tx, user.id, roundId)
    if (round.leaderId !== user.id) throw fail('case_round_not_led')
    const ahead = stateCount - round.stateCount
    if (ahead <= 0 || ahead > limits.ahead) return { stateCount: round.stateCount }
    await tx.update(rounds).set({ state, stateCount }).where(eq(rounds.id, roundId))
    await tellState(ctx, tx, { id: roundId, stateCount, state })
    return { stateCount }
  })
}

export async function mark(
  ctx: Context,
  { roundId, change }: Parsed<'round/mark'>,
  { user }: Caller,
): Promise<Answer<'round/mark'>> {
  return ctx.db.transaction(async (tx) => {
    const round = await lockRound(tx, user.id, roundId)
    const { marks, lastMark } = marksAfter(round, change, user.id)
    const markCount = round.markCount + 1
    await tx.update(rounds).set({ marks, lastMark, markCount }).where(eq(rounds.id, roundId))
    await tellMarks(ctx, tx, { id: roundId, markCount, marks })
    return { markCount, marks }
  })
}

type Marks = Pick<RoundRow, 'marks' | 'lastMark'>

/** Everybody changes their own; the leader and the owner of the study remove those of others too. */
function marksAfter(round: RoundRow, change: RoundMarkDeed, userId: string): Marks {
  const { marks, lastMark, allMark } = round
  const isChair = [round.leaderId, round.hostId].includes(userId)
  if (!isChair && !allMark) throw fail('case_round_not_led')
  const isOwn = ({ authorId }: RoundMark): boolean => authorId === userId
  const changed = (number: number, to: (mark: RoundMark) => RoundMark): Marks => ({
    marks: marks.map((one) => (one.number === number && isOwn(one) ? to(one) : one)),
    lastMark,
  })
  switch (change.deed) {
    case 'add': {
      if (marks.length >= imageViews.marks) throw fail('too_many_marks', { limit: imageViews.marks })
      const number = lastMark + 1
      return { marks: [...marks, { ...change.mark, number, name: '', authorId: userId }], lastMark: number }
    }
    case 'move': {
      const { points } = change
      return changed(change.number, (one) => {
        if (!isWholeMark({ kind: one.kind, points })) throw failFields({ points: 'form.invalid' })
        return { ...one, points }
      })
    }
    case 'rename': {
      const name = cleanText(change.name, { field: 'name', mayBeEmpty: true })
      return changed(change.number, (one) => ({ ...one, name }))
    }
    case 'remove':
      return {
        marks: marks.filter((one) => one.number !== change.number || !(isChair || isOwn(one))),
        lastMark,
      }
    case 'clear':
      return { marks: isChair ? [] : marks.filter((one) => !isOwn(one)), lastMark }
  }
}

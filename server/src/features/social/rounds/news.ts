/** What open pages of a case round are told. */
import type { RoundMark, RoundState } from '@neuroloom/contract/social/rounds'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'

/** A notice of the database holds 8 kB, with its topic and type. */
const MOST_BYTES = 6500

const topicOf = (id: string) => ({ kind: 'round' as const, id })

export const tellState = (
  ctx: Context,
  db: Db,
  { id, ...news }: { id: string; stateCount: number; state: RoundState },
): Promise<void> => ctx.live.passing(topicOf(id), 'state', news, db)

export async function tellMarks(
  ctx: Context,
  db: Db,
  { id, markCount, marks }: { id: string; markCount: number; marks: RoundMark[] },
): Promise<void> {
  const isSmall = Buffer.byteLength(JSON.stringify(marks)) <= MOST_BYTES
  await ctx.live.passing(topicOf(id), 'marks', { markCount, marks: isSmall ? marks : null }, db)
}

/** Who is there, leads or asks to lead changed, or the round ended. */
export const tellPeople = (ctx: Context, db: Db, roundId: string): Promise<void> =>
  ctx.live.passing(topicOf(roundId), 'people', {}, db)

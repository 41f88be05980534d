/** What of case rounds is a member's own: in the archive, and when the account is erased. */
import { eq, or, sql } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { roundPeople, rounds } from './tables.ts'

export async function* exportOf({ db }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const joined = await db
    .select({ round: rounds, present: roundPeople })
    .from(rounds)
    .leftJoin(roundPeople, sql`${roundPeople.roundId} = ${rounds.id} and ${roundPeople.userId} = ${userId}`)
    .where(or(eq(rounds.hostId, userId), eq(roundPeople.userId, userId), hasMarksOf(userId)))
  yield jsonFile(
    'social-rounds.json',
    joined.map(({ round, present }) => ({
      ...(round.hostId === userId ? round : { ...partOf(round), marks: marksOf(round.marks, userId) }),
      present,
    })),
  )
}

const partOf = ({ id, chatId, title, openedAt, endedAt }: typeof rounds.$inferSelect) => ({
  ...{ id, chatId, title, openedAt, endedAt },
})

const marksOf = (marks: (typeof rounds.$inferSelect)['marks'], userId: string) =>
  marks.filter(({ authorId }) => authorId === userId)

/** Own rounds end, and own marks in the rounds of others go. */
export async function eraseOf({ db }: Context, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(rounds).where(eq(rounds.hostId, userId))
    await tx.delete(roundPeople).where(eq(roundPeople.userId, userId))
    await tx.update(rounds).set({ leaderId: null }).where(eq(rounds.leaderId, userId))
    await tx
      .update(rounds)
      .set({
        marks: sql`(
          select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(${rounds.marks}) as one
          where one ->> 'authorId' <> ${userId}
        )`,
        markCount: sql`${rounds.markCount} + 1`,
      })
      .where(hasMarksOf(userId))
  })
}

const hasMarksOf = (userId: string) =>
  sql`${rounds.marks} @> ${JSON.stringify([{ authorId: userId }])}::jsonb`

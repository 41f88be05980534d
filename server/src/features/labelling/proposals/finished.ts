import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../infra/db.ts'
import { labelItems, labelReadings } from '../tables.ts'
import { labelRounds } from './tables.ts'

export type Whose = { setId: string; userId: string }

/** Images that a member has finished. */
export const finishedOf = async (db: Db | Tx, { setId, userId }: Whose): Promise<number> => {
  const [row] = await db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(labelReadings)
    .innerJoin(labelItems, eq(labelItems.id, labelReadings.itemId))
    .where(
      and(
        eq(labelItems.setId, setId),
        eq(labelReadings.readerId, userId),
        inArray(labelReadings.state, ['done', 'accepted']),
      ),
    )
  return row?.count ?? 0
}

/** Images that were finished since the last round began; one that failed took none. */
export async function freshOf(db: Db | Tx, whose: Whose): Promise<number> {
  const [last] = await db
    .select({ finished: labelRounds.finished })
    .from(labelRounds)
    .where(
      and(
        eq(labelRounds.setId, whose.setId),
        eq(labelRounds.userId, whose.userId),
        sql`${labelRounds.state} <> 'failed'`,
      ),
    )
    .orderBy(desc(labelRounds.createdAt))
    .limit(1)
  return Math.max(0, (await finishedOf(db, whose)) - (last?.finished ?? 0))
}

import type { Job } from '@neuroloom/contract/toolbox/calls'
import { and, eq, inArray } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { toldJob } from '../files/service.ts'
import { shownOf } from './show.ts'
import { preparations } from './tables.ts'

/** Of these ids the member's own works, as jobs of any kind are told. */
export async function preparationJobs(
  { db }: Context,
  user: Pick<SessionUser, 'id'>,
  ids: string[],
): Promise<Job[]> {
  const rows = await db
    .select()
    .from(preparations)
    .where(and(eq(preparations.ownerId, user.id), inArray(preparations.id, ids)))
  const shown = await shownOf(db, rows)
  return shown.map(({ id, state, through, total, failure, failed, resultId, resultKind }) => ({
    id,
    kind: 'preparation',
    ...toldJob({ state, through, total, failure, failed }),
    result: resultId === null ? null : { kind: resultKind, id: resultId },
  }))
}

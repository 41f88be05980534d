import type { Job } from '@neuroloom/contract/toolbox/calls'
import { and, eq, inArray } from 'drizzle-orm'
import type { SessionUser } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { toldJob } from '../told-job.ts'
import { shownOf } from './news.ts'
import { textScans } from './tables.ts'

/** Of these ids the member's own searches for texts, as jobs of any kind are told: the step that is under way. */
export async function textJobs(
  { db }: Context,
  user: Pick<SessionUser, 'id'>,
  ids: string[],
): Promise<Job[]> {
  const rows = await db
    .select()
    .from(textScans)
    .where(and(eq(textScans.ownerId, user.id), inArray(textScans.id, ids)))
  const shown = await shownOf(db, rows)
  return shown.map(({ id, state, through, total, failure, failedPictures }) => ({
    id,
    kind: 'texts',
    ...toldJob({ state, through, total, failure, failed: failedPictures }),
    result: { kind: 'texts', id },
  }))
}

import type { Job } from '@neuroloom/contract/toolbox/calls'
import { and, eq, inArray } from 'drizzle-orm'
import type { SessionUser } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { toldJob } from '../told-job.ts'
import { shownOf } from './news.ts'
import { conversions } from './tables.ts'

/** Of these ids the member's own conversions, as jobs of any kind are told. */
export async function conversionJobs(
  { db }: Context,
  user: Pick<SessionUser, 'id'>,
  ids: string[],
): Promise<Job[]> {
  const rows = await db
    .select()
    .from(conversions)
    .where(and(eq(conversions.ownerId, user.id), inArray(conversions.id, ids)))
  const shown = await shownOf(db, rows)
  return shown.map(({ id, state, through, total, failure, items, folderId }) => {
    const failed = items.filter((item) => item.state === 'failed').length
    return {
      id,
      kind: 'conversion',
      ...toldJob({ state: state === 'converting' ? 'running' : state, through, total, failure, failed }),
      result: folderId === null ? null : { kind: 'folder', id: folderId },
    }
  })
}

import { and, eq, isNull } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { projects } from '../projects/tables.ts'
import { type RunRow, runs } from './tables.ts'

/** The own run of a live project; `run_missing` for foreign, removed and unknown ones alike. */
export async function requireRun(db: Db, user: Pick<SessionUser, 'id'>, id: string): Promise<RunRow> {
  const [found] = await db
    .select({ run: runs })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(and(eq(runs.id, id), eq(runs.userId, user.id), isNull(projects.recycledAt)))
  if (!found) throw fail('run_missing')
  return found.run
}

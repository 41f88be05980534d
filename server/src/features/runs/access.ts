import type { Access } from '@neuroloom/contract/files'
import { eq } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { Failure, fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { requireProject, type SeenProject } from '../projects/access.ts'
import { isLearnedRow, type LearnedRow, type RunRow, runs } from './tables.ts'

/** A run, with what the caller may do in its project. */
export type SeenRun = RunRow & { project: SeenProject }
export type SeenLearned = SeenRun & LearnedRow

/**
 * The run, if the caller has this right to its project. `run_missing` for foreign, removed and unknown ones alike;
 * `not_allowed` where it may be seen but not this.
 */
export async function requireRun(
  db: Db,
  user: Pick<SessionUser, 'id'>,
  id: string,
  right: Access,
): Promise<SeenRun> {
  const [run] = await db.select().from(runs).where(eq(runs.id, id))
  if (!run) throw fail('run_missing')
  const project = await requireProject(db, user, run.projectId, right).catch((error: unknown) => {
    throw error instanceof Failure && error.failure === 'project_missing' ? fail('run_missing') : error
  })
  return { ...run, project }
}

/** The same of a run with a network: what is asked of networks is not asked of 4D flow. */
export async function requireLearned(
  db: Db,
  user: Pick<SessionUser, 'id'>,
  id: string,
  right: Access,
): Promise<SeenLearned> {
  const run = await requireRun(db, user, id, right)
  if (!isLearnedRow(run)) throw fail('task_differs')
  return run
}

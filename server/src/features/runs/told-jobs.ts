import { shareOf } from '@neuroloom/contract/run-progress'
import type { Job } from '@neuroloom/contract/toolbox/calls'
import { and, inArray } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { seenProjects } from '../projects/access.ts'
import { type RunRow, runs } from './tables.ts'

/** Of these ids the runs of projects that the member may see, as jobs of any kind are told. */
export async function runJobs({ db }: Context, user: Pick<SessionUser, 'id'>, ids: string[]): Promise<Job[]> {
  const rows = await db
    .select()
    .from(runs)
    .where(and(inArray(runs.id, ids), inArray(runs.projectId, seenProjects(db, user.id))))
  return rows.map((run) => ({
    id: run.id,
    kind: run.kind,
    state: states[run.state],
    progress: run.state === 'done' ? 100 : run.progress && 100 * shareOf(run.progress),
    reason: reasonOf(run),
    result: { kind: 'run', id: run.id },
  }))
}

const states = {
  queued: 'waiting',
  paused: 'waiting',
  running: 'running',
  done: 'done',
  stopped: 'failed',
  failed: 'failed',
} as const

function reasonOf({ state, error }: RunRow): Job['reason'] {
  if (state === 'stopped') return { name: 'stopped', params: {} }
  if (state !== 'failed') return null
  return { name: error?.code ?? 'internal', params: error?.params ?? {} }
}

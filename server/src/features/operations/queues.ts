/** What waits, computes and failed: runs by kind, and the work behind the pages by the name of its queue. */
import type { Answer } from '@neuroloom/contract/calls'
import { operations as limits } from '@neuroloom/contract/limits'
import { openStates } from '@neuroloom/contract/run-states'
import { and, count, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { runs } from '../runs/tables.ts'

type Overview = Answer<'office/overview'>

/** In all, and by kind. */
export async function queueOf({ db }: Context): Promise<Pick<Overview, 'queue' | 'kinds'>> {
  const rows = await db
    .select({ kind: runs.kind, state: runs.state, count: count() })
    .from(runs)
    .where(inArray(runs.state, openStates))
    .groupBy(runs.kind, runs.state)
    .orderBy(runs.kind)
  const sum = (state: string, kind?: string): number =>
    rows
      .filter((row) => row.state === state && (kind === undefined || row.kind === kind))
      .reduce((total, row) => total + row.count, 0)
  const countsOf = (kind?: string) => ({
    waiting: sum('queued', kind),
    running: sum('running', kind),
    paused: sum('paused', kind),
  })
  const kinds = [...new Set(rows.map(({ kind }) => kind))]
  return { queue: countsOf(), kinds: kinds.map((kind) => ({ kind, ...countsOf(kind) })) }
}

/** The job library's own table (infra/jobs.ts); its queues for itself begin with two underscores. */
export async function jobsOf({ db }: Context): Promise<Overview['jobs']> {
  const { rows } = await db.execute<{ name: string; waiting: string; running: string }>(sql`
    select
      name,
      count(*) filter (where state in ('created', 'retry')) as waiting,
      count(*) filter (where state = 'active') as running
    from pgboss.job
    where state in ('created', 'retry', 'active') and name not like '\\_\\_%'
    group by name
    order by name`)
  return rows.map(({ name, waiting, running }) => ({
    name,
    waiting: Number(waiting),
    running: Number(running),
  }))
}

/** What a job said when it failed stays in the server's log: it may name what is a member's own. */
export async function failuresOf({ db }: Context): Promise<Overview['failures']> {
  const [failedRuns, failedJobs] = await Promise.all([
    db
      .select({ id: runs.id, kind: runs.kind, number: runs.number, error: runs.error, endedAt: runs.endedAt })
      .from(runs)
      .where(and(eq(runs.state, 'failed'), isNotNull(runs.endedAt)))
      .orderBy(desc(runs.endedAt), desc(runs.id))
      .limit(limits.failures),
    db.execute<{ name: string; at: string }>(sql`
      select name, completed_on as at
      from pgboss.job
      where state = 'failed' and completed_on is not null
      order by completed_on desc
      limit ${limits.failures}`),
  ])
  return {
    runs: failedRuns.map((run) => ({ ...run, endedAt: run.endedAt?.toISOString() ?? null })),
    jobs: failedJobs.rows.map(({ name, at }) => ({ name, at: new Date(at).toISOString() })),
  }
}

import type { Notice } from '@neuroloom/contract/accounts/accounts'
import type { EngineEvent } from '@neuroloom/contract/engine'
import { mainMetric } from '@neuroloom/contract/metric'
import { isOpen } from '@neuroloom/contract/run-states'
import type { EndedRun } from '@neuroloom/contract/runs'
import { isLearned } from '@neuroloom/contract/task'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { storeNotice } from '../../../infra/notices.ts'
import { requireProject } from '../../projects/access.ts'
import type { RunRow } from '../tables.ts'
import { queueLetter } from './letters.ts'

/** Tells the run's own page that its state changed, the project's pages to fetch anew, and of an end whoever waits for it. */
export async function announce(ctx: Context, tx: Tx, run: RunRow): Promise<void> {
  const { id, projectId, state, error } = run
  await ctx.live.publish(tx, { kind: 'project', id: projectId }, 'changed', {})
  await ctx.live.publish(tx, { kind: 'run', id }, 'state', { state, error })
  if (isOpen(run)) return
  await tellMembers(ctx, tx, run)
  for (const goOn of ctx.told('runEnded')) await goOn(ctx, tx, run)
}

declare module '../../../infra/feature.ts' {
  interface Questions {
    /** Who goes on when a run has ended, in the transaction that ends it. */
    runEnded: (ctx: Context, tx: Tx, run: RunRow) => Promise<void>
  }
}

/** Passes an engine event on to the run's page; each one is stored once, however often it is told. */
export async function relay(
  ctx: Context,
  tx: Tx,
  { runId, attempt }: { runId: string; attempt: number },
  event: EngineEvent,
): Promise<void> {
  await ctx.live.publish(
    tx,
    { kind: 'run', id: runId },
    event.type,
    shown(event),
    `${runId}/${attempt}/${event.seq}`,
  )
}

/** What pages may see of an event: a trace is for the log. */
export function shown(event: EngineEvent): Record<string, unknown> {
  return event.type === 'error' ? { ...event, trace: '' } : event
}

/** Reasons that name long files are left to the run's page. */
const REASON_CHARACTERS = 2000

const notices: Partial<Record<RunRow['state'], Notice['kind']>> = { done: 'run_done', failed: 'run_failed' }

/** Whoever started it and whose it is, wherever they are in the workspace; nobody is told what they did themselves. */
async function tellMembers(ctx: Context, tx: Tx, run: RunRow): Promise<void> {
  if (run.state === 'stopped' && run.stoppedBy === null) return
  // Deleted while it was being ended: to its people there is no such run.
  if (run.recycledAt !== null) return
  const { id, kind, number, state, task, score } = run
  const result: Notice['params'] =
    state === 'done' && isLearned(task) && score !== null
      ? { metric: mainMetric[task], score: String(score) }
      : {}
  const error = JSON.stringify(run.error).length > REASON_CHARACTERS ? null : run.error
  for (const userId of new Set([run.startedBy ?? run.userId, run.userId])) {
    if (state === 'stopped' && userId === run.stoppedBy) continue
    // Of a project that they may no longer see, or that is being removed, they are told nothing.
    const project = await requireProject(tx, { id: userId }, run.projectId, 'view').catch(() => null)
    if (project === null) continue
    // The passing news makes open pages fetch their message box too.
    await storeNotice(ctx, tx, {
      userId,
      kind: notices[state] ?? 'run_stopped',
      params: { run: id, what: kind, number: String(number), project: project.name, ...result },
    })
    await queueLetter(ctx, tx, run, userId)
    const news: EndedRun = { id, kind, number, state, error, project: project.name }
    await ctx.live.passing({ kind: 'user', id: userId }, 'run', news, tx)
  }
}

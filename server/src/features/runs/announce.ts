import type { EngineEvent } from '@neuroloom/contract/engine'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import type { RunRow } from './tables.ts'

/** Tells the run's own page that its state changed, and the project's pages to fetch anew. */
export async function announce(ctx: Context, tx: Tx, run: RunRow): Promise<void> {
  const { id, projectId, state, error } = run
  await ctx.live.publish(tx, { kind: 'project', id: projectId }, 'changed', {})
  await ctx.live.publish(tx, { kind: 'run', id }, 'state', { state, error })
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

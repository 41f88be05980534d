import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { isOpen } from '@neuroloom/contract/run-states'
import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { requireRun } from './access.ts'
import { announce } from './queue/announce.ts'
import { tellWaiting, wake } from './queue/queue.ts'
import { showRun } from './show.ts'
import { type RunRow, runs } from './tables.ts'

/** A waiting run pauses at once; one under way when its worker has saved it, or when that worker is found to be lost. */
export async function pause(
  ctx: Context,
  { id }: Parsed<'runs/pause'>,
  { user }: Caller,
): Promise<Answer<'runs/pause'>> {
  await requireRun(ctx.db, user, id, 'edit')
  await ctx.db.transaction(async (tx) => {
    const run = await lock(tx, id)
    if (!isOpen(run)) throw fail('run_ended')
    // A stop that was asked for wins; what pauses already needs nothing.
    if (run.stopRequested || run.state === 'paused') return
    if (run.state === 'queued') return change(ctx, tx, id, { state: 'paused', pauses: pausesOf(run) })
    await change(ctx, tx, id, { pauseRequested: true })
    // The worker looks what is wanted.
    await wake(tx, `stop ${id}`)
  })
  await tellWaiting(ctx)
  return showRun(ctx.db, id)
}

/** A run goes on where it was; one that is only about to pause goes on at once. */
export async function resume(
  ctx: Context,
  { id }: Parsed<'runs/resume'>,
  { user }: Caller,
): Promise<Answer<'runs/resume'>> {
  await requireRun(ctx.db, user, id, 'edit')
  await ctx.db.transaction(async (tx) => {
    const run = await lock(tx, id)
    if (run.state === 'running' && run.pauseRequested) return change(ctx, tx, id, { pauseRequested: false })
    if (run.state !== 'paused') throw fail('run_not_paused')
    await ctx.room.require()
    // Its place in the queue was given up with the pause.
    await change(ctx, tx, id, { state: 'queued', queuedAt: sql`now()` })
    await wake(tx)
  })
  return showRun(ctx.db, id)
}

/** No more pauses than attempts: one that never began has not been interrupted by its pause. */
const pausesOf = ({ attempt, pauses }: RunRow): number => Math.min(attempt, pauses + 1)

async function lock(tx: Tx, id: string): Promise<RunRow> {
  const [run] = await tx.select().from(runs).where(eq(runs.id, id)).for('update')
  if (!run) throw fail('run_missing')
  return run
}

async function change(
  ctx: Context,
  tx: Tx,
  id: string,
  values: PgUpdateSetSource<typeof runs>,
): Promise<void> {
  const [run] = await tx.update(runs).set(values).where(eq(runs.id, id)).returning()
  if (run) await announce(ctx, tx, run)
}

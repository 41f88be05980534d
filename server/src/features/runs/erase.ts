import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { sweepFolders } from './queue/folder.ts'
import { waitForEngine } from './queue/leftover.ts'
import { wake } from './queue/queue.ts'
import { allRuns } from './tables.ts'

/**
 * Deletes a member's runs, also those in the recycle station. One under way is no longer its worker's with that, and its
 * engine is ended.
 */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  const own = await ctx.db.select({ id: allRuns.id }).from(allRuns).where(eq(allRuns.userId, userId))
  for (const { id } of own) {
    await ctx.db.transaction((tx) => eraseRun(ctx, tx, id))
  }
  for (const { id } of own) await waitForEngine(ctx, id)
  await sweepFolders(ctx)
}

/** For good, with all that it produced; an engine that still works at it is ended. */
export async function eraseRun(ctx: Context, tx: Tx, id: string): Promise<void> {
  await tx.delete(allRuns).where(eq(allRuns.id, id))
  await ctx.live.forget(tx, { kind: 'run', id })
  await wake(tx, `stop ${id}`)
}

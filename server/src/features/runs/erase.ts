import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { sweepFolders } from './queue/folder.ts'
import { waitForEngine } from './queue/leftover.ts'
import { wake } from './queue/queue.ts'
import { runs } from './tables.ts'

/** Deletes a member's runs. One under way is no longer its worker's with that, and its engine is ended. */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  const own = await ctx.db.select({ id: runs.id }).from(runs).where(eq(runs.userId, userId))
  for (const { id } of own) {
    await ctx.db.transaction(async (tx) => {
      await tx.delete(runs).where(eq(runs.id, id))
      await ctx.live.forget(tx, { kind: 'run', id })
      await wake(tx, `stop ${id}`)
    })
  }
  for (const { id } of own) await waitForEngine(ctx, id)
  await sweepFolders(ctx)
}

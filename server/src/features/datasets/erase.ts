import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { datasets } from './tables.ts'

/** Forgets a member's data sets, one at a time: each may have many thousand items. */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  const own = await ctx.db.select({ id: datasets.id }).from(datasets).where(eq(datasets.ownerId, userId))
  for (const { id } of own) {
    await ctx.db.transaction(async (tx) => {
      await tx.delete(datasets).where(eq(datasets.id, id))
      await ctx.live.forget(tx, { kind: 'dataset', id })
    })
  }
}

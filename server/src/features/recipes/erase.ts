import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { returnSpace } from './lease.ts'
import { preparations, recipeShares, recipes } from './tables.ts'

/** Forgets a member's recipes and works, and returns what these have set aside, also in others' clouds. */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await returnSpace(tx, eq(preparations.ownerId, userId))
    await tx.delete(preparations).where(eq(preparations.ownerId, userId))
    await tx.delete(recipeShares).where(eq(recipeShares.userId, userId))
    await tx.delete(recipes).where(eq(recipes.ownerId, userId))
  })
}

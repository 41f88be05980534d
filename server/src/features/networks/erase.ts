import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { networks } from './tables.ts'

/** Deletes a member's networks with their versions, one at a time: each may hold many megabytes. */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  const own = await ctx.db.select({ id: networks.id }).from(networks).where(eq(networks.ownerId, userId))
  for (const { id } of own) await ctx.db.delete(networks).where(eq(networks.id, id))
}

import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { projects } from './tables.ts'

/** Deletes a member's projects with the news about them. */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  const own = await ctx.db.select({ id: projects.id }).from(projects).where(eq(projects.ownerId, userId))
  for (const { id } of own) {
    await ctx.db.transaction(async (tx) => {
      await tx.delete(projects).where(eq(projects.id, id))
      await ctx.live.forget(tx, { kind: 'project', id })
    })
  }
}

import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { drop } from './keep.ts'
import { flowStudies } from './tables.ts'

/** Deletes a member's studies; bytes that nobody else has go with the next sweep. Work under way loses its lease. */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const rows = await tx.select().from(flowStudies).where(eq(flowStudies.ownerId, userId)).for('update')
    for (const row of rows) await drop(ctx, tx, row)
  })
}

import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { labelExchanges } from './exchange/tables.ts'
import { labelHelpers, labelProposals, labelRounds } from './proposals/tables.ts'
import { forget } from './sets.ts'
import { labelComments, labelReaders, labelReadings, labelSets } from './tables.ts'

/**
 * Own sets go with all that was read in them. Marks in others' sets stay without a name: they are the work of the set, as a
 * training in another one's project is that project's. Words go.
 */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  const own = await ctx.db.select({ id: labelSets.id }).from(labelSets).where(eq(labelSets.ownerId, userId))
  for (const { id } of own) await ctx.db.transaction((tx) => forget(ctx, tx, id))
  await ctx.db.delete(labelReaders).where(eq(labelReaders.userId, userId))
  await ctx.db.delete(labelHelpers).where(eq(labelHelpers.userId, userId))
  await ctx.db.delete(labelProposals).where(eq(labelProposals.userId, userId))
  await ctx.db.delete(labelRounds).where(eq(labelRounds.userId, userId))
  await ctx.db.delete(labelExchanges).where(eq(labelExchanges.memberId, userId))
  const said = { text: '', authorId: null }
  await ctx.db.update(labelComments).set(said).where(eq(labelComments.authorId, userId))
  await ctx.db.update(labelReadings).set({ readerId: null }).where(eq(labelReadings.readerId, userId))
}

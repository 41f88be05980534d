/** What of the wallet is a member's own: in the archive, and when the account is erased. */
import { and, desc, eq, ne } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { ledgerEntries } from '../ledger/tables.ts'
import { payeeOf } from './payee.ts'
import { balancesOf, describeRecord, recordsOf } from './records.ts'
import { withdrawals } from './tables.ts'

export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  const rows = await ctx.db
    .select()
    .from(withdrawals)
    .where(eq(withdrawals.userId, userId))
    .orderBy(desc(withdrawals.askedAt))
  const records = await recordsOf(ctx.db, userId).orderBy(desc(ledgerEntries.id))
  if (rows.length + records.length === 0) return
  yield jsonFile('wallet.json', {
    balances: await balancesOf(ctx.db, userId),
    withdrawals: rows.map((stored) => {
      const { payeeSeal: _, ...row } = stored
      return { ...row, payee: payeeOf(ctx, stored) }
    }),
    records: records.map(describeRecord),
  })
}

/**
 * Withdrawals are books, which are kept; whose account it was goes, but where somebody has to be paid still: that goes with
 * the review.
 */
export async function eraseOf({ db }: Context, userId: string): Promise<void> {
  await db
    .update(withdrawals)
    .set({ payeeSeal: null })
    .where(and(eq(withdrawals.userId, userId), ne(withdrawals.state, 'under_review')))
}

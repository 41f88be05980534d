/** A buyer asks for the money or points back: decided by the rules, by the seller's test run once more, or by a person. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { isOpen } from '@neuroloom/contract/run-states'
import { and, eq, gte, isNotNull, isNull, ne, type SQL } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { Failure, fail } from '../../http/fail.ts'
import { alarmLater } from '../../infra/alarm.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { breaksUnique, type Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import type { JobData } from '../../infra/jobs.ts'
import { lockMember, refundIn, tell } from '../payments/service.ts'
import { repeat } from '../runs/service.ts'
import type { RunRow } from '../runs/tables.ts'
import { refusalOf, runOf } from './check.ts'
import { entryOf, undo } from './goods.ts'
import { claimShown } from './show.ts'
import {
  type ClaimRow,
  listingVersions,
  type SaleRow,
  sales,
  shopClaims,
  shopUses,
  type VersionRow,
} from './tables.ts'

export async function claim(
  ctx: Context,
  { orderNo, ground, text }: Parsed<'shop/claim'>,
  { user, address }: Caller,
): Promise<Answer<'shop/claim'>> {
  const own = and(eq(sales.orderNo, orderNo), eq(sales.buyerId, user.id))
  const [known] = await ctx.db.select().from(sales).where(own)
  if (!known) throw fail('order_missing')
  const testAgain = ground === 'not_as_described' ? await sellersTest(ctx, known) : null
  const id = newId()
  await ctx.db
    .transaction(async (tx) => {
      await lockMember(tx, user.id)
      const [sale] = await tx.select().from(sales).where(own).for('update')
      if (sale?.state !== 'held' || sale.recordAt <= ctx.now()) throw fail('claim_late')
      if (ground === 'by_mistake' && (await wasUsed(tx, sale))) throw fail('claim_used')
      const check = testAgain && (await testAgain(tx))
      const [row] = await tx
        .insert(shopClaims)
        .values({
          ...{ id, orderNo, ground, text, state: 'open', checkId: check?.id ?? null, at: ctx.now() },
          ...(ground === 'not_as_described' && !check ? { outcome: 'failed' } : {}),
        })
        .returning()
      if (!row) throw new Error('The claim was not written')
      await audit(tx, { actor: user.id, action: 'sale.claim', subject: `order:${orderNo}`, address })
      if (ground === 'by_mistake') await decide(ctx, tx, { row, state: 'granted', reason: '', askedBy: null })
      else {
        const { note } = await entryOf(tx, sale)
        await tell(ctx, tx, { userId: sale.sellerId, kind: 'claim_opened', params: { ...note, orderNo } })
        // What is run again is decided by its figures, as long as there are any.
        if (!check) await alarmLater(ctx, tx, 'office_claim')
      }
    })
    .catch((error: unknown) => {
      throw breaksUnique(error, 'shop_claims_order_no_key') ? fail('claim_twice') : error
    })
  const [row] = await ctx.db.select().from(shopClaims).where(eq(shopClaims.id, id))
  if (!row) throw fail('claim_missing')
  return claimShown(row)
}

/** What the buyer did with it since. */
export const isUseOf = ({ listingId, buyerId, at }: SaleRow): SQL | undefined =>
  and(eq(shopUses.listingId, listingId), eq(shopUses.userId, buyerId), gte(shopUses.at, at))

/** Anything but a look at own test images, which costs the seller nothing. */
const wasUsed = async (tx: Tx, sale: SaleRow): Promise<boolean> =>
  (await tx.$count(shopUses, and(isUseOf(sale), ne(shopUses.kind, 'drive')))) > 0

/** Null where it cannot be run any more: then a person decides. */
async function sellersTest(
  ctx: Context,
  { listingId, version, sellerId }: SaleRow,
): Promise<((tx: Tx) => Promise<RunRow>) | null> {
  const [sold] = await ctx.db
    .select()
    .from(listingVersions)
    .where(and(eq(listingVersions.listingId, listingId), eq(listingVersions.number, version)))
  const test = sold && (await runOf(ctx.db, sold.testId))
  if (!test) return null
  return repeat(ctx, { id: sellerId }, test).catch((error: unknown) => {
    if (error instanceof Failure) return null
    throw error
  })
}

/** When the seller's test was run again: the same figures, and the model is as described. */
export async function judge(ctx: Context, { claimId }: JobData['shop.claim']): Promise<void> {
  const [row] = await ctx.db.select().from(shopClaims).where(eq(shopClaims.id, claimId))
  if (row?.state !== 'open' || row.checkId === null) return
  const run = await runOf(ctx.db, row.checkId)
  if (!run || isOpen(run)) return
  const version = await soldVersion(ctx, row)
  const refusal = version ? await refusalOf(ctx, version, run) : 'test_failed'
  const outcome = refusal === null ? 'same' : isDifferent(refusal) ? 'differs' : 'failed'
  await ctx.db.transaction(async (tx) => {
    await lockBuyer(tx, row)
    const [open] = await tx
      .update(shopClaims)
      .set({ outcome })
      .where(and(eq(shopClaims.id, claimId), eq(shopClaims.state, 'open')))
      .returning()
    if (!open) return
    if (outcome === 'failed') {
      // Where nothing could be measured, a person decides.
      await alarmLater(ctx, tx, 'office_claim')
      return
    }
    const state = outcome === 'same' ? 'refused' : 'granted'
    await decide(ctx, tx, { row: open, state, reason: '', askedBy: null })
  })
}

const isDifferent = (refusal: string): boolean => refusal === 'score_differs' || refusal === 'weights_damaged'

async function soldVersion(ctx: Context, { orderNo }: ClaimRow): Promise<VersionRow | null> {
  const [row] = await ctx.db
    .select({ version: listingVersions })
    .from(sales)
    .innerJoin(
      listingVersions,
      and(eq(listingVersions.listingId, sales.listingId), eq(listingVersions.number, sales.version)),
    )
    .where(eq(sales.orderNo, orderNo))
  return row?.version ?? null
}

/** Before anything of the sale is locked, as everywhere. */
export async function lockBuyer(tx: Tx, { orderNo }: Pick<ClaimRow, 'orderNo'>): Promise<void> {
  const [sale] = await tx.select({ buyerId: sales.buyerId }).from(sales).where(eq(sales.orderNo, orderNo))
  if (sale) await lockMember(tx, sale.buyerId)
}

type Decision = { row: ClaimRow; state: 'granted' | 'refused'; reason: string; askedBy: string | null }

/** Once; with the buyer's row locked. */
export async function decide(ctx: Context, tx: Tx, { row, state, reason, askedBy }: Decision): Promise<void> {
  const [decided] = await tx
    .update(shopClaims)
    .set({ state, reason, decidedAt: ctx.now() })
    .where(and(eq(shopClaims.id, row.id), eq(shopClaims.state, 'open')))
    .returning()
  if (!decided) throw fail('order_over')
  const { orderNo } = row
  const [sale] = await tx.select().from(sales).where(eq(sales.orderNo, orderNo))
  if (!sale) throw fail('claim_missing')
  if (state === 'granted') {
    if (sale.unit === 'point') await undo(ctx, tx, sale)
    else await refundIn(ctx, tx, { userId: sale.buyerId, orderNo, amountFen: null, reason, askedBy })
  }
  const { note } = await entryOf(tx, sale)
  await tell(ctx, tx, {
    userId: sale.buyerId,
    kind: `claim_${state}`,
    params: { ...note, orderNo, reason },
  })
}

/** Claims whose re-run has ended without their job: asked for again by the round of the shop. */
export async function goOnWithClaims(ctx: Context): Promise<void> {
  const rows = await ctx.db
    .select({ claimId: shopClaims.id })
    .from(shopClaims)
    .where(and(eq(shopClaims.state, 'open'), isNotNull(shopClaims.checkId), isNull(shopClaims.outcome)))
  for (const one of rows) await judge(ctx, one)
}

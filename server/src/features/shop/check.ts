/** What the platform measured again: equal to the last digit, and then signed; or refused. */
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { isOpen } from '@neuroloom/contract/run-states'
import type { CheckRefusal } from '@neuroloom/contract/shop/words'
import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import type { JobData } from '../../infra/jobs.ts'
import { tell } from '../payments/service.ts'
import { type RunRow, runs } from '../runs/tables.ts'
import { statementOf } from './statement.ts'
import { type ListingRow, listings, listingVersions, shopClaims, type VersionRow } from './tables.ts'
import { repeats, testedOf } from './tested.ts'

/** In the transaction that ends a run: whatever waits for it goes on. */
export async function goOn(ctx: Context, tx: Tx, { id }: RunRow): Promise<void> {
  const checked = await tx
    .select({ listingId: listingVersions.listingId, number: listingVersions.number })
    .from(listingVersions)
    .where(and(eq(listingVersions.checkId, id), eq(listingVersions.state, 'checking')))
  for (const one of checked) await ctx.jobs.send(tx, 'shop.check', one)
  const claimed = await tx
    .select({ claimId: shopClaims.id })
    .from(shopClaims)
    .where(and(eq(shopClaims.checkId, id), eq(shopClaims.state, 'open')))
  for (const one of claimed) await ctx.jobs.send(tx, 'shop.claim', one)
}

/** Twice does no harm: a version is decided once. */
export async function check(ctx: Context, { listingId, number }: JobData['shop.check']): Promise<void> {
  const one = and(eq(listingVersions.listingId, listingId), eq(listingVersions.number, number))
  const [row] = await ctx.db
    .select({ version: listingVersions, listing: listings })
    .from(listingVersions)
    .innerJoin(listings, eq(listings.id, listingVersions.listingId))
    .where(one)
  if (row?.version.state !== 'checking') return
  const run = await runOf(ctx.db, row.version.checkId)
  if (run && isOpen(run)) return
  const refusal = await refusalOf(ctx, row.version, run)
  await ctx.db.transaction(async (tx) => {
    const at = ctx.now()
    const text = statementOf(row.listing, row.version, { at, versions: run?.versions ?? null })
    const decided = refusal
      ? ({ state: 'refused' } as const)
      : ({
          state: 'verified',
          ...{ statement: text, signature: ctx.signer.sign(text), verifiedAt: at },
        } as const)
    const [version] = await tx
      .update(listingVersions)
      .set(decided)
      .where(and(one, eq(listingVersions.state, 'checking')))
      .returning()
    if (version) await settle(ctx, tx, { version, refusal })
  })
}

/** The weights as they lie there now, and what they said. Null = all is as the seller's test had it. */
export async function refusalOf(
  ctx: Context,
  { tested, weightsSha256 }: VersionRow,
  run: RunRow | null,
): Promise<CheckRefusal | null> {
  if (!run || run.state === 'stopped') return 'test_stopped'
  if (run.state !== 'done') return 'test_failed'
  if (!(await isWhole(ctx, weightsSha256))) return 'weights_damaged'
  const again = await testedOf(ctx.db, run)
  return again !== null && repeats(again, tested) ? null : 'score_differs'
}

async function isWhole(ctx: Context, sha256: string): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    await pipeline(ctx.storage.read(sha256), hash)
  } catch (error) {
    ctx.log.warn({ err: error, sha256 }, 'the weights of a listing cannot be read')
    return false
  }
  return hash.digest('hex') === sha256
}

export async function runOf(db: Db, id: string | null): Promise<RunRow | null> {
  if (id === null) return null
  const [run] = await db.select().from(runs).where(eq(runs.id, id))
  return run ?? null
}

async function settle(
  ctx: Context,
  tx: Tx,
  { version, refusal }: { version: VersionRow; refusal: CheckRefusal | null },
): Promise<void> {
  const one = eq(listings.id, version.listingId)
  const [row] = await tx.select().from(listings).where(one).for('update')
  if (!row) return
  await tx
    .update(listings)
    .set(refusal ? refused(row, refusal) : listed(row, version, ctx.now()))
    .where(one)
  const kind = refusal ? 'model_refused' : 'model_listed'
  await tell(ctx, tx, { userId: row.sellerId, kind, params: { model: row.name, listingId: row.id } })
}

const refused = ({ state, version }: ListingRow, refusal: CheckRefusal) => ({
  refusal,
  state: version === 0 && state === 'checking' ? ('refused' as const) : state,
})

/** What was hidden or taken out meanwhile stays so. */
const listed = ({ state, listedAt }: ListingRow, { number }: VersionRow, now: Date) => ({
  version: number,
  refusal: null,
  listedAt: listedAt ?? now,
  state: state === 'checking' || state === 'refused' ? ('listed' as const) : state,
})

/** Checks whose run is gone, or whose job was lost: asked for again by the round of the shop. */
export async function goOnWithChecks(ctx: Context): Promise<void> {
  const rows = await ctx.db
    .select({ listingId: listingVersions.listingId, number: listingVersions.number })
    .from(listingVersions)
    .innerJoin(listings, eq(listings.id, listingVersions.listingId))
    .where(
      and(eq(listingVersions.state, 'checking'), inArray(listings.state, ['checking', 'listed', 'hidden'])),
    )
  for (const one of rows) await check(ctx, one)
}

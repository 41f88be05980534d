/** Putting a trained model into the shop. It is listed when the platform has measured the same score again. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { shop as limits } from '@neuroloom/contract/limits'
import { shopRules } from '@neuroloom/contract/shop/words'
import { and, eq, inArray, max, ne } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { addBlob } from '../../infra/storage/blobs.ts'
import { lockMember } from '../payments/service.ts'
import { requireRoomToShare } from '../plans/access.ts'
import { repeat } from '../runs/service.ts'
import type { RunRow } from '../runs/tables.ts'
import { reaches, requireOwnListing } from './access.ts'
import { shownById } from './show.ts'
import { type Source, sourceOf } from './source.ts'
import { type ListingRow, listings, listingVersions } from './tables.ts'

export async function offer(
  ctx: Context,
  { testId, about, acceptRules }: Parsed<'shop/offer'>,
  { user, address }: Caller,
): Promise<Answer<'shop/offer'>> {
  if (acceptRules !== shopRules) throw fail('rules_changed')
  if (!reaches(ctx, user, limits.sellerLevel)) throw fail('level_too_low')
  const source = await sourceOf(ctx, user, testId)
  const testAgain = await repeat(ctx, user, source.test)
  const id = newId()
  await ctx.db.transaction(async (tx) => {
    const member = await lockMember(tx, user.id)
    if (!member) throw fail('not_allowed')
    if (member.name.trim() === '') throw fail('information_needed')
    const owned = await tx.$count(listings, eq(listings.sellerId, user.id))
    if (owned >= limits.listings) throw fail('listing_limit', { limit: limits.listings })
    await requireNew(tx, source, null)
    await tx.insert(listings).values({
      ...{ id, sellerId: user.id, state: 'checking', task: source.training.task, rules: acceptRules },
      ...{ about, name: about.name, priceYuan: about.priceYuan, createdAt: ctx.now() },
    })
    await addVersion(ctx, tx, { id, number: 1, note: '', source, testAgain })
    await requireRoomToShare(ctx, tx, { ownerId: user.id, id })
    await audit(tx, { actor: user.id, action: 'listing.offer', subject: `listing:${id}`, address })
  })
  return shownById(ctx, user, id)
}

export async function renew(
  ctx: Context,
  { id, testId, note }: Parsed<'shop/renew'>,
  { user, address }: Caller,
): Promise<Answer<'shop/renew'>> {
  const source = await sourceOf(ctx, user, testId)
  const testAgain = await repeat(ctx, user, source.test)
  await ctx.db.transaction(async (tx) => {
    const row = await requireFree(tx, user, id)
    if (row.task !== source.training.task) throw fail('task_differs')
    await requireNew(tx, source, id)
    const number = (await lastNumber(tx, id)) + 1
    if (number > limits.versions) throw fail('listing_limit', { limit: limits.versions })
    await addVersion(ctx, tx, { id, number, note, source, testAgain })
    // Until the check is done, buyers get the version before; where there is none, nothing is sold.
    const state = row.version === 0 ? 'checking' : row.state
    await tx.update(listings).set({ state, refusal: null }).where(eq(listings.id, id))
    await requireRoomToShare(ctx, tx, { ownerId: user.id, id })
    await audit(tx, { actor: user.id, action: 'listing.renew', subject: `listing:${id}`, address })
  })
  return shownById(ctx, user, id)
}

export async function edit(
  ctx: Context,
  { id, about }: Parsed<'shop/edit'>,
  { user }: Caller,
): Promise<Answer<'shop/edit'>> {
  await ctx.db.transaction(async (tx) => {
    const { state, banReason } = await requireOwnListing(tx, user, id)
    if (state === 'banned') throw fail('listing_banned', { reason: banReason })
    const { name, priceYuan } = about
    await tx.update(listings).set({ about, name, priceYuan }).where(eq(listings.id, id))
  })
  return shownById(ctx, user, id)
}

/** Who has the model keeps it. */
export async function show(
  ctx: Context,
  { id, isShown }: Parsed<'shop/show'>,
  { user }: Caller,
): Promise<Answer<'shop/show'>> {
  await ctx.db.transaction(async (tx) => {
    const { version } = await requireFree(tx, user, id)
    if (version === 0) throw fail('listing_closed')
    await tx
      .update(listings)
      .set({ state: isShown ? 'listed' : 'hidden' })
      .where(eq(listings.id, id))
    if (isShown) await requireRoomToShare(ctx, tx, { ownerId: user.id, id })
  })
  return shownById(ctx, user, id)
}

/** The own listing, of which no version is being checked. */
async function requireFree(tx: Tx, user: SessionUser, id: string): Promise<ListingRow> {
  // The member before the listing, as everywhere.
  await lockMember(tx, user.id)
  const row = await requireOwnListing(tx, user, id)
  if (row.state === 'banned') throw fail('listing_banned', { reason: row.banReason })
  const isChecked = and(eq(listingVersions.listingId, id), eq(listingVersions.state, 'checking'))
  if ((await tx.$count(listingVersions, isChecked)) > 0) throw fail('listing_checking')
  return row
}

/** The same weights stand in the shop once, whoever offers them; the same listing may have them measured again. */
async function requireNew(tx: Tx, { version }: Source, listingId: string | null): Promise<void> {
  const rows = await tx
    .select({ id: listingVersions.listingId })
    .from(listingVersions)
    .innerJoin(listings, eq(listings.id, listingVersions.listingId))
    .where(
      and(
        eq(listingVersions.weightsSha256, version.weightsSha256),
        ne(listingVersions.state, 'refused'),
        inArray(listings.state, ['checking', 'listed', 'hidden', 'banned']),
      ),
    )
  if (rows.some(({ id }) => id !== listingId)) throw fail('listing_twice')
}

async function lastNumber(tx: Tx, id: string): Promise<number> {
  const [row] = await tx
    .select({ last: max(listingVersions.number) })
    .from(listingVersions)
    .where(eq(listingVersions.listingId, id))
  return row?.last ?? 0
}

type Added = {
  id: string
  number: number
  note: string
  source: Source
  testAgain: (tx: Tx) => Promise<RunRow>
}

/** With the run that measures it again. */
async function addVersion(
  ctx: Context,
  tx: Tx,
  { id, number, note, source, testAgain }: Added,
): Promise<void> {
  const { version } = source
  await addBlob(tx, { sha256: version.weightsSha256, sizeBytes: version.weightsBytes })
  const check = await testAgain(tx)
  await tx.insert(listingVersions).values({
    ...version,
    ...{ listingId: id, number, note, state: 'checking', checkId: check.id, createdAt: ctx.now() },
  })
}

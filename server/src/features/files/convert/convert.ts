import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { conversions as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { requireEntries } from '../access.ts'
import { mayBeImage } from '../view/kinds.ts'
import { returnSpace } from './lease.ts'
import { shownOf } from './news.ts'
import { candidatesOf, withoutReady } from './plan.ts'
import { type ConversionRow, conversionItems, conversions } from './tables.ts'

export async function start(
  ctx: Context,
  { ids, format, options }: Parsed<'files/convert'>,
  { user }: Caller,
): Promise<Answer<'files/convert'>> {
  const entries = await requireEntries(ctx.db, user, ids, 'view')
  const candidates = withoutReady(await candidatesOf(ctx.db, user, entries), format)
  if (candidates.length > limits.parts)
    throw fail('too_many_files', { limit: limits.parts, count: candidates.length })
  if (!candidates.some(({ name }) => mayBeImage(name))) throw fail('conversion_nothing')
  await ctx.room.require()
  return ctx.db.transaction(async (tx) => {
    await lockConversions(tx, user.id)
    const [open] = await tx
      .select({ count: sql`count(*)`.mapWith(Number) })
      .from(conversions)
      .where(and(eq(conversions.ownerId, user.id), inArray(conversions.state, ['waiting', 'converting'])))
    if ((open?.count ?? 0) >= limits.waiting) throw fail('conversion_waiting', { limit: limits.waiting })
    const id = newId()
    const sourceIds = [...new Set(ids)]
    await tx
      .insert(conversions)
      .values({ id, ownerId: user.id, sourceIds, format, options, state: 'waiting', createdAt: ctx.now() })
    await queue(ctx, tx, id)
    return oneOf(tx, id)
  })
}

/** Two calls at once must not pass the limit together. */
const lockConversions = (tx: Tx, ownerId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`conversions ${ownerId}`}, 0))`)

const queue = (ctx: Context, tx: Tx, id: string): Promise<void> =>
  ctx.jobs.send(tx, 'files.convert', { conversionId: id }, { singletonKey: id })

async function oneOf(db: Db, id: string): Promise<Answer<'files/convert'>> {
  const rows = await db.select().from(conversions).where(eq(conversions.id, id))
  const [one] = await shownOf(db, rows)
  if (!one) throw fail('missing')
  return one
}

export async function list(
  ctx: Context,
  { after }: Parsed<'files/conversions'>,
  { user }: Caller,
): Promise<Answer<'files/conversions'>> {
  const own = eq(conversions.ownerId, user.id)
  const before =
    after === null
      ? undefined
      : sql`(${conversions.createdAt}, ${conversions.id}) < (
          select created_at, id from conversions where id = ${after} and owner_id = ${user.id})`
  const rows = await ctx.db
    .select()
    .from(conversions)
    .where(and(own, before))
    .orderBy(desc(conversions.createdAt), desc(conversions.id))
    .limit(limits.page + 1)
  const page = rows.slice(0, limits.page)
  return {
    conversions: await shownOf(ctx.db, page),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  }
}

/** Only what failed or was given up is done again. */
export async function retry(
  ctx: Context,
  { id }: Parsed<'files/retryConversion'>,
  { user }: Caller,
): Promise<Answer<'files/retryConversion'>> {
  return ctx.db.transaction(async (tx) => {
    await requireIn(tx, { id, ownerId: user.id, states: ['failed', 'cancelled'] })
    await tx
      .update(conversionItems)
      .set({ state: 'waiting', reason: null })
      .where(
        and(eq(conversionItems.conversionId, id), inArray(conversionItems.state, ['failed', 'cancelled'])),
      )
    await tx
      .update(conversions)
      .set({ state: 'waiting', failure: null, attempts: 0, leaseUntil: null, endedAt: null })
      .where(eq(conversions.id, id))
    await queue(ctx, tx, id)
    return oneOf(tx, id)
  })
}

export async function cancel(
  ctx: Context,
  { id }: Parsed<'files/cancelConversion'>,
  { user }: Caller,
): Promise<Answer<'files/cancelConversion'>> {
  return ctx.db.transaction(async (tx) => {
    await requireIn(tx, { id, ownerId: user.id, states: ['waiting', 'converting'] })
    const own = eq(conversionItems.conversionId, id)
    await returnSpace(tx, own)
    await tx
      .update(conversionItems)
      .set({ state: 'cancelled' })
      .where(and(own, inArray(conversionItems.state, ['waiting', 'converting'])))
    await tx
      .update(conversions)
      .set({ state: 'cancelled', leaseUntil: null, endedAt: ctx.now() })
      .where(eq(conversions.id, id))
    return oneOf(tx, id)
  })
}

type Wanted = { id: string; ownerId: string; states: ConversionRow['state'][] }

/** The own conversion, locked, in one of the states. */
async function requireIn(tx: Tx, { id, ownerId, states }: Wanted): Promise<void> {
  const [row] = await tx
    .select()
    .from(conversions)
    .where(and(eq(conversions.id, id), eq(conversions.ownerId, ownerId)))
    .for('update')
  if (!row) throw fail('missing')
  if (!states.includes(row.state)) throw fail('conversion_state')
}

/** Forgets a member's conversions and returns what they have set aside, also in others' clouds. */
export async function dropConversions(tx: Tx, userId: string): Promise<void> {
  const own = sql`conversion_id in (select id from ${conversions} where owner_id = ${userId})`
  await returnSpace(tx, own)
  await tx.delete(conversions).where(eq(conversions.ownerId, userId))
}

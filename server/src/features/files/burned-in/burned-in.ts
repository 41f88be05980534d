import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { burnedIn as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { missingPackages } from '../../../infra/tesseract.ts'
import { requireEntries } from '../access.ts'
import { candidatesOf } from '../convert/plan.ts'
import { mayBeImage } from '../view/kinds.ts'
import { frameUrl } from './frame.ts'
import { pictureOf, shownOf } from './news.ts'
import {
  begin,
  isEnded,
  isOpen,
  lockScans,
  oneOf,
  queue,
  requireIn,
  requireScan,
  requireTurn,
} from './own.ts'
import { textPictures, textScans } from './tables.ts'

export async function start(
  ctx: Context,
  { ids }: Parsed<'files/seekTexts'>,
  { user }: Caller,
): Promise<Answer<'files/seekTexts'>> {
  if ((await missingPackages()).length > 0) throw fail('ocr_missing')
  const entries = await requireEntries(ctx.db, user, ids, 'view')
  const candidates = await candidatesOf(ctx.db, user, entries)
  if (candidates.length > limits.pictures)
    throw fail('too_many_files', { limit: limits.pictures, count: candidates.length })
  if (!candidates.some(({ name }) => mayBeImage(name))) throw fail('texts_nothing')
  await ctx.room.require()
  return ctx.db.transaction(async (tx) => {
    await lockScans(tx, user.id)
    await requireTurn(tx, user.id)
    const id = newId()
    const sourceIds = [...new Set(ids)]
    const begun = { step: 'seek', state: 'waiting', createdAt: ctx.now() } as const
    await tx.insert(textScans).values({ id, ownerId: user.id, sourceIds, ...begun })
    await queue(ctx, tx, id)
    return oneOf(tx, id)
  })
}

export async function list(
  ctx: Context,
  { after }: Parsed<'files/textScans'>,
  { user }: Caller,
): Promise<Answer<'files/textScans'>> {
  const before =
    after === null
      ? undefined
      : sql`(${textScans.createdAt}, ${textScans.id}) < (
          select created_at, id from text_scans where id = ${after} and owner_id = ${user.id})`
  const rows = await ctx.db
    .select()
    .from(textScans)
    .where(and(eq(textScans.ownerId, user.id), before))
    .orderBy(desc(textScans.createdAt), desc(textScans.id))
    .limit(limits.page + 1)
  const page = rows.slice(0, limits.page)
  return {
    scans: await shownOf(ctx.db, page),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
    missing: await missingPackages(),
  }
}

export async function pictures(
  ctx: Context,
  { id, page }: Parsed<'files/textPictures'>,
  caller: Caller,
): Promise<Answer<'files/textPictures'>> {
  const scan = await requireScan(ctx.db, { id, ownerId: caller.user.id })
  const own = eq(textPictures.scanId, id)
  const rows = await ctx.db
    .select()
    .from(textPictures)
    .where(own)
    .orderBy(desc(textPictures.doubt), asc(textPictures.position))
    .limit(limits.page)
    .offset(page * limits.page)
  const [shown] = await shownOf(ctx.db, [scan])
  if (!shown) throw fail('missing')
  return {
    scan: shown,
    pictures: rows.map((row) =>
      pictureOf(row, row.width === null || row.sourceId === null ? null : frameUrl(ctx, caller, row)),
    ),
    pages: Math.max(1, Math.ceil(shown.total / limits.page)),
  }
}

/** Only what failed or was given up is done again. */
export async function retry(
  ctx: Context,
  { id }: Parsed<'files/retryTexts'>,
  { user }: Caller,
): Promise<Answer<'files/retryTexts'>> {
  return ctx.db.transaction(async (tx) => {
    await lockScans(tx, user.id)
    const { step } = await requireIn(tx, { id, ownerId: user.id, may: isEnded })
    await requireTurn(tx, user.id)
    await tx
      .update(textPictures)
      .set({ state: 'waiting', reason: null })
      .where(
        and(
          eq(textPictures.scanId, id),
          inArray(textPictures.state, ['failed', 'cancelled']),
          // Of what could not be looked at there is nothing to copy.
          step === 'copy' ? isNotNull(textPictures.width) : undefined,
        ),
      )
    await begin(ctx, tx, id, step)
    return oneOf(tx, id)
  })
}

export async function cancel(
  ctx: Context,
  { id }: Parsed<'files/cancelTexts'>,
  { user }: Caller,
): Promise<Answer<'files/cancelTexts'>> {
  return ctx.db.transaction(async (tx) => {
    await requireIn(tx, { id, ownerId: user.id, may: isOpen })
    await tx
      .update(textPictures)
      .set({ state: 'cancelled' })
      .where(and(eq(textPictures.scanId, id), inArray(textPictures.state, ['waiting', 'running'])))
    await tx
      .update(textScans)
      .set({ state: 'cancelled', leaseUntil: null, endedAt: ctx.now() })
      .where(eq(textScans.id, id))
    return oneOf(tx, id)
  })
}

export async function forget(
  ctx: Context,
  { id }: Parsed<'files/forgetTexts'>,
  { user }: Caller,
): Promise<Answer<'files/forgetTexts'>> {
  return ctx.db.transaction(async (tx) => {
    await requireIn(tx, { id, ownerId: user.id, may: (row) => !isOpen(row) })
    await tx.delete(textScans).where(eq(textScans.id, id))
    return {}
  })
}

/** With all that was read. */
export const dropScans = (tx: Tx, userId: string) => tx.delete(textScans).where(eq(textScans.ownerId, userId))

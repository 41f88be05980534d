import type { TextRegion } from '@neuroloom/contract/burned-in'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { begin, isFound, lockScans, oneOf, requireIn, requireTurn } from './own.ts'
import { textPictures } from './tables.ts'

export async function confirm(
  ctx: Context,
  { id, position, regions, isConfirmed }: Parsed<'files/confirmTexts'>,
  { user }: Caller,
): Promise<Answer<'files/confirmTexts'>> {
  return ctx.db.transaction(async (tx) => {
    await requireIn(tx, { id, ownerId: user.id, may: isFound })
    const [row] = await tx
      .select()
      .from(textPictures)
      .where(and(eq(textPictures.scanId, id), eq(textPictures.position, position)))
    if (!row || row.width === null) throw fail('missing')
    await tx
      .update(textPictures)
      .set({ regions: within(regions, row), confirmedAt: isConfirmed ? ctx.now() : null })
      .where(and(eq(textPictures.scanId, id), eq(textPictures.position, position)))
    return oneOf(tx, id)
  })
}

type Size = { width: number | null; height: number | null; frames: number | null }

/** Nothing reaches out of the picture; what has no area is none. */
function within(regions: readonly TextRegion[], { width, height, frames }: Size): TextRegion[] {
  return regions.flatMap((region) => {
    const x = Math.floor(region.x)
    const y = Math.floor(region.y)
    const w = Math.min(width ?? 0, Math.ceil(region.x + region.w)) - x
    const h = Math.min(height ?? 0, Math.ceil(region.y + region.h)) - y
    const last = Math.min(region.last, (frames ?? 1) - 1)
    return w > 0 && h > 0 && region.first <= last ? [{ ...region, x, y, w, h, last }] : []
  })
}

export async function confirmAll(
  ctx: Context,
  { id }: Parsed<'files/confirmAllTexts'>,
  { user }: Caller,
): Promise<Answer<'files/confirmAllTexts'>> {
  return ctx.db.transaction(async (tx) => {
    await requireIn(tx, { id, ownerId: user.id, may: isFound })
    await tx
      .update(textPictures)
      .set({ confirmedAt: ctx.now() })
      .where(
        and(eq(textPictures.scanId, id), isNull(textPictures.confirmedAt), isNotNull(textPictures.width)),
      )
    return oneOf(tx, id)
  })
}

/** Every picture that could be looked at is confirmed by now. */
export async function black(
  ctx: Context,
  { id }: Parsed<'files/blackTexts'>,
  { user }: Caller,
): Promise<Answer<'files/blackTexts'>> {
  return ctx.db.transaction(async (tx) => {
    await lockScans(tx, user.id)
    await requireIn(tx, { id, ownerId: user.id, may: isFound })
    await requireTurn(tx, user.id)
    const looked = and(eq(textPictures.scanId, id), isNotNull(textPictures.width))
    const [open] = await tx
      .select({ count: sql`count(*)`.mapWith(Number) })
      .from(textPictures)
      .where(and(looked, isNull(textPictures.confirmedAt)))
    if ((open?.count ?? 0) > 0) throw fail('texts_unconfirmed', { count: open?.count ?? 0 })
    await tx.update(textPictures).set({ state: 'waiting' }).where(looked)
    await begin(ctx, tx, id, 'copy')
    return oneOf(tx, id)
  })
}

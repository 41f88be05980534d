import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { newId } from '../../infra/ids.ts'
import { maySeeOthers, requireItem, type SeenItem, type SeenSet } from './access.ts'
import { imageOf } from './images.ts'
import { itemsOf, readingsOf, setOf, sizeOf } from './show.ts'
import { type LabelItemRow, labelItems, labelReadings, type ReadingRow } from './tables.ts'
import { begunFrom } from './wholes.ts'

export async function open(
  ctx: Context,
  { itemId, readingId, measured }: Parsed<'labelling/open'>,
  caller: Caller,
): Promise<Answer<'labelling/open'>> {
  const { user } = caller
  const seen = await requireItem(ctx.db, user, itemId, 'read')
  const { image, item } = await imageOf(ctx, caller, { seen, measured })
  const reading =
    sizeOf(item) === null
      ? null
      : readingId === null
        ? await beginOwn(ctx, user, item)
        : await another(ctx, user, { ...seen, item }, readingId)
  const begun = await begunFrom(ctx.db, reading?.id ?? '', reading?.seq ?? 0)
  const [shownItem] = await itemsOf(ctx, caller, { set: seen.set, rows: [item] })
  const [shownReading] = reading ? await readingsOf(ctx.db, user, seen.set, [reading]) : []
  if (!shownItem) throw fail('label_item_missing')
  return {
    set: await setOf(ctx.db, user, seen.set),
    item: shownItem,
    image,
    reading: shownReading ?? null,
    ...begun,
    ...(await placeOf(ctx, seen.set, item)),
  }
}

async function beginOwn(ctx: Context, user: { id: string }, item: LabelItemRow): Promise<ReadingRow> {
  const own = and(eq(labelReadings.itemId, item.id), eq(labelReadings.readerId, user.id))
  await ctx.db
    .insert(labelReadings)
    .values({ id: newId(), itemId: item.id, readerId: user.id, state: 'open', changedAt: ctx.now() })
    .onConflictDoNothing()
  const [reading] = await ctx.db.select().from(labelReadings).where(own)
  if (!reading) throw fail('internal')
  return reading
}

async function another(
  ctx: Context,
  user: { id: string },
  { item, set }: SeenItem,
  readingId: string,
): Promise<ReadingRow> {
  const [reading] = await ctx.db
    .select()
    .from(labelReadings)
    .where(and(eq(labelReadings.id, readingId), eq(labelReadings.itemId, item.id)))
  if (!reading || !(reading.readerId === user.id || maySeeOthers(set))) throw fail('label_item_missing')
  return reading
}

/** Where it stands among the images that are there, and the ones beside it. */
async function placeOf(
  ctx: Context,
  set: SeenSet,
  item: LabelItemRow,
): Promise<Pick<Answer<'labelling/open'>, 'before' | 'next' | 'position'>> {
  const rows = await ctx.db
    .select({ id: labelItems.id })
    .from(labelItems)
    .where(
      and(eq(labelItems.setId, set.id), sql`(not ${labelItems.isGone} or ${labelItems.id} = ${item.id})`),
    )
    .orderBy(asc(labelItems.position), asc(labelItems.id))
  const at = rows.findIndex(({ id }) => id === item.id)
  return { before: rows[at - 1]?.id ?? null, next: rows[at + 1]?.id ?? null, position: at + 1 }
}

import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { labelling as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { maySeeOthers, requireSet } from './access.ts'
import { itemsOf } from './show.ts'
import { labelItems } from './tables.ts'

/** In order, by where the caller's readings stand or those of all. */
export async function items(
  ctx: Context,
  { id, after, show, of, search }: Parsed<'labelling/items'>,
  caller: Caller,
): Promise<Answer<'labelling/items'>> {
  const set = await requireSet(ctx.db, caller.user, id, 'read')
  if (of === 'all' && !maySeeOthers(set)) throw fail('not_allowed')
  const where = and(
    eq(labelItems.setId, set.id),
    eq(labelItems.isGone, false),
    shownBy(show, of === 'mine' ? sql`r.reader_id = ${caller.user.id}` : sql`true`),
    search.trim() === ''
      ? undefined
      : sql`strpos(lower(${labelItems.name}), lower(${search.trim().normalize('NFC')})) > 0`,
  )
  const total = await ctx.db.$count(labelItems, where)
  const rows = await ctx.db
    .select()
    .from(labelItems)
    .where(where)
    .orderBy(asc(labelItems.position), asc(labelItems.id))
    .offset(after)
    .limit(limits.itemsPage)
  const next = after + rows.length
  return {
    items: await itemsOf(ctx, caller, { set, rows }),
    next: rows.length > 0 && next < total ? next : null,
    total,
  }
}

function shownBy(show: Parsed<'labelling/items'>['show'], whose: SQL): SQL | undefined {
  const any = (states: SQL): SQL => sql`exists (
    select 1 from label_readings r
    where r.item_id = ${labelItems.id} and ${whose} and r.state in (${states}))`
  switch (show) {
    case 'all':
      return undefined
    case 'unfinished':
      return sql`not ${any(sql`'done', 'accepted'`)}`
    case 'new':
      return sql`not ${any(sql`'open', 'done', 'accepted', 'returned'`)}`
    case 'open':
    case 'done':
    case 'accepted':
    case 'returned':
      return any(sql`${show}`)
  }
}

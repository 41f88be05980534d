import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { chooseNext } from '@neuroloom/contract/labelling/next'
import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { runs } from '../../runs/tables.ts'
import { requireSet } from '../access.ts'
import { isAside } from './aside.ts'
import { chosenOf, isBackground } from './helpers.ts'
import { labelRounds } from './tables.ts'

/**
 * By what the network last said of the images that are still to be done. Images on which rounds are tested take their share
 * of the turns: they are chosen by nothing, so that figures are of ordinary images.
 */
export async function nextItem(
  ctx: Context,
  { id, itemId }: Parsed<'labelling/nextItem'>,
  { user }: Caller,
): Promise<Answer<'labelling/nextItem'>> {
  const set = await requireSet(ctx.db, user, id, 'read')
  const { todo, done } = await itemsFor(ctx.db, { setId: set.id, userId: user.id })
  const left = todo.filter((item) => item.id !== itemId)
  const helper = await chosenOf(ctx.db, { setId: set.id, userId: user.id })
  const tested = done.filter(isAside).length
  const aside = left.find((item) => isAside(item.id))
  if (helper && aside && tested * 3 < done.length - tested)
    return { itemId: aside.id, why: 'aside', among: 0 }
  const candidates = left.flatMap(({ id: item, doubt, found }) =>
    doubt && found && !isAside(item) ? [{ id: item, doubt, found }] : [],
  )
  if (!helper || candidates.length === 0) {
    const learned = left.find((item) => !isAside(item.id)) ?? left[0]
    return { itemId: learned?.id ?? null, why: 'plain', among: 0 }
  }
  const mine = and(eq(labelRounds.setId, set.id), eq(labelRounds.userId, user.id))
  const [network] = await ctx.db
    .select()
    .from(runs)
    .where(eq(runs.id, helper.runId ?? ''))
  const [chosen] = chooseNext(candidates, {
    order: helper.order,
    count: 1,
    round: await ctx.db.$count(labelRounds, mine),
    background: network && isBackground(network, 0) ? 0 : null,
    // Another turn of the classes and other noise with each image, the same when the page is opened again.
    seed: done.length + 1,
  })
  return { itemId: chosen ?? null, why: helper.order, among: candidates.length }
}

type Item = { id: string; doubt: number[] | null; found: boolean[] | null }

/** In the order of the set, with what the network last said of each to this member. */
async function itemsFor(
  db: Db,
  { setId, userId }: { setId: string; userId: string },
): Promise<{ todo: Item[]; done: string[] }> {
  const { rows } = await db.execute<Item & { done: boolean }>(sql`
    select i.id, p.doubt, p.found, coalesce(r.state in ('done', 'accepted'), false) as done
    from label_items i
    left join label_readings r on r.item_id = i.id and r.reader_id = ${userId}
    left join lateral (
      select doubt, found from label_proposals
      where item_id = i.id and user_id = ${userId} and state = 'ready'
      order by made_at desc
      limit 1
    ) p on true
    where i.set_id = ${setId} and not i.is_gone
    order by i.position, i.id`)
  return {
    todo: rows.filter(({ done }) => !done),
    done: rows.filter(({ done }) => done).map(({ id }) => id),
  }
}

/** Rows as the contract tells them. */
import type {
  LabelItem,
  LabelReading,
  LabelSet,
  ReadingCounts,
  ReadingState,
} from '@neuroloom/contract/labelling/labelling'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { users } from '../accounts/tables.ts'
import { picturedBytes, thumbnailUrl } from '../files/service.ts'
import { isOwnReading, maySeeOthers, type SeenSet } from './access.ts'
import { type LabelItemRow, labelReadings, labelSources, type ReadingRow } from './tables.ts'

type Counts = Pick<LabelSet, 'items' | 'finished'>

export async function setOf(db: Db, user: { id: string }, set: SeenSet): Promise<LabelSet> {
  const [shown] = await setsOf(db, user, [set])
  if (!shown) throw fail('label_set_missing')
  return shown
}

export async function setsOf(db: Db, user: { id: string }, sets: readonly SeenSet[]): Promise<LabelSet[]> {
  const counts = await countsOf(db, user, sets)
  return sets.map(({ ownerId: _, formerClasses: __, createdAt, ...shown }) => ({
    ...shown,
    ...(counts.get(shown.id) ?? { items: 0, finished: { mine: 0, any: 0, accepted: 0 } }),
    createdAt: createdAt.toISOString(),
  }))
}

type Counted = Record<'items' | 'mine' | 'any' | 'accepted', string> & { id: string }

/** Who reads blind is told of own readings alone, in sums too. */
async function countsOf(
  db: Db,
  user: { id: string },
  sets: readonly SeenSet[],
): Promise<Map<string, Counts>> {
  const ids = sets.map(({ id }) => id)
  const open = sets.filter(maySeeOthers).map(({ id }) => id)
  const { rows } = await db.execute<Counted>(sql`
    select i.set_id as id,
      count(distinct i.id) filter (where not i.is_gone) as items,
      count(distinct i.id) filter (where r.reader_id = ${user.id} and r.state in ('done', 'accepted')) as mine,
      count(distinct i.id) filter (where r.state in ('done', 'accepted')) as any,
      count(distinct i.id) filter (where r.state = 'accepted') as accepted
    from label_items i
    left join label_readings r on r.item_id = i.id
      and (r.reader_id = ${user.id} or i.set_id = any(${sql.param(open)}::text[]))
    where i.set_id = any(${sql.param(ids)}::text[])
    group by i.set_id`)
  return new Map(
    rows.map(({ id, items, mine, any, accepted }) => [
      id,
      {
        items: Number(items),
        finished: { mine: Number(mine), any: Number(any), accepted: Number(accepted) },
      },
    ]),
  )
}

/** Of images in their order, with what the caller may know of the readings of each. */
export async function itemsOf(
  ctx: Context,
  caller: Caller,
  { set, rows }: { set: SeenSet; rows: readonly LabelItemRow[] },
): Promise<LabelItem[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const readings = await ctx.db
    .select({ itemId: labelReadings.itemId, readerId: labelReadings.readerId, state: labelReadings.state })
    .from(labelReadings)
    .where(inArray(labelReadings.itemId, ids))
  const pictures = await ctx.db
    .select({ itemId: labelSources.itemId, sha256: picturedBytes })
    .from(labelSources)
    .innerJoin(blobs, eq(blobs.sha256, labelSources.sha256))
    .where(and(inArray(labelSources.itemId, ids), eq(labelSources.role, 'file'), eq(labelSources.place, 0)))
  const first = new Map(pictures.map(({ itemId, sha256 }) => [itemId, sha256]))
  return rows.map((item) => {
    const own = readings.filter(({ itemId }) => itemId === item.id)
    const mine = own.find(({ readerId }) => readerId === caller.user.id)
    const sha256 = first.get(item.id)
    return {
      id: item.id,
      name: item.name,
      kind: item.kind,
      size: sizeOf(item),
      mine: mine?.state ?? null,
      readings: countsBy(maySeeOthers(set) ? own : own.filter((one) => one === mine)),
      // Null while it is not made yet, as in lists of files.
      thumbnail:
        sha256 && item.kind !== 'video'
          ? thumbnailUrl(ctx, caller, sha256, { as: 'labelling', id: set.id })
          : null,
    }
  })
}

function countsBy(readings: readonly { state: ReadingState }[]): ReadingCounts {
  const counts = { open: 0, done: 0, accepted: 0, returned: 0 }
  for (const { state } of readings) counts[state] += 1
  return counts
}

export const sizeOf = ({ width, height, depth }: LabelItemRow): LabelItem['size'] =>
  width === null || height === null || depth === null ? null : [width, height, depth]

export async function readingsOf(
  db: Db,
  user: { id: string },
  set: SeenSet,
  rows: readonly ReadingRow[],
): Promise<LabelReading[]> {
  const ids = rows.flatMap(({ readerId }) => readerId ?? [])
  const named = await db
    .select({ id: users.id, name: users.nickName })
    .from(users)
    .where(inArray(users.id, ids))
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return rows.map((row) => {
    const { id, itemId, readerId, isAgreed, state, seq, changedAt } = row
    return {
      ...{ id, itemId, isAgreed, state, seq },
      reader: readerId === user.id ? '' : (names.get(readerId ?? '') ?? '—'),
      isWritable: isOwnReading(set, user, row) && state !== 'accepted',
      changedAt: changedAt.toISOString(),
    }
  })
}

/** Who made the labels that a data set has, when, and how far they agree: for reports of what was learned from them. */
import type { Answer } from '@neuroloom/contract/calls'
import type { Labelled } from '@neuroloom/contract/datasets'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { maySeeOthers, type SeenSet, selectSeen } from './access.ts'
import { knownPairs } from './agreement.ts'
import { chosenReadings } from './as-data.ts'
import { labelItems, labelReadings, labelSets, labelSteps } from './tables.ts'

type Reader = {
  /** Null where whoever asks may not know the name. */
  name: string | null
  number: number
  finished: number
  accepted: number
  /** Of the first and the last stroke. */
  first: Date | null
  last: Date | null
}

export type LabelHistory = {
  set: string
  from: Labelled['from']
  isBlind: boolean
  /** Images with labels that count, and of these the agreed and the accepted ones. */
  images: number
  agreed: number
  accepted: number
  readers: Reader[]
  /** By the numbers of the readers. */
  pairs: (Omit<Answer<'labelling/agreement'>['pairs'][number], 'one' | 'other'> & {
    one: number
    other: number
  })[]
}

type Asked = {
  /** Who looks at the report, and whose the data set is. */
  viewerId: string
  ownerId: string
  labelled: Labelled
}

/** As the set is now; null where it was removed. */
export async function labelHistory(db: Db, asked: Asked): Promise<LabelHistory | null> {
  const { viewerId, ownerId, labelled } = asked
  const [set] = await db.select().from(labelSets).where(eq(labelSets.id, labelled.setId))
  if (!set) return null
  const chosen = await chosenReadings(db, { ownerId, labelled })
  const [asOwner, asViewer] = [await seenBy(db, set.id, ownerId), await seenBy(db, set.id, viewerId)]
  // A data set of somebody who reads blind tells of own marks alone, and nobody who reads blind is told of others here.
  const isOpen = asOwner !== null && maySeeOthers(asOwner) && (asViewer === null || maySeeOthers(asViewer))
  const rows = (await readersIn(db, set.id)).filter(({ id }) => isOpen || id === ownerId)
  const hasNames = asViewer !== null && maySeeOthers(asViewer)
  const numbers = new Map(rows.map(({ id }, index) => [id ?? '', index + 1]))
  return {
    ...{ set: set.name, from: labelled.from, isBlind: set.blind, images: chosen.length },
    agreed: chosen.filter(({ reading }) => reading.isAgreed).length,
    accepted: chosen.filter(({ reading }) => reading.state === 'accepted').length,
    readers: rows.map(({ id, name, ...counts }, index) => ({
      ...counts,
      name: hasNames || id === viewerId ? name : null,
      number: index + 1,
    })),
    pairs: isOpen ? await pairsIn(db, set.id, numbers) : [],
  }
}

async function seenBy(db: Db, setId: string, id: string): Promise<SeenSet | null> {
  const [seen] = await selectSeen(db, { id }, eq(labelSets.id, setId))
  return seen ?? null
}

/** Who has finished an image, those with most first. */
async function readersIn(db: Db, setId: string) {
  const { rows } = await db.execute<{
    id: string | null
    finished: string
    accepted: string
    first: Date | null
    last: Date | null
  }>(sql`
    select r.reader_id as id, count(*) as finished, count(*) filter (where r.state = 'accepted') as accepted,
      min(s.first) as first, max(s.last) as last
    from ${labelReadings} r
    join ${labelItems} i on i.id = r.item_id
    left join lateral (
      select min(kept_at) as first, max(kept_at) as last from ${labelSteps} where reading_id = r.id
    ) s on true
    where i.set_id = ${setId} and not r.is_agreed and r.state in ('done', 'accepted')
    group by r.reader_id
    order by count(*) desc, min(s.first), r.reader_id`)
  const named = await db
    .select({ id: users.id, name: users.nickName })
    .from(users)
    .where(
      inArray(
        users.id,
        rows.flatMap(({ id }) => id ?? []),
      ),
    )
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return rows.map(({ id, finished, accepted, first, last }) => ({
    ...{ id, name: names.get(id ?? '') ?? '—', finished: Number(finished), accepted: Number(accepted) },
    first: first === null ? null : new Date(first),
    last: last === null ? null : new Date(last),
  }))
}

async function pairsIn(
  db: Db,
  setId: string,
  numbers: ReadonlyMap<string, number>,
): Promise<LabelHistory['pairs']> {
  const pairs = await knownPairs(db, setId, (id) => id)
  return pairs.flatMap((pair) => {
    const [one, other] = [numbers.get(pair.one), numbers.get(pair.other)]
    return one === undefined || other === undefined ? [] : [{ ...pair, one, other }]
  })
}

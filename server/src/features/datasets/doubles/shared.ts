/** Items of one data set that are also in another one; remembered, because pages ask again and neither changes. */
import { asc, eq } from 'drizzle-orm'
import { oneAtATime } from '../../../infra/aside/slices.ts'
import type { Db } from '../../../infra/db.ts'
import { type DatasetRow, datasetItems } from '../tables.ts'
import { nearestOf } from './fingerprints.ts'

type Shared = { position: number; otherPosition: number; distance: number }

/** So many answers are kept; the oldest goes first. */
const KEPT = 100
const answers = new Map<string, Promise<Shared[]>>()

/** For each item of the first the nearest of the second; those most alike first. */
export function sharedItems(
  db: Db,
  memberId: string,
  [dataset, other]: [DatasetRow, DatasetRow],
): Promise<Shared[]> {
  const key = [dataset, other].map(({ id, checkedAt }) => `${id} ${checkedAt?.getTime()}`).join(' ')
  const known = answers.get(key)
  if (known) return known
  const answer = oneAtATime(memberId, () => search(db, dataset.id, other.id))
  answers.set(key, answer)
  answer.catch(() => answers.delete(key))
  const [oldest] = answers.keys()
  if (answers.size > KEPT && oldest !== undefined) answers.delete(oldest)
  return answer
}

async function search(db: Db, id: string, otherId: string): Promise<Shared[]> {
  const [ones, others] = await Promise.all([printsOf(db, id), printsOf(db, otherId)])
  const found = await nearestOf(
    ones.map(({ fingerprint }) => fingerprint),
    others.map(({ fingerprint }) => fingerprint),
  )
  const nearest = new Map(found.map((near) => [near.one, near]))
  const byBytes = new Map(others.map(({ sha256 }, index) => [sha256, index]))
  return ones
    .flatMap(({ position, sha256 }, one): Shared[] => {
      const same = byBytes.get(sha256)
      const near = same === undefined ? nearest.get(one) : { other: same, distance: 0 }
      const other = near && others[near.other]
      return near && other ? [{ position, otherPosition: other.position, distance: near.distance }] : []
    })
    .sort((left, right) => left.distance - right.distance || left.position - right.position)
}

const printsOf = (db: Db, datasetId: string) =>
  db
    .select({
      position: datasetItems.position,
      sha256: datasetItems.imageSha256,
      fingerprint: datasetItems.fingerprint,
    })
    .from(datasetItems)
    .where(eq(datasetItems.datasetId, datasetId))
    .orderBy(asc(datasetItems.position))

import { sql } from 'drizzle-orm'
import type { Db } from '../../../infra/db.ts'
import { type DatasetRow, datasetItems } from '../tables.ts'
import { sharedItems } from './shared.ts'

/** What keeps a data set from being independent of another one. */
export type Overlap = {
  /** Its images that are the same, or almost the same, as one of the other. */
  images: number
  /** Patients that are called the same in both. */
  patients: number
}

export async function overlapOf(
  db: Db,
  memberId: string,
  [dataset, other]: [DatasetRow, DatasetRow],
): Promise<Overlap> {
  const [shared, { rows }] = await Promise.all([
    sharedItems(db, memberId, [dataset, other]),
    db.execute<{ patients: number }>(sql`
      select count(distinct one.patient)::int as patients
      from ${datasetItems} one
      join ${datasetItems} two on two.patient = one.patient
      where one.dataset_id = ${dataset.id} and two.dataset_id = ${other.id}`),
  ])
  return { images: shared.length, patients: rows[0]?.patients ?? 0 }
}

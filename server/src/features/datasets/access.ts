import { and, eq } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { type DatasetRow, datasets } from './tables.ts'

/** The own data set; `dataset_missing` for foreign and unknown ones alike. */
export async function requireDataset(db: Db, user: Pick<SessionUser, 'id'>, id: string): Promise<DatasetRow> {
  const [dataset] = await db
    .select()
    .from(datasets)
    .where(and(eq(datasets.id, id), eq(datasets.ownerId, user.id)))
  if (!dataset) throw fail('dataset_missing')
  return dataset
}

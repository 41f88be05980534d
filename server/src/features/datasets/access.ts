import type { Access } from '@neuroloom/contract/files'
import { eq, inArray, sql } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { seenProjects } from '../projects/access.ts'
import { type DatasetRow, datasets, projectDatasets } from './tables.ts'

type Member = Pick<SessionUser, 'id'>

/**
 * The data set, if the caller has this right to it: own, or to look at because a project uses it that the caller may
 * look at. `dataset_missing` for foreign and unknown ones alike; `not_allowed` where it may be seen but not this.
 */
export async function requireDataset(
  db: Db,
  user: Member,
  id: string,
  right: Extract<Access, 'view' | 'own'>,
): Promise<DatasetRow> {
  const [dataset] = await db.select().from(datasets).where(eq(datasets.id, id))
  if (dataset?.ownerId === user.id) return dataset
  if (!dataset || !(await isSeen(db, user, id))) throw fail('dataset_missing')
  if (right === 'own') throw fail('not_allowed')
  return dataset
}

async function isSeen(db: Db, user: Member, datasetId: string): Promise<boolean> {
  const seen = inArray(projectDatasets.projectId, seenProjects(db, user.id))
  const found = await db
    .select({ one: sql`1` })
    .from(projectDatasets)
    .where(sql`${eq(projectDatasets.datasetId, datasetId)} and ${seen}`)
    .limit(1)
  return found.length > 0
}

import { and, eq } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { type FlowRow, flowStudies } from './tables.ts'

type Own = { id: string; ownerId: string }
const isOwn = ({ id, ownerId }: Own) => and(eq(flowStudies.id, id), eq(flowStudies.ownerId, ownerId))

/** The own study; others' are not there. */
export async function requireStudy(db: Db, own: Own): Promise<FlowRow> {
  const [row] = await db.select().from(flowStudies).where(isOwn(own))
  if (!row) throw fail('study_missing')
  return row
}

/** The same, and nobody else changes it before the transaction ends. */
export async function holdStudy(tx: Db, own: Own): Promise<FlowRow> {
  const [row] = await tx.select().from(flowStudies).where(isOwn(own)).for('update')
  if (!row) throw fail('study_missing')
  return row
}

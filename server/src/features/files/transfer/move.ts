import { sql } from 'drizzle-orm'
import type { Tx } from '../../../infra/db.ts'
import { place, texts } from '../free-names.ts'
import { files, uploads } from '../tables.ts'
import { Growths } from '../tree.ts'
import { idsOf, type TransferPlan } from './transfer-plan.ts'

/** Puts what is planned into its folders; sizes of all folders around stay exact. */
export async function moveIn(tx: Tx, plan: TransferPlan): Promise<void> {
  await empty(tx, plan.merged)
  await place(tx, plan.placed)
  await dropEmptied(tx, idsOf(plan.merged))
  const growths = new Growths()
  for (const { parentId, sizeBytes, fileCount } of plan.going) {
    growths.add(parentId, { bytes: sizeBytes, files: fileCount }, -1)
  }
  for (const { folderId, sizeBytes, fileCount } of plan.placed) {
    growths.add(folderId, { bytes: sizeBytes, files: fileCount })
  }
  await growths.apply(tx)
}

/** What was removed from a folder that is merged, and what is still being sent to it, belongs to the other one now. */
async function empty(tx: Tx, merged: TransferPlan['merged']): Promise<void> {
  if (merged.length === 0) return
  const into = sql`unnest(
    ${texts(idsOf(merged))},
    ${texts(merged.map(({ folderId }) => folderId))}
  ) as merged (id, folder_id)`
  await tx.execute(sql`
    update ${files} set parent_id = merged.folder_id from ${into}
    where ${files.parentId} = merged.id and ${files.recycledAt} is not null`)
  await tx.execute(sql`
    update ${uploads} set parent_id = merged.folder_id from ${into} where ${uploads.parentId} = merged.id`)
}

async function dropEmptied(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await tx.execute(sql`
    select 1 from ${files}
    where parent_id = any(${sql.param(ids)}) and id <> all(${sql.param(ids)})
    limit 1`)
  // Deleting a folder deletes what is in it; nothing may be.
  if (rows.length > 0) throw new Error('A merged folder is not empty')
  await tx.execute(sql`delete from ${files} where id = any(${sql.param(ids)})`)
}

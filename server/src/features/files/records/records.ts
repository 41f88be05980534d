import type { RecordAction } from '@neuroloom/contract/files'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { records } from '../sharing/tables.ts'

export type Deed = {
  action: RecordAction
  /** Null = the visitor of a link. */
  actorId: string | null
  entry: { id: string; ownerId: string; name: string }
  /** Words for the sentence: `to`, `from`, `account`, `count` … */
  detail?: Record<string, string | number>
}

/** Writes down what was done with files, in the transaction of the deed. */
export async function record(ctx: Pick<Context, 'now'>, tx: Db, deeds: readonly Deed[]): Promise<void> {
  if (deeds.length === 0) return
  await tx.insert(records).values(
    deeds.map(({ action, actorId, entry, detail = {} }) => ({
      ownerId: entry.ownerId,
      actorId,
      action,
      entryId: entry.id,
      name: entry.name,
      searchName: entry.name.toLowerCase(),
      detail,
      at: ctx.now(),
    })),
  )
}

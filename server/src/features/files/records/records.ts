import type { RecordAction } from '@neuroloom/contract/files'
import { sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { texts } from '../free-names.ts'
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
  await tx.execute(sql`
    insert into ${records} (owner_id, actor_id, action, entry_id, name, search_name, detail, at)
    select *, ${ctx.now()}
    from unnest(
      ${texts(deeds.map(({ entry }) => entry.ownerId))},
      ${texts(deeds.map(({ actorId }) => actorId))},
      ${texts(deeds.map(({ action }) => action))},
      ${texts(deeds.map(({ entry }) => entry.id))},
      ${texts(deeds.map(({ entry }) => entry.name))},
      ${texts(deeds.map(({ entry }) => entry.name.toLowerCase()))},
      ${sql.param(deeds.map(({ detail = {} }) => JSON.stringify(detail)))}::jsonb[]
    )`)
}

import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../infra/db.ts'
import { files } from '../tables.ts'
import { shares } from './tables.ts'

/** The nearest folder at or above the entry that a share gives already: it is one of all that lies in it. */
export async function givenAbove(
  tx: Tx,
  to: SQL,
  entryId: string,
): Promise<{ id: string; folder: string } | undefined> {
  const { rows } = await tx.execute<{ id: string; folder: string }>(sql`
    with recursive up as (
      select id, parent_id, name, 0 as height from ${files} where id = ${entryId}
      union all
      select f.id, f.parent_id, f.name, height + 1 from ${files} f join up on f.id = up.parent_id
    )
    select up.id, up.name as folder from ${shares} join up on ${shares.entryId} = up.id
    where ${to} order by height limit 1`)
  return rows[0]
}

import { eq, inArray, sql } from 'drizzle-orm'
import { inFolder, type KeepsFiles } from '../files/service.ts'
import { files } from '../files/tables.ts'
import { labelItems, labelSets, labelSources } from './tables.ts'

/** As of data sets: a label set keeps the bytes of its images, and storage that counts for nobody would have no limit. */
export const keepsFiles: KeepsFiles = async (db, entries) => {
  const ownerIds = [...new Set(entries.map(({ ownerId }) => ownerId))]
  const own = inArray(labelSets.ownerId, ownerIds)
  if ((await db.$count(labelSets, own)) === 0) return new Map()
  const ids = entries.map(({ id }) => id)
  const used = db
    .select({ sha256: labelSources.sha256, name: labelSets.name, ownerId: labelSets.ownerId })
    .from(labelSources)
    .innerJoin(labelItems, eq(labelItems.id, labelSources.itemId))
    .innerJoin(labelSets, eq(labelSets.id, labelItems.setId))
    .where(own)
  const { rows } = await db.execute<{ start: string; names: string[] }>(sql`
    with recursive down as (
      select id as start, id, owner_id, sha256 from ${files} where id = any(${sql.param(ids)})
      union all
      select down.start, f.id, f.owner_id, f.sha256 from down cross join lateral (${inFolder(sql`down.id`)}) f
    )
    select down.start, array_agg(distinct used.name order by used.name) as names
    from down
    join (${used}) used on used.sha256 = down.sha256 and used.owner_id = down.owner_id
    group by down.start`)
  return new Map(rows.map(({ start, names }) => [start, names]))
}

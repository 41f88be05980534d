/** What data sets add to the features to their left; loaded by routes and jobs. */
import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { registerKeeper } from '../files/service.ts'
import { files } from '../files/tables.ts'
import { registerPart } from '../projects/service.ts'
import { datasetItems, datasetParts, datasets, projectDatasets } from './tables.ts'

registerPart('datasets', {
  async summarise(db, projectIds) {
    if (projectIds.length === 0) return new Map()
    const rows = await db
      .select({
        projectId: projectDatasets.projectId,
        datasets: sql`count(distinct ${projectDatasets.datasetId})`.mapWith(Number),
        // Images: a mask or class belongs to one and is not counted beside it.
        files:
          sql`coalesce(sum(${datasetParts.items}) filter (where ${datasetParts.part} = 'image'), 0)`.mapWith(
            Number,
          ),
      })
      .from(projectDatasets)
      .leftJoin(datasetParts, eq(datasetParts.datasetId, projectDatasets.datasetId))
      .where(inArray(projectDatasets.projectId, projectIds))
      .groupBy(projectDatasets.projectId)
    return new Map(rows.map(({ projectId, ...counts }) => [projectId, { counts }]))
  },
})

/**
 * Files of which a data set was made stay in the recycle station, and count, for as long as the data set is there:
 * it keeps their bytes, and storage that counts for nobody would have no limit.
 */
registerKeeper('datasets', async (tx, { id, ownerId }) => {
  const below = sql`
    with recursive down as (
      select id, sha256 from ${files} where id = ${id}
      union all
      select f.id, f.sha256 from ${files} f join down on f.parent_id = down.id
    )
    select sha256 from down where sha256 is not null`
  const [used] = await tx
    .select({ items: count() })
    .from(datasetItems)
    .innerJoin(datasets, eq(datasets.id, datasetItems.datasetId))
    .where(
      and(
        eq(datasets.ownerId, ownerId),
        sql`(${datasetItems.imageSha256} in (${below}) or ${datasetItems.labelSha256} in (${below}))`,
      ),
    )
  return (used?.items ?? 0) > 0
})

/** What data sets tell the features to their left. */
import type { DatasetUse } from '@neuroloom/contract/datasets'
import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { derivedFrom, inFolder, type KeepsFiles } from '../files/service.ts'
import { files } from '../files/tables.ts'
import type { SharedThings } from '../plans/access.ts'
import { seenByOthersSince } from '../projects/access.ts'
import type { ProjectPart } from '../projects/service.ts'
import { projects } from '../projects/tables.ts'
import { archiveOf } from './archive.ts'
import { coversOf } from './covers.ts'
import { datasetItems, datasetParts, datasets, projectDatasets } from './tables.ts'

const countOf = (use: DatasetUse) =>
  sql`count(distinct ${projectDatasets.datasetId}) filter (where ${projectDatasets.use} = ${use})`.mapWith(
    Number,
  )

/** Others have a data set by a project that others see, or that is another member's. */
export const sharedDatasets: SharedThings = async (_ctx, db, ownerId) => {
  const isForeign = sql`${projects.ownerId} <> ${datasets.ownerId}`
  const since = sql`case
    when ${isForeign} then ${projectDatasets.addedAt}
    else greatest(${projectDatasets.addedAt}, ${seenByOthersSince})
  end`.mapWith(projectDatasets.addedAt)
  const rows = await db
    .select({ dataset: datasets, projectId: projects.id, since })
    .from(datasets)
    .innerJoin(projectDatasets, eq(projectDatasets.datasetId, datasets.id))
    .innerJoin(projects, eq(projects.id, projectDatasets.projectId))
    .where(and(eq(datasets.ownerId, ownerId), or(isForeign, isNotNull(seenByOthersSince))))
  return rows.map(({ dataset: { id, folderId, contentHash }, ...way }) => ({
    kind: 'datasets',
    // Found twice in one folder with the same content, it is the same data.
    key: `${folderId} ${contentHash}`,
    madeOf: folderId,
    ids: [id, way.projectId],
    since: way.since,
  }))
}

export const projectPart: ProjectPart = {
  async summarise(db, projectIds) {
    if (projectIds.length === 0) return new Map()
    const rows = await db
      .select({
        projectId: projectDatasets.projectId,
        trainSets: countOf('train'),
        testSets: countOf('test'),
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
  covers: coversOf,
  /** Only data sets of whoever copies: others' stay theirs to give. */
  async copied(_ctx, tx, { fromId, toId, ownerId }) {
    const used = await tx
      .select({ link: projectDatasets, ownerId: datasets.ownerId })
      .from(projectDatasets)
      .innerJoin(datasets, eq(datasets.id, projectDatasets.datasetId))
      .where(eq(projectDatasets.projectId, fromId))
    const own = used.filter((one) => one.ownerId === ownerId)
    const links = own.map(({ link }) => ({ ...link, projectId: toId }))
    if (links.length > 0) await tx.insert(projectDatasets).values(links)
    return { leftOut: used.length - own.length }
  },
  archive: (ctx, project, options) => archiveOf(ctx, project.id, options),
}

/**
 * Files of which a data set was made stay in the recycle station, and count, for as long as the data set is there:
 * it keeps their bytes, and storage that counts for nobody would have no limit.
 */
export const keepsFiles: KeepsFiles = async (db, entries) => {
  const ownerIds = [...new Set(entries.map(({ ownerId }) => ownerId))]
  const own = inArray(datasets.ownerId, ownerIds)
  // Most members have none, and what lies in a folder is long to look through.
  if ((await db.$count(datasets, own)) === 0) return new Map()
  const ids = entries.map(({ id }) => id)
  const { rows } = await db.execute<{ start: string; names: string[] }>(sql`
    with recursive down as (
      select id as start, id, owner_id, sha256 from ${files} where id = any(${sql.param(ids)})
      union all
      select down.start, f.id, f.owner_id, f.sha256 from down cross join lateral (${inFolder(sql`down.id`)}) f
    ),
    used as (
      select image_sha256 as sha256, dataset_id from ${datasetItems}
      where dataset_id in (select id from ${datasets} where ${own})
      union
      select label_sha256, dataset_id from ${datasetItems}
      where label_sha256 is not null and dataset_id in (select id from ${datasets} where ${own})
      union
      select region_sha256, dataset_id from ${datasetItems}
      where region_sha256 is not null and dataset_id in (select id from ${datasets} where ${own})
      union
      -- Of pictures and volumes that were made of DICOM, the files.
      select source.sha256, item.dataset_id
      from ${datasetItems} item
      cross join lateral (${derivedFrom(sql`item.image_sha256`)} union ${derivedFrom(sql`item.label_sha256`)}) source
      where item.dataset_id in (select id from ${datasets} where ${own})
    )
    select down.start, array_agg(distinct holding.name order by holding.name) as names
    from down
    join used on used.sha256 = down.sha256
    join ${datasets} holding on holding.id = used.dataset_id and holding.owner_id = down.owner_id
    group by down.start`)
  return new Map(rows.map(({ start, names }) => [start, names]))
}

import { asc, eq } from 'drizzle-orm'
import { type ArchivedFile, jsonList } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { datasetItems, datasetProblems, datasets, projectDatasets } from './tables.ts'

/** What was recognised, with all items and what is wrong with some; the pictures themselves lie among the files. */
export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('datasets.json', rowsOf(ctx, userId))
}

async function* rowsOf(ctx: Context, userId: string): AsyncIterable<object> {
  const rows = await ctx.db
    .select()
    .from(datasets)
    .where(eq(datasets.ownerId, userId))
    .orderBy(asc(datasets.createdAt), asc(datasets.id))
  for (const { ownerId: _, contentHash: __, ...dataset } of rows) {
    const items = await ctx.db
      .select({
        name: datasetItems.name,
        class: datasetItems.class,
        labels: datasetItems.labels,
        boxes: datasetItems.boxes,
        part: datasetItems.part,
        patient: datasetItems.patient,
        about: datasetItems.about,
        kin: datasetItems.kin,
        width: datasetItems.width,
        height: datasetItems.height,
        depth: datasetItems.depth,
      })
      .from(datasetItems)
      .where(eq(datasetItems.datasetId, dataset.id))
      .orderBy(asc(datasetItems.position))
    const usedIn = await ctx.db
      .select({
        projectId: projectDatasets.projectId,
        use: projectDatasets.use,
        addedAt: projectDatasets.addedAt,
      })
      .from(projectDatasets)
      .where(eq(projectDatasets.datasetId, dataset.id))
    const problems = await ctx.db
      .select({ path: datasetProblems.path, reason: datasetProblems.reason, params: datasetProblems.params })
      .from(datasetProblems)
      .where(eq(datasetProblems.datasetId, dataset.id))
      .orderBy(asc(datasetProblems.position))
    yield { ...dataset, usedIn, items, problems }
  }
}

import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Dataset } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq, gt, inArray, type SQL } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { thumbnailUrl } from '../files/service.ts'
import { requireProject } from '../projects/access.ts'
import { requireDataset } from './access.ts'
import {
  type DatasetRow,
  datasetItems,
  datasetParts,
  datasetProblems,
  datasets,
  projectDatasets,
} from './tables.ts'

export async function list(
  ctx: Context,
  { projectId }: Parsed<'datasets/list'>,
  { user }: Caller,
): Promise<Answer<'datasets/list'>> {
  if (projectId !== null) await requireProject(ctx.db, user, projectId)
  const rows = await ctx.db
    .select()
    .from(datasets)
    .where(and(eq(datasets.ownerId, user.id), projectId === null ? undefined : inProject(ctx.db, projectId)))
    .orderBy(desc(datasets.createdAt), desc(datasets.id))
  return { datasets: await toDatasets(ctx.db, rows) }
}

export async function detail(
  ctx: Context,
  { id }: Parsed<'datasets/detail'>,
  { user }: Caller,
): Promise<Dataset> {
  return datasetOf(ctx.db, await requireDataset(ctx.db, user, id))
}

export async function items(
  ctx: Context,
  { id, class: index, after }: Parsed<'datasets/items'>,
  caller: Caller,
): Promise<Answer<'datasets/items'>> {
  await requireDataset(ctx.db, caller.user, id)
  const found = await ctx.db
    .select()
    .from(datasetItems)
    .where(
      and(
        eq(datasetItems.datasetId, id),
        index === null ? undefined : eq(datasetItems.class, index),
        after === null ? undefined : gt(datasetItems.position, readPosition(after)),
      ),
    )
    .orderBy(asc(datasetItems.position))
    .limit(limits.itemsPage + 1)
  const page = found.slice(0, limits.itemsPage)
  return {
    items: page.map(({ imageSha256, labelSha256, ...item }) => ({
      id: item.id,
      name: item.name,
      class: item.class,
      width: item.width,
      height: item.height,
      image: thumbnailUrl(ctx, caller, imageSha256),
      mask: labelSha256 === null ? null : thumbnailUrl(ctx, caller, labelSha256),
    })),
    next: found.length > page.length ? String(page.at(-1)?.position) : null,
  }
}

export async function problems(
  ctx: Context,
  { id, after }: Parsed<'datasets/problems'>,
  { user }: Caller,
): Promise<Answer<'datasets/problems'>> {
  await requireDataset(ctx.db, user, id)
  const found = await ctx.db
    .select()
    .from(datasetProblems)
    .where(and(eq(datasetProblems.datasetId, id), gt(datasetProblems.position, after)))
    .orderBy(asc(datasetProblems.position))
    .limit(limits.problemsPage + 1)
  const page = found.slice(0, limits.problemsPage)
  return {
    problems: page.map(({ path, reason, params }) => ({ path, reason, params })),
    next: found.length > page.length ? (page.at(-1)?.position ?? null) : null,
  }
}

export async function datasetOf(db: Db, row: DatasetRow): Promise<Dataset> {
  const [dataset] = await toDatasets(db, [row])
  if (!dataset) throw fail('dataset_missing')
  return dataset
}

async function toDatasets(db: Db, rows: DatasetRow[]): Promise<Dataset[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const parts = await db
    .select()
    .from(datasetParts)
    .where(inArray(datasetParts.datasetId, ids))
    .orderBy(asc(datasetParts.part))
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    folderId: row.folderId,
    task: row.task,
    layout: row.layout,
    state: row.state,
    progress: { done: row.doneFiles, total: row.totalFiles },
    failure: row.failure,
    parts: parts
      .filter(({ datasetId }) => datasetId === row.id)
      .map(({ id, part, items: count }) => ({ id, part, items: count })),
    classes: row.classes,
    facts: row.facts,
    problemCount: row.problemCount,
    createdAt: row.createdAt.toISOString(),
  }))
}

export const inProject = (db: Db, projectId: string): SQL =>
  inArray(
    datasets.id,
    db
      .select({ id: projectDatasets.datasetId })
      .from(projectDatasets)
      .where(eq(projectDatasets.projectId, projectId)),
  )

function readPosition(after: string): number {
  const position = Number(after)
  if (!Number.isSafeInteger(position)) throw fail('bad_request')
  return position
}

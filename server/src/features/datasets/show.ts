import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Dataset, DatasetItem, DatasetUse } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { readingSchema } from '@neuroloom/contract/reading/reading'
import { and, asc, desc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { thumbnailUrl } from '../files/service.ts'
import { requireProject } from '../projects/access.ts'
import { requireDataset } from './access.ts'
import { shadesOfMasks } from './mask-shades.ts'
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
  if (projectId !== null) await requireProject(ctx.db, user, projectId, 'view')
  const rows = await ctx.db
    .select()
    .from(datasets)
    .where(projectId === null ? eq(datasets.ownerId, user.id) : inProject(ctx.db, projectId))
    .orderBy(desc(datasets.createdAt), desc(datasets.id))
  return { datasets: await toDatasets(ctx.db, user, { rows, projectId }) }
}

export async function detail(
  ctx: Context,
  { id }: Parsed<'datasets/detail'>,
  { user }: Caller,
): Promise<Dataset> {
  return datasetOf(ctx.db, user, { row: await requireDataset(ctx.db, user, id, 'view'), projectId: null })
}

export async function items(
  ctx: Context,
  { id, class: index, after }: Parsed<'datasets/items'>,
  caller: Caller,
): Promise<Answer<'datasets/items'>> {
  const dataset = await requireDataset(ctx.db, caller.user, id, 'view')
  const found = await ctx.db
    .select()
    .from(datasetItems)
    .where(
      and(
        eq(datasetItems.datasetId, id),
        index === null ? undefined : hasClass(index),
        after === null ? undefined : gt(datasetItems.position, readPosition(after)),
      ),
    )
    .orderBy(asc(datasetItems.position))
    .limit(limits.itemsPage + 1)
  const page = found.slice(0, limits.itemsPage)
  const masks = page.flatMap(({ labelSha256 }) => labelSha256 ?? [])
  const shades = await shadesOfMasks(ctx.db, dataset, masks)
  const show = itemShower(ctx, caller, dataset)
  return {
    items: page.map((item) => ({ ...show(item), shades: shades.get(item.labelSha256 ?? '') ?? null })),
    next: found.length > page.length ? String(page.at(-1)?.position) : null,
  }
}

/** An item with pictures that this caller may fetch. */
export function itemShower(
  ctx: Context,
  caller: Caller,
  { id, ownerId }: DatasetRow,
): (item: typeof datasetItems.$inferSelect) => DatasetItem {
  const shownBy = ownerId === caller.user.id ? undefined : { as: 'dataset', id }
  return ({ imageSha256, labelSha256, ...item }) => ({
    id: item.id,
    name: item.name,
    class: item.class,
    labels: item.labels,
    boxes: item.boxes,
    part: item.part,
    width: item.width,
    height: item.height,
    depth: item.depth,
    image: thumbnailUrl(ctx, caller, imageSha256, shownBy),
    mask: labelSha256 === null ? null : thumbnailUrl(ctx, caller, labelSha256, shownBy),
  })
}

/** Of this class, with this label among others, or with a box of it. */
const hasClass = (index: number): SQL =>
  sql`(${datasetItems.class} = ${index}
    or ${datasetItems.labels} @> ${JSON.stringify([index])}::jsonb
    or ${datasetItems.boxes} @> ${JSON.stringify([{ class: index }])}::jsonb)`

export async function problems(
  ctx: Context,
  { id, after }: Parsed<'datasets/problems'>,
  { user }: Caller,
): Promise<Answer<'datasets/problems'>> {
  await requireDataset(ctx.db, user, id, 'view')
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

type Asking = Pick<SessionUser, 'id'>

/** One data set as the member sees it, in a project or by itself. */
export async function datasetOf(
  db: Db,
  user: Asking,
  { row, projectId }: { row: DatasetRow; projectId: string | null },
): Promise<Dataset> {
  const [dataset] = await toDatasets(db, user, { rows: [row], projectId })
  if (!dataset) throw fail('dataset_missing')
  return dataset
}

async function toDatasets(
  db: Db,
  user: Asking,
  { rows, projectId }: { rows: DatasetRow[]; projectId: string | null },
): Promise<Dataset[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const owners = await ownersOf(db, user, rows)
  const uses = await usesIn(db, projectId)
  const parts = await db
    .select()
    .from(datasetParts)
    .where(inArray(datasetParts.datasetId, ids))
    .orderBy(asc(datasetParts.part))
  return rows.map((row) => ({
    id: row.id,
    use: uses.get(row.id) ?? 'train',
    owner: owners.get(row.ownerId) ?? '',
    name: row.name,
    folderId: row.folderId,
    labelled: row.labelled,
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
    reading: readingSchema.parse(row.reading),
    createdAt: row.createdAt.toISOString(),
  }))
}

/** Nicknames of the others among their owners. */
async function ownersOf(db: Db, user: Asking, rows: DatasetRow[]): Promise<Map<string, string>> {
  const others = [...new Set(rows.map(({ ownerId }) => ownerId))].filter((id) => id !== user.id)
  if (others.length === 0) return new Map()
  const found = await db
    .select({ id: users.id, nickName: users.nickName })
    .from(users)
    .where(inArray(users.id, others))
  return new Map(found.map(({ id, nickName }) => [id, nickName]))
}

async function usesIn(db: Db, projectId: string | null): Promise<Map<string, DatasetUse>> {
  if (projectId === null) return new Map()
  const found = await db
    .select({ id: projectDatasets.datasetId, use: projectDatasets.use })
    .from(projectDatasets)
    .where(eq(projectDatasets.projectId, projectId))
  return new Map(found.map(({ id, use }) => [id, use]))
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

import type { Task } from '@neuroloom/contract/task'
import { eq } from 'drizzle-orm'
import type { WorkerContext } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { walk } from '../files/service.ts'
import { projects } from '../projects/tables.ts'
import { checkAll } from './check.ts'
import { withDoubles } from './doubles/find.ts'
import { assemble, filesToCheck } from './recognise/assemble.ts'
import { withLabelNames } from './recognise/label-names.ts'
import { withOrigins } from './recognise/origins.ts'
import { textsOf } from './recognise/read-texts.ts'
import { recognise } from './recognise/recognise.ts'
import type { Folder } from './recognise/shapes.ts'
import { contentHashOf } from './service.ts'
import { makeProgress, type Outcome } from './store.ts'
import { type DatasetRow, projectDatasets } from './tables.ts'

/** Names and texts first, then bytes, then what they make together. */
export async function examine(ctx: WorkerContext, dataset: DatasetRow): Promise<Outcome> {
  const below = await walk(ctx.db, { id: dataset.ownerId }, dataset.folderId)
  const digests = new Map(below.files.map(({ path, sha256 }) => [path, sha256]))
  const sha256 = (path: string): string => digests.get(path) ?? ''
  const start: Outcome = { ...unknown(dataset), contentHash: contentHashOf(below), sha256 }

  const folder: Folder = {
    paths: below.files.map(({ path }) => path),
    emptyFolders: below.emptyFolders,
    read: textsOf(ctx.storage, below.files),
  }
  const wanted = await tasksOf(ctx.db, dataset.id)
  const layout = await recognise(folder, wanted[0] ?? null)
  if (layout.layout === null) {
    const found = { ...start.found, problems: layout.problems ?? [] }
    return { ...start, failure: layout.failure, found }
  }
  const known: Outcome = { ...start, task: layout.task, layout: layout.layout }
  if (wanted.some((task) => task !== layout.task)) return { ...known, failure: 'task_differs' }

  const files = filesToCheck(layout).map(({ path, role }) => ({ path, role, sha256: sha256(path) }))
  const check = await checkAll(ctx, files, makeProgress(ctx, dataset.id, files.length))
  const made = assemble(layout, { sha256, check })
  const named = layout.layout === 'volume_pairs' ? await withLabelNames(made, folder) : made
  const told = await withOrigins(named, folder)
  const found = await withDoubles(told, { sha256, leavesAside: dataset.leavesAside })
  return { ...known, totalFiles: files.length, found, failure: found.failure }
}

/** A data set of which nothing is known yet. */
export const unknown = ({ contentHash }: DatasetRow): Outcome => ({
  contentHash,
  totalFiles: 0,
  task: null,
  layout: null,
  failure: null,
  found: {
    ...{ items: [], problems: [], classes: [], maskValues: {} },
    ...{ channels: 1, factor: null, facts: null },
  },
  sha256: () => '',
})

/** What the projects that have the data set want to do with it. */
async function tasksOf(db: Db, datasetId: string): Promise<Task[]> {
  const rows = await db
    .select({ task: projects.task })
    .from(projects)
    .innerJoin(projectDatasets, eq(projectDatasets.projectId, projects.id))
    .where(eq(projectDatasets.datasetId, datasetId))
  return rows.map(({ task }) => task)
}

import { asFound, type Reading } from '@neuroloom/contract/reading/reading'
import { isLearned, type Task } from '@neuroloom/contract/task'
import { eq } from 'drizzle-orm'
import type { WorkerContext } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { type FileBelow, readLabelWorkbook } from '../files/service.ts'
import { projects } from '../projects/tables.ts'
import { accountOfFailure, withAccount } from './account/not-used.ts'
import { checkAll } from './check.ts'
import { contentHashOf } from './content-hash.ts'
import { readDicom } from './dicom/read.ts'
import { withDoubles } from './doubles/find.ts'
import { withGiveaways } from './giveaways.ts'
import { withMixedMasks } from './mix-masks.ts'
import { assemble, filesToCheck } from './recognise/assemble.ts'
import { withLabelNames } from './recognise/label-names.ts'
import { withOwnNames, withTableNames } from './recognise/masks/class-tables.ts'
import { withOrigins } from './recognise/origins.ts'
import { textsOf } from './recognise/read-texts.ts'
import { recognise } from './recognise/recognise.ts'
import type { Assembled, Folder, Layout, WorkbookRead } from './recognise/shapes.ts'
import { spellingsOf, withJoinedSpellings } from './recognise/spellings.ts'
import { readSource } from './source.ts'
import { withPages, withStacks } from './stack-pages.ts'
import { makeProgress, type Outcome } from './store.ts'
import { type DatasetRow, projectDatasets } from './tables.ts'
import { withChosenChannel } from './volume-channels.ts'

/** Names and texts first, then bytes, then what they make together. */
export async function examine(ctx: WorkerContext, dataset: DatasetRow): Promise<Outcome> {
  const wanted = await tasksOf(ctx.db, dataset.id)
  const { below, layout: drawn } = await readSource(ctx, dataset, wanted[0] ?? null)
  // Of a data set that is older than a question, nothing was decided on it.
  const reading: Reading = { ...asFound, ...dataset.reading }
  const dicom = await readDicom(ctx, {
    ...{ below, ownerId: dataset.ownerId, task: wanted[0] ?? null, reading },
    masksAmong: (paths) => masksAmong(ctx, { below, paths, reading }),
    onProgress: (done, total) => makeProgress(ctx, dataset.id, total)(done),
  })
  const digests = new Map([...dicom.files, ...dicom.masks.files].map(({ path, sha256 }) => [path, sha256]))
  const sha256 = (path: string): string => digests.get(path) ?? ''
  const contentHash = dataset.labelled === null ? contentHashOf(below) : dataset.contentHash
  const start: Outcome = { ...unknown(dataset), contentHash, sha256 }

  const lookedInto = new Set<string>()
  const folder = noting(lookedInto, {
    paths: dicom.files.map(({ path }) => path),
    emptyFolders: below.emptyFolders,
    masks: dicom.masks.given,
    ...textsOf(ctx.storage, dicom.files),
    workbook: workbooksOf(ctx, dicom.files),
  })
  const recognised = drawn ?? (await recognise(folder, wanted[0] ?? null, reading))
  if (recognised.layout === null) {
    const found = {
      ...start.found,
      problems: [...(recognised.problems ?? []), ...dicom.problems, ...accountOfFailure(folder.paths)],
    }
    return { ...start, failure: recognised.failure, found }
  }
  const layout = withJoinedSpellings(recognised, reading)
  const known: Outcome = { ...start, task: layout.task, layout: layout.layout }
  if (wanted.some((task) => task !== layout.task)) return { ...known, failure: 'task_differs' }

  const files = filesToCheck(layout).map(({ path, role }) => ({ path, role, sha256: sha256(path) }))
  const total = dicom.count + files.length
  const progress = makeProgress(ctx, dataset.id, total)
  const check = await checkAll(ctx, files, (done) => progress(dicom.count + done))
  const chosen = await withChosenChannel(ctx, { layout, look: { sha256, check }, folder, reading })
  const paged = await withPages(ctx, chosen)
  const read = await withMixedMasks(ctx, paged.layout, paged.look)
  const made = assemble(read.layout, read.look)
  const named = withOwnNames(await namedByTables(layout, made, folder), reading)
  const told = await withOrigins(withStacks(dicom.finish(named), paged.stacks), folder, reading)
  const grouped = await withDoubles(told, { sha256: paged.look.sha256, leavesAside: dataset.leavesAside })
  // What values of masks are called was not written by anybody.
  const isNamed = !('pairs' in layout) || layout.known !== undefined
  const spellings = isNamed ? spellingsOf(grouped.classes) : []
  const facts = withGiveaways(grouped, paged.look.check)
  const complete = {
    ...grouped,
    facts: facts && { ...facts, ...(spellings.length > 0 ? { spellings } : {}) },
  }
  const account = { paths: folder.paths, checked: files.map(({ path }) => path), read: lookedInto }
  const found = dataset.labelled === null ? withAccount(complete, account, read.look) : complete
  return { ...known, totalFiles: total, found, failure: found.failure, sha256: read.look.sha256 }
}

/** The same folder, which notes the texts and tables that are looked into. */
const noting = (lookedInto: Set<string>, folder: Folder & Required<Pick<Folder, 'workbook'>>): Folder => ({
  ...folder,
  read: (path, maxBytes) => {
    lookedInto.add(path)
    return folder.read(path, maxBytes)
  },
  workbook: (path) => {
    lookedInto.add(path)
    return folder.workbook(path)
  },
})

type Named = {
  below: { files: FileBelow[]; emptyFolders: string[] }
  paths: readonly string[]
  reading: Reading
}

/** Names and texts tell which pictures are masks, before there are any pictures. */
async function masksAmong(
  ctx: WorkerContext,
  { below, paths, reading }: Named,
): Promise<ReadonlySet<string>> {
  const { files, emptyFolders } = below
  const folder = { paths, emptyFolders, ...textsOf(ctx.storage, files), workbook: workbooksOf(ctx, files) }
  const layout = await recognise(folder, 'segmentation', reading)
  const isMasked = layout.layout === 'images_masks'
  return new Set(
    isMasked ? filesToCheck(layout).flatMap(({ path, role }) => (role === 'mask' ? path : [])) : [],
  )
}

/** Masks have numbers; what these stand for may lie beside them. */
async function namedByTables(layout: Layout, made: Assembled, folder: Folder): Promise<Assembled> {
  // Whoever drew has named the classes; lists beside them have an order of their own.
  if ('known' in layout && layout.known) return made
  if (layout.layout === 'volume_pairs') return withLabelNames(made, folder)
  return layout.layout === 'images_masks' ? withTableNames(made, folder) : made
}

/** Each is read once, though its sheets are gone through again. */
function workbooksOf(ctx: WorkerContext, files: FileBelow[]): NonNullable<Folder['workbook']> {
  const read = new Map<string, Promise<WorkbookRead>>()
  return (path) => {
    const file = files.find((one) => one.path === path)
    if (!file) return Promise.resolve({ refused: 'workbook_unreadable' })
    const known = read.get(path) ?? readLabelWorkbook(ctx, file)
    read.set(path, known)
    return known
  }
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
  return rows.map(({ task }) => task).filter(isLearned)
}

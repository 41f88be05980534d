import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { DatasetUse, Labelled } from '@neuroloom/contract/datasets'
import type { Manifest } from '@neuroloom/contract/engine'
import type { Reading } from '@neuroloom/contract/reading/reading'
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { requireFolder } from '../files/access.ts'
import { walk } from '../files/service.ts'
import { requireRoomToShare } from '../plans/access.ts'
import { requireLearnedProject, requireProject } from '../projects/access.ts'
import { requireDataset } from './access.ts'
import { contentHashOf } from './content-hash.ts'
import { datasetOf, inProject } from './show.ts'
import { stampOf } from './source.ts'
import {
  type DatasetRow,
  datasetDoubles,
  datasetItems,
  datasetParts,
  datasetProblems,
  datasets,
  projectDatasets,
} from './tables.ts'

export { type Overlap, overlapOf } from './doubles/overlap.ts'

type Asked = (tx: Tx, datasetId: string) => Promise<boolean>
/** Whether something unfinished works with a data set, and whether something was made of it that still asks for it. */
export type DataUse = { isOpen: Asked; isKept: Asked }
declare module '../../infra/feature.ts' {
  interface Questions {
    /** What keeps a data set from being forgotten or changed. */
    dataUse: DataUse
  }
}

/** Makes the row and queues the look at the folder, both or none. */
export async function recognise(
  ctx: Context,
  { projectId, folderId, use }: Parsed<'datasets/recognise'>,
  { user }: Caller,
): Promise<Answer<'datasets/recognise'>> {
  return ctx.db.transaction(async (tx) => {
    const project = await requireLearnedProject(tx, user, projectId, 'edit')
    const folder = await requireFolder(tx, user, folderId)
    await lockProject(tx, project.id)
    const contentHash = contentHashOf(await walk(tx, user, folder.id))
    await makeWay(tx, { projectId, folderId, contentHash })
    return begin(ctx, tx, user, {
      projectId,
      use,
      row: { folderId, name: folder.name, contentHash, labelled: null },
    })
  })
}

type Begun = {
  projectId: string
  use: DatasetUse
  row: Pick<DatasetRow, 'folderId' | 'name' | 'contentHash' | 'labelled'>
}

async function begin(
  ctx: Context,
  tx: Tx,
  user: SessionUser,
  { projectId, use, row }: Begun,
): Promise<Answer<'datasets/recognise'>> {
  const now = ctx.now()
  const [dataset] = await tx
    .insert(datasets)
    .values({ id: newId(), ownerId: user.id, ...row, createdAt: now })
    .returning()
  if (!dataset) throw fail('internal')
  await tx.insert(projectDatasets).values({ projectId, datasetId: dataset.id, use, addedAt: now })
  await requireRoomToShare(ctx, tx, { ownerId: user.id, id: dataset.id })
  await ctx.jobs.send(tx, 'datasets.recognise', { datasetId: dataset.id }, { singletonKey: dataset.id })
  await projectChanged(ctx, tx, projectId)
  return datasetOf(tx, user, { row: dataset, projectId })
}

type FromLabels = { projectId: string; use: DatasetUse; folderId: string; name: string; labelled: Labelled }

/** A data set of labels that were drawn here; whoever asks has looked at the rights to them. */
export function beginLabelled(
  ctx: Context,
  user: SessionUser,
  { projectId, use, folderId, name, labelled }: FromLabels,
): Promise<Answer<'datasets/recognise'>> {
  return ctx.db.transaction(async (tx) => {
    await requireLearnedProject(tx, user, projectId, 'edit')
    await lockProject(tx, projectId)
    const contentHash = await stampOf(ctx, tx, { ownerId: user.id, folderId, labelled })
    await makeWay(tx, { projectId, folderId, contentHash })
    return begin(ctx, tx, user, { projectId, use, row: { folderId, name, contentHash, labelled } })
  })
}

/** Looks at the folder anew for the same data set; models that were trained with it keep it as it was. */
export async function recheck(
  ctx: Context,
  { id }: Parsed<'datasets/recheck'>,
  { user }: Caller,
): Promise<Answer<'datasets/recheck'>> {
  return lookAnew(ctx, user, { id })
}

/** Looks at the folder anew, as the member says that it is to be read. */
export async function readAs(
  ctx: Context,
  { id, reading }: Parsed<'datasets/readAs'>,
  { user }: Caller,
): Promise<Answer<'datasets/readAs'>> {
  return lookAnew(ctx, user, { id, reading })
}

function lookAnew(
  ctx: Context,
  user: SessionUser,
  { id, ...decided }: { id: string; reading?: Reading },
): Promise<Answer<'datasets/readAs'>> {
  return ctx.db.transaction(async (tx) => {
    await requireDataset(tx, user, id, 'own')
    // Whoever starts a run with it waits here, or is seen below.
    const [dataset] = await tx.select().from(datasets).where(eq(datasets.id, id)).for('update')
    if (!dataset) throw fail('dataset_missing')
    if (dataset.state === 'checking') throw fail('dataset_not_ready')
    for (const { isKept } of ctx.told('dataUse')) if (await isKept(tx, id)) throw fail('dataset_trained')
    const contentHash = await stampOf(ctx, tx, dataset)
    for (const found of [datasetDoubles, datasetItems, datasetParts, datasetProblems]) {
      await tx.delete(found).where(eq(found.datasetId, id))
    }
    const [row] = await tx
      .update(datasets)
      .set({ ...unseen, ...decided, contentHash })
      .where(eq(datasets.id, id))
      .returning()
    if (!row) throw fail('dataset_missing')
    if (contentHash !== dataset.contentHash) {
      // Other data than before: where others see them, they are the newest of those that are shared.
      await tx.update(projectDatasets).set({ addedAt: ctx.now() }).where(eq(projectDatasets.datasetId, id))
      await requireRoomToShare(ctx, tx, { ownerId: user.id, id })
    }
    await ctx.jobs.send(tx, 'datasets.recognise', { datasetId: id }, { singletonKey: id })
    await ctx.live.publish(tx, { kind: 'dataset', id }, 'changed', {})
    return datasetOf(tx, user, { row, projectId: null })
  })
}

/** As a data set begins. */
const unseen = {
  state: 'checking' as const,
  ...{ failure: null, task: null, layout: null, doneFiles: 0, totalFiles: 0 },
  ...{
    classes: [],
    maskValues: {},
    channels: null,
    factor: null,
    facts: null,
    problemCount: 0,
    checkedAt: null,
  },
}

export async function add(
  ctx: Context,
  { id, projectId, use }: Parsed<'datasets/add'>,
  { user }: Caller,
): Promise<Answer<'datasets/add'>> {
  return ctx.db.transaction(async (tx) => {
    const dataset = await requireDataset(tx, user, id, 'own')
    const project = await requireLearnedProject(tx, user, projectId, 'edit')
    if (dataset.task !== null && dataset.task !== project.task) throw fail('task_differs')
    const added = await tx
      .insert(projectDatasets)
      .values({ projectId, datasetId: id, use, addedAt: ctx.now() })
      .onConflictDoNothing()
      .returning({ id: projectDatasets.datasetId })
    if (added.length === 0) throw fail('dataset_duplicate')
    await requireRoomToShare(ctx, tx, { ownerId: user.id, id })
    await projectChanged(ctx, tx, projectId)
    return datasetOf(tx, user, { row: dataset, projectId })
  })
}

export async function setUse(
  ctx: Context,
  { id, projectId, use }: Parsed<'datasets/setUse'>,
  { user }: Caller,
): Promise<Answer<'datasets/setUse'>> {
  return ctx.db.transaction(async (tx) => {
    await requireProject(tx, user, projectId, 'edit')
    const row = await requireDataset(tx, user, id, 'view')
    const changed = await tx.update(projectDatasets).set({ use }).where(isIn(projectId, id)).returning()
    if (changed.length === 0) throw fail('dataset_missing')
    await projectChanged(ctx, tx, projectId)
    return datasetOf(tx, user, { row, projectId })
  })
}

export async function rename(
  ctx: Context,
  { id, name }: Parsed<'datasets/rename'>,
  { user }: Caller,
): Promise<Answer<'datasets/rename'>> {
  await requireDataset(ctx.db, user, id, 'own')
  const [renamed] = await ctx.db
    .update(datasets)
    .set({ name: name.normalize('NFC') })
    .where(eq(datasets.id, id))
    .returning()
  if (!renamed) throw fail('dataset_missing')
  return datasetOf(ctx.db, user, { row: renamed, projectId: null })
}

/** Out of one project, or out of all; a data set that no project has is still listed among the own ones. */
export async function remove(
  ctx: Context,
  { id, projectId }: Parsed<'datasets/remove'>,
  { user }: Caller,
): Promise<Answer<'datasets/remove'>> {
  await ctx.db.transaction(async (tx) => {
    if (projectId !== null) return takeOut(ctx, tx, user, { id, projectId })
    await requireDataset(tx, user, id, 'own')
    // Whoever starts a run with it waits here, or is seen below.
    await tx.select({ id: datasets.id }).from(datasets).where(eq(datasets.id, id)).for('update')
    for (const { isOpen } of ctx.told('dataUse')) if (await isOpen(tx, id)) throw fail('dataset_in_use')
    await tx.delete(datasets).where(eq(datasets.id, id))
    await ctx.live.rightsChanged(tx, { kind: 'dataset', id })
  })
  return {}
}

/** Pages of others who work in the project fetch anew. */
const projectChanged = (ctx: Context, tx: Tx, id: string) =>
  ctx.live.publish(tx, { kind: 'project', id }, 'changed', {})

/** By the project's owner, or, among those who may edit it, by whoever brought the data. */
async function takeOut(
  ctx: Context,
  tx: Tx,
  user: SessionUser,
  { id, projectId }: { id: string; projectId: string },
): Promise<void> {
  const { access } = await requireProject(tx, user, projectId, 'edit')
  const dataset = await requireDataset(tx, user, id, 'view')
  if (access !== 'own' && dataset.ownerId !== user.id) throw fail('not_allowed')
  const taken = await tx.delete(projectDatasets).where(isIn(projectId, id)).returning()
  if (taken.length === 0) throw fail('dataset_missing')
  await ctx.live.rightsChanged(tx, { kind: 'dataset', id })
  await projectChanged(ctx, tx, projectId)
}

const isIn = (projectId: string, datasetId: string): SQL | undefined =>
  and(eq(projectDatasets.projectId, projectId), eq(projectDatasets.datasetId, datasetId))

/** What the engine needs to know of the items, with the bytes' SHA-256 in place of paths. */
export async function manifestOf(db: Db, datasetId: string): Promise<Manifest> {
  const [dataset] = await db.select().from(datasets).where(eq(datasets.id, datasetId))
  if (dataset?.state !== 'ready' || !dataset.task || !dataset.channels) throw fail('dataset_not_ready')
  const items = await db
    .select()
    .from(datasetItems)
    .where(eq(datasetItems.datasetId, datasetId))
    .orderBy(asc(datasetItems.position))
  return {
    v: 1,
    task: dataset.task,
    classes: dataset.classes,
    channels: dataset.channels,
    maskValues: dataset.maskValues,
    ...((dataset.facts?.masks?.smeared ?? 0) > 0 ? { nearest: true } : {}),
    factor: dataset.factor ?? 1,
    ...(dataset.reading.window === null ? {} : { window: dataset.reading.window }),
    items: items.map((item) => ({
      id: item.id,
      name: item.name,
      image: item.imageSha256,
      label: item.labelSha256,
      class: item.class,
      labels: item.labels,
      boxes: item.boxes,
      part: item.part,
      ...(item.regionSha256 === null ? {} : { region: item.regionSha256 }),
      // Neither a patient nor almost the same picture may stand on both sides of a split.
      group: item.kin ?? item.patient ?? item.imageSha256,
    })),
  }
}

async function lockProject(tx: Tx, projectId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`datasets ${projectId}`}, 0))`)
}

/** An unchanged folder is not taken twice; where nothing could be made of it, the new attempt replaces the old. */
async function makeWay(
  tx: Tx,
  { projectId, folderId, contentHash }: { projectId: string; folderId: string; contentHash: string },
): Promise<void> {
  const same = and(
    eq(datasets.folderId, folderId),
    eq(datasets.contentHash, contentHash),
    inProject(tx, projectId),
  )
  const [standing] = await tx
    .select({ id: datasets.id, name: datasets.name })
    .from(datasets)
    .where(and(same, isNull(datasets.failure)))
  if (standing) throw fail('dataset_duplicate', { name: standing.name })
  await tx.delete(datasets).where(same)
}

// What features to the right may use besides.
export { kindFor, planFor } from './dicom/read.ts'
export { readCocoList } from './recognise/boxes/coco.ts'
export { yoloNamesIn } from './recognise/boxes/yolo-names.ts'
export { imageFinder } from './recognise/find-image.ts'
export { baseOf, commonStem, folderOf, isTextName } from './recognise/folder-names.ts'
export { numberIn } from './recognise/people.ts'
export { textsOf } from './recognise/read-texts.ts'
export type { BoxedItem, Layout, Pair } from './recognise/shapes.ts'
export type { Below, LabelledData, LabelledFiles } from './source.ts'

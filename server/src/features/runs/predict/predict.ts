import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { dicomReasons } from '@neuroloom/contract/dicom-data'
import type { Manifest } from '@neuroloom/contract/engine'
import { predictions as limits } from '@neuroloom/contract/limits'
import type { SetAside } from '@neuroloom/contract/predictions'
import { axesOf } from '@neuroloom/contract/task'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { requireEntries, requireFolder, type SeenEntry } from '../../files/access.ts'
import { requireRun } from '../access.ts'
import { readStored } from '../manifests.ts'
import { showRun } from '../show.ts'
import { enqueue, storeManifest } from '../start.ts'
import { requireTrained } from '../testing.ts'
import { dicomAmong, filesOf, knownBad, type Source, sharedFolder, sorted } from './predict-sources.ts'
import { runSetAside, runSources } from './predict-tables.ts'
import { predictionWork } from './predict-work.ts'

/** Rows written by one statement. */
const ROWS_AT_ONCE = 2000

/** Applies a training's weights to images of the cloud. Whoever may edit the project and look at the images starts it. */
export async function predict(
  ctx: Context,
  { id, ...chosen }: Parsed<'runs/predict'>,
  { user }: Caller,
): Promise<Answer<'runs/predict'>> {
  const parent = await requireRun(ctx.db, user, id, 'edit')
  const trained = await requireTrained(ctx, parent)
  const entries = await requireChosen(ctx, user, chosen)
  const chosenFiles = await filesOf(ctx.db, user, entries)
  if (chosenFiles.length > limits.files) {
    throw fail('prediction_too_many', { count: chosenFiles.length, limit: limits.files })
  }
  const { others, dicom, setAside: unfit } = await dicomAmong(ctx, chosenFiles, parent.task)
  const named = sorted(others, parent.task)
  const wanted = [...named.wanted, ...dicom].sort((one, other) => (one.path < other.path ? -1 : 1))
  const setAside = [...named.setAside, ...unfit]
  if (wanted.length === 0) {
    throw fail(axesOf(parent.task) === 3 ? 'prediction_no_volumes' : 'prediction_no_pictures')
  }
  const count = wanted.length + setAside.length
  const bad = axesOf(parent.task) === 3 ? [] : await knownBad(ctx.db, named.wanted)
  const isBad = new Set(bad.map(({ name }) => name))
  const good = wanted.filter(({ path }) => !isBad.has(path))
  if (good.length === 0) throw fail('prediction_no_pictures')
  const manifest = await storeManifest(ctx, await unlabelled(ctx, trained.inputs.manifestSha256, good))
  const { task, network, ownNetworkName, ownNetworkVersion, classes, hyper, validation, parameters } = parent
  const { plan, planHash, networkText } = trained.inputs
  const cost = await predictionWork(ctx.db, parent, { plan, images: good.map(({ sha256 }) => sha256) })
  const run = await ctx.db.transaction(async (tx) => {
    const row = await enqueue(ctx, tx, {
      run: {
        ...{ task, network, ownNetworkName, ownNetworkVersion },
        ...{ classes, hyper, validation, parameters, cost },
        userId: parent.userId,
        startedBy: user.id,
        projectId: parent.projectId,
        parentId: parent.id,
        kind: 'predict',
        datasetId: null,
        datasetName: nameOf(entries),
        counts: { files: count },
      },
      inputs: { plan, planHash, networkText, weightsSha256: trained.weightsSha256 },
      manifest,
    })
    await tx.insert(runSources).values({ runId: row.id, entryIds: entries.map((entry) => entry.id) })
    await keepSetAside(tx, row.id, [...setAside, ...bad])
    return row
  })
  return showRun(ctx.db, run.id)
}

/** A page of the files of which a prediction says nothing. */
export async function setAside(
  ctx: Context,
  { id, after }: Parsed<'runs/setAside'>,
  { user }: Caller,
): Promise<Answer<'runs/setAside'>> {
  const run = await requireRun(ctx.db, user, id, 'view')
  const where = eq(runSetAside.runId, run.id)
  const page = await ctx.db
    .select({ name: runSetAside.name, reason: runSetAside.reason })
    .from(runSetAside)
    .where(where)
    .orderBy(asc(runSetAside.place))
    .offset(after)
    .limit(limits.setAsidePage)
  const total = await ctx.db.$count(runSetAside, where)
  const next = after + page.length
  return { setAside: page, next: page.length > 0 && next < total ? next : null, total }
}

/**
 * Adds to what is known already: names tell before the run, what is made of DICOM when it begins, perhaps more than once,
 * and the engine after it, which only knows that nothing was there to read.
 */
export async function keepSetAside(tx: Tx, runId: string, found: readonly SetAside[]): Promise<void> {
  if (found.length === 0) return
  const before = await tx.$count(runSetAside, eq(runSetAside.runId, runId))
  const told = await tx
    .select({ name: runSetAside.name })
    .from(runSetAside)
    .where(and(eq(runSetAside.runId, runId), inArray(runSetAside.reason, [...dicomReasons])))
  const isTold = new Set(told.map(({ name }) => name))
  const ofDicom = new Set<string>(['missing', ...dicomReasons])
  const rows = found
    .filter(({ name, reason }) => !(ofDicom.has(reason) && isTold.has(name)))
    .map((one, index) => ({ ...one, runId, place: before + index }))
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await tx.insert(runSetAside).values(rows.slice(start, start + ROWS_AT_ONCE))
  }
}

/** A folder, or files; whoever may look at them may have them looked at. */
async function requireChosen(
  { db }: Context,
  user: SessionUser,
  { folderId, fileIds }: Pick<Parsed<'runs/predict'>, 'folderId' | 'fileIds'>,
): Promise<SeenEntry[]> {
  if ((folderId === null) === (fileIds.length === 0)) throw fail('prediction_source_needed')
  if (folderId !== null) return [await requireFolder(db, user, folderId, 'view')]
  const entries = await requireEntries(db, user, fileIds, 'view')
  if (entries.some(({ kind }) => kind === 'folder')) throw fail('prediction_source_needed')
  return entries
}

/** As the weights were trained: the same classes, channels, values of masks and factor. */
async function unlabelled(ctx: Context, trainedWith: string, sources: readonly Source[]): Promise<Manifest> {
  const manifest = await readStored(ctx, trainedWith)
  const part = sharedFolder(sources.map(({ path }) => path)).length
  return {
    ...manifest,
    items: sources.map(({ path, sha256, sources: made }) => ({
      ...{ id: newId(), name: path.slice(part), image: sha256, group: sha256 },
      ...(made ? { sources: made } : {}),
      ...{ label: null, class: null, labels: null, boxes: null, part: null },
    })),
  }
}

function nameOf(entries: readonly SeenEntry[]): string {
  const [first] = entries.map(({ name }) => name).sort()
  return entries.length > 1 ? `${first} + ${entries.length - 1}` : (first ?? '')
}

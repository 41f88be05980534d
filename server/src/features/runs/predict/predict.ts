import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { dicomReasons } from '@neuroloom/contract/dicom-data'
import type { Manifest } from '@neuroloom/contract/engine'
import { predictions as limits } from '@neuroloom/contract/limits'
import type { SetAside } from '@neuroloom/contract/predictions'
import { type Recipe, replayOf, toldRecipe, valuesOf } from '@neuroloom/contract/recipes/recipe'
import { axesOf, findsPlaces } from '@neuroloom/contract/task'
import { and, asc, eq, type InferInsertModel, inArray } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { requireEntries, requireFolder, type SeenEntry } from '../../files/access.ts'
import { requireLearned, requireRun, type SeenLearned } from '../access.ts'
import { type Applied, appliedOf } from '../applied.ts'
import { readStored } from '../manifests.ts'
import { showRun } from '../show.ts'
import { enqueue, storeManifest } from '../start.ts'
import { type RunRow, runInputs, type runs } from '../tables.ts'
import { dicomAmong, filesOf, knownBad, type Source, sharedFolder, sorted } from './predict-sources.ts'
import { runSetAside, runSources } from './predict-tables.ts'
import { predictionWork } from './predict-work.ts'

/** Rows written by one statement. */
const ROWS_AT_ONCE = 2000

/** Applies a training's weights to images of the cloud. Whoever may edit the project and look at the images starts it. */
export async function predict(
  ctx: Context,
  { id, replay, ...chosen }: Parsed<'runs/predict'>,
  { user }: Caller,
): Promise<Answer<'runs/predict'>> {
  const parent = await requireLearned(ctx.db, user, id, 'edit')
  const network = await appliedOf(ctx, parent)
  const run = await predictChosen(ctx, user, { network, replay, chosen, as: inProject(parent) })
  return showRun(ctx.db, run.id)
}

/** What stands in the row of a prediction besides its task, classes and pictures. */
type As = Pick<
  InferInsertModel<typeof runs>,
  | 'userId'
  | 'projectId'
  | 'parentId'
  | 'network'
  | 'ownNetworkName'
  | 'ownNetworkVersion'
  | 'hyper'
  | 'validation'
  | 'parameters'
  | 'tool'
>

/** Beside the training, with all that is known of the network. */
function inProject(parent: SeenLearned): As {
  const { userId, projectId, id, network, ownNetworkName, ownNetworkVersion } = parent
  const { hyper, validation, parameters } = parent
  return {
    ...{ userId, projectId, parentId: id, network, ownNetworkName, ownNetworkVersion },
    ...{ hyper, validation, parameters },
  }
}

type ChosenFiles = Pick<Parsed<'runs/predict'>, 'folderId' | 'fileIds'>
type OfChosen = {
  network: Applied
  replay: boolean
  chosen: ChosenFiles
  as: As
  also?: ((tx: Tx, run: RunRow) => Promise<void>) | undefined
}

/** Whoever asks has looked at the rights to the network and to the project; those to the images are looked at here. */
export async function predictChosen(
  ctx: Context,
  user: SessionUser,
  { network, replay, chosen, as, also }: OfChosen,
): Promise<RunRow> {
  const entries = await requireChosen(ctx, user, chosen)
  const chosenFiles = await filesOf(ctx.db, user, entries)
  if (chosenFiles.length > limits.files) {
    throw fail('prediction_too_many', { count: chosenFiles.length, limit: limits.files })
  }
  const { others, dicom, setAside: unfit } = await dicomAmong(ctx, chosenFiles, network.task)
  const named = sorted(others, network.task)
  const wanted = [...named.wanted, ...dicom].sort((one, other) => (one.path < other.path ? -1 : 1))
  const setAside = [...named.setAside, ...unfit]
  if (wanted.length === 0) {
    throw fail(axesOf(network.task) === 3 ? 'prediction_no_volumes' : 'prediction_no_pictures')
  }
  const count = wanted.length + setAside.length
  const bad = axesOf(network.task) === 3 ? [] : await knownBad(ctx.db, named.wanted)
  const isBad = new Set(bad.map(({ name }) => name))
  const good = wanted.filter(({ path }) => !isBad.has(path))
  if (good.length === 0) throw fail('prediction_no_pictures')
  const part = sharedFolder(good.map(({ path }) => path)).length
  const { recipe: learned } = network.inputs
  return queue(ctx, user, {
    ...{ network, as, name: nameOf(entries), files: count, doubts: false },
    images: good.map(({ path, ...source }) => ({ ...source, id: newId(), name: path.slice(part) })),
    recipe: replay && learned ? closedFor(as, replayOf(learned)) : null,
    async also(tx, run) {
      await tx.insert(runSources).values({ runId: run.id, entryIds: entries.map((entry) => entry.id) })
      await keepSetAside(tx, run.id, [...setAside, ...bad])
      await also?.(tx, run)
    },
  })
}

/** What is inside a tool is its maker's to tell. */
const closedFor = ({ tool }: As, recipe: Recipe): Recipe =>
  tool ? { ...recipe, name: tool.name, isClosed: true } : recipe

export type PinnedImage = Pick<Source, 'sha256' | 'sources'> & {
  /** Under which its result is found. */
  id: string
  name: string
}
type Pinned = {
  /** What was chosen, in words. */
  name: string
  images: readonly PinnedImage[]
  also: (tx: Tx, run: RunRow) => Promise<void>
}

/** Of images that another feature keeps by their bytes, with how unsure the network is; whoever asks has looked at the rights to them. */
export async function predictPinned(
  ctx: Context,
  user: SessionUser,
  { parent, ...asked }: Pinned & { parent: SeenLearned },
): Promise<RunRow> {
  const network = await appliedOf(ctx, parent)
  const { recipe: learned } = network.inputs
  // What is found is drawn on the images as they are.
  const replayed = learned && (findsPlaces(network.task) ? valuesOf : replayOf)(learned)
  return queue(ctx, user, {
    ...{ ...asked, as: inProject(parent), network, files: asked.images.length },
    ...{ doubts: true, recipe: replayed },
    async also(tx, run) {
      const pinned = asked.images.map(({ id }) => id)
      await tx.insert(runSources).values({ runId: run.id, entryIds: [], pinned })
      await asked.also(tx, run)
    },
  })
}

type Queued = Pinned & {
  as: As
  network: Applied
  files: number
  recipe: Recipe | null
  doubts: boolean
}

async function queue(
  ctx: Context,
  user: SessionUser,
  { network, as, name, images, files, recipe, doubts, also }: Queued,
): Promise<RunRow> {
  const manifest = await storeManifest(ctx, await unlabelled(ctx, network.inputs.manifestSha256, images))
  const { task, classes } = network
  const { plan, planHash, networkText } = network.inputs
  const cost = await predictionWork(ctx.db, network, { plan, images: images.map(({ sha256 }) => sha256) })
  return ctx.db.transaction(async (tx) => {
    const row = await enqueue(ctx, tx, {
      run: {
        ...{ ...as, task, classes, cost },
        startedBy: user.id,
        kind: 'predict',
        datasetId: null,
        datasetName: name,
        counts: { files },
      },
      inputs: {
        ...{ plan, planHash, weightsSha256: network.weightsSha256, recipe, doubts },
        networkText: as.tool ? null : networkText,
      },
      manifest,
    })
    await also(tx, row)
    return row
  })
}

/** By which recipe the run's images were prepared. */
export async function recipe(
  ctx: Context,
  { id }: Parsed<'runs/recipe'>,
  { user }: Caller,
): Promise<Answer<'runs/recipe'>> {
  const run = await requireRun(ctx.db, user, id, 'view')
  const [inputs] = await ctx.db
    .select({ recipe: runInputs.recipe })
    .from(runInputs)
    .where(eq(runInputs.runId, run.id))
  return { recipe: inputs?.recipe ? toldRecipe(inputs.recipe) : null }
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
  { folderId, fileIds }: ChosenFiles,
): Promise<SeenEntry[]> {
  if ((folderId === null) === (fileIds.length === 0)) throw fail('prediction_source_needed')
  if (folderId !== null) return [await requireFolder(db, user, folderId, 'view')]
  const entries = await requireEntries(db, user, fileIds, 'view')
  if (entries.some(({ kind }) => kind === 'folder')) throw fail('prediction_source_needed')
  return entries
}

/** As the weights were trained: the same classes, channels, values of masks and factor. */
async function unlabelled(
  ctx: Context,
  trainedWith: string,
  images: readonly PinnedImage[],
): Promise<Manifest> {
  const manifest = await readStored(ctx, trainedWith)
  return {
    ...manifest,
    items: images.map(({ id, name, sha256, sources: made }) => ({
      ...{ id, name, image: sha256, group: sha256 },
      ...(made ? { sources: made } : {}),
      ...{ label: null, class: null, labels: null, boxes: null, part: null },
    })),
  }
}

function nameOf(entries: readonly SeenEntry[]): string {
  const [first] = entries.map(({ name }) => name).sort()
  return entries.length > 1 ? `${first} + ${entries.length - 1}` : (first ?? '')
}

import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Manifest } from '@neuroloom/contract/engine'
import { workOf } from '@neuroloom/contract/forecast'
import { training } from '@neuroloom/contract/limits'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { askedFor } from '@neuroloom/contract/suggest/asking'
import { casesOf } from '@neuroloom/contract/suggest/parts'
import { and, eq, type InferInsertModel, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { addBlob } from '../../infra/storage/blobs.ts'
import { requireDataset } from '../datasets/access.ts'
import { type DataUse, manifestOf } from '../datasets/service.ts'
import { type DatasetRow, datasetParts, datasets } from '../datasets/tables.ts'
import { lockNetwork } from '../networks/access.ts'
import * as networks from '../networks/service.ts'
import { requireRoomToShare } from '../plans/access.ts'
import { requireLearnedProject } from '../projects/access.ts'
import { projects } from '../projects/tables.ts'
import { recipeOf } from '../recipes/service.ts'
import { createForecaster } from './forecast.ts'
import { requireRoom } from './models.ts'
import { announce } from './queue/announce.ts'
import { type StoredFile, storeText } from './queue/outputs.ts'
import { wake } from './queue/queue.ts'
import { type ReadyDataset, requireReady, type Settings, settle } from './settings.ts'
import { showRun } from './show.ts'
import { beginWith } from './start-from.ts'
import { allRuns, isOpenRun, isTraining, type RunRow, runInputs, runNumbers, runs } from './tables.ts'

export async function start(
  ctx: Context,
  { projectId, parts, startFrom, force, ...wish }: Parsed<'runs/start'>,
  { user }: Caller,
): Promise<Answer<'runs/start'>> {
  const project = await requireLearnedProject(ctx.db, user, projectId, 'edit')
  const found = await requireTwoParts(ctx, user, parts)
  const dataset = await requireReady(ctx.db, { project, dataset: found })
  const { chosen, ...settings } = await settle(ctx, { project, dataset, wish, user })
  refuseBlocked({ chosen, settings, dataset, force })
  const items = await manifestOf(ctx.db, dataset.id)
  const manifest = await storeManifest(ctx, items)
  const { task } = project
  const { fitted, validation, hyper } = settings
  const data = { manifest: items, manifestSha256: manifest.sha256 }
  const network = networks.askedOf(settings.network)
  const wanted = { projectId, task, plan: fitted.plan, network, validation, ...data }
  const begun = startFrom === null ? null : await beginWith(ctx, user, { ...wanted, id: startFrom })
  const run = await ctx.db.transaction(async (tx) => {
    const kept = await keepNetwork(ctx, tx, { user, network: settings.network })
    const run = await enqueue(ctx, tx, {
      run: {
        userId: project.ownerId,
        startedBy: user.id,
        projectId,
        kind: 'train',
        task,
        ...kept.run,
        ...begun?.run,
        datasetId: dataset.id,
        datasetName: dataset.name,
        classes: dataset.classes,
        hyper,
        validation,
        parameters: fitted.parameters,
        cost: workOf({
          kind: 'train',
          task,
          items: items.items.length,
          hyper,
          validation,
          cost: fitted.cost,
        }),
      },
      inputs: {
        ...kept.inputs,
        ...begun?.inputs,
        plan: sql`${fitted.plan}::jsonb`,
        planHash: fitted.planHash,
        recipe: await recipeOf(tx, dataset.folderId),
      },
      manifest,
    })
    await begun?.used(tx, run)
    return run
  })
  return showRun(ctx.db, run.id)
}

/** What a run remembers of its network. A drawn one is kept as a version, so that this very state can be found again. */
export async function keepNetwork(
  ctx: Context,
  tx: Tx,
  { user, network: { id, own } }: { user: SessionUser; network: networks.Found },
): Promise<{
  run: Pick<InferInsertModel<typeof runs>, 'network' | 'ownNetworkName' | 'ownNetworkVersion'>
  inputs: Pick<InferInsertModel<typeof runInputs>, 'networkText'>
}> {
  if (own === null) return { run: { network: id }, inputs: {} }
  const network = await lockNetwork(tx, user, id)
  // Saved anew since the settings were chosen for it.
  if (network.text !== own.text) throw fail('network_changed', { revision: network.revision })
  const { number } = await networks.keepVersion(ctx, tx, { network, note: '' })
  return {
    run: { network: id, ownNetworkName: network.name, ownNetworkVersion: number },
    inputs: { networkText: network.text },
  }
}

/** The data set whose image part and label part these are. */
async function requireTwoParts(ctx: Context, user: SessionUser, ids: string[]): Promise<DatasetRow> {
  const wanted = [...new Set(ids)]
  if (wanted.length !== 2 || ids.length !== 2) throw fail('two_parts_needed')
  const parts = await ctx.db.select().from(datasetParts).where(inArray(datasetParts.id, wanted))
  const [first, second] = parts
  if (!first || !second) throw fail('dataset_missing')
  // A part that may not be seen is as unknown as a missing one.
  const dataset = await requireDataset(ctx.db, user, first.datasetId, 'view')
  await requireDataset(ctx.db, user, second.datasetId, 'view')
  if (first.part === second.part) throw fail('two_parts_needed')
  if (first.datasetId !== second.datasetId || first.items !== second.items) throw fail('parts_differ')
  return dataset
}

/** What stands in the way whatever the settings, then what these settings ask of the data, then the member's word. */
function refuseBlocked({
  chosen: { blockers, cautions },
  settings: { validation },
  dataset: { task, facts },
  force,
}: {
  chosen: Awaited<ReturnType<typeof settle>>['chosen']
  settings: Settings
  dataset: ReadyDataset
  force: boolean
}): void {
  // Memory and batch were judged by the final settings.
  const [blocker] = blockers.filter(({ name }) => name !== 'memory_exceeded' && name !== 'batch_too_small')
  if (blocker) throw fail(blocker.name, blocker.params)
  refuseUnparted({ validation, task, facts })
  const asked = askedFor(cautions)
  if (asked && !force) throw fail('data_too_few', asked.params)
}

/** Each part needs something of each class, and whole patients; parts that the data set names must be there. */
function refuseUnparted({
  validation,
  task,
  facts,
}: Pick<Settings, 'validation'> & Pick<ReadyDataset, 'task' | 'facts'>): void {
  const { items, classCounts, given } = facts
  if (validation.method === 'given') {
    const fewest = Math.min(given?.train ?? 0, given?.test ?? 0)
    if (fewest === 0) throw fail('data_too_few', { have: 0, need: 1 })
  }
  const cases = casesOf(facts)
  if (validation.method !== 'given' && cases < training.minCases) {
    throw fail('cases_too_few', { have: cases, need: training.minCases })
  }
  if (validation.method !== 'kfold') return
  const isPerImage = task === 'classification' || task === 'multilabel'
  const fewest = Math.min(cases, ...(isPerImage ? classCounts : [items]))
  if (fewest < validation.splits) throw fail('data_too_few', { have: fewest, need: validation.splits })
}

type NewRun = {
  run: Omit<InferInsertModel<typeof runs>, 'id' | 'number'>
  inputs: Omit<InferInsertModel<typeof runInputs>, 'runId' | 'manifestSha256' | 'plan'> & { plan: Plan | SQL }
  manifest: StoredFile
}

/** Writes a run with all that it needs and puts it into the queue. */
export async function enqueue(ctx: Context, tx: Tx, { run, inputs, manifest }: NewRun): Promise<RunRow> {
  const row = await queueRun(ctx, tx, run)
  await addBlob(tx, manifest)
  await tx.insert(runInputs).values({ ...inputs, runId: row.id, manifestSha256: manifest.sha256 })
  return row
}

/** The row alone, of a training if its owner may have one more; what the run reads is written in the same transaction. */
export async function queueRun(ctx: Context, tx: Tx, run: NewRun['run']): Promise<RunRow> {
  await ctx.room.require()
  if (isTraining(run)) await requireRoom(ctx, tx, run.userId)
  // A project that goes to the recycle station at this moment takes its open runs along: this one, or it is gone.
  const live = and(eq(projects.id, run.projectId), isNull(projects.recycledAt))
  const kept = await tx.select({ id: projects.id }).from(projects).where(live).for('share')
  if (kept.length === 0) throw fail('project_missing')
  // A data set that is being forgotten at this moment waits for us, or is gone.
  if (run.datasetId) {
    const locked = await tx.select().from(datasets).where(eq(datasets.id, run.datasetId)).for('share')
    if (locked.length === 0) throw fail('dataset_missing')
  }
  const id = newId()
  const number = await nextNumber(tx, run)
  const { cost } = run
  const foreseenSeconds = cost
    ? (await createForecaster(tx))({ ...run, hyper: run.hyper ?? null, cost }).seconds
    : null
  const [row] = await tx
    .insert(allRuns)
    .values({ ...run, id, number, foreseenSeconds })
    .returning()
  if (!row) throw fail('internal')
  // In a project that others see, they would have the model: refused now, so that no training is done for nothing.
  if (isTraining(row)) await requireRoomToShare(ctx, tx, { ownerId: row.userId, id: row.id })
  await announce(ctx, tx, row)
  await wake(tx)
  return row
}

/** Each kind of run is counted by itself; the row stays locked until the run is written. */
async function nextNumber(tx: Tx, { projectId, kind }: Pick<RunRow, 'projectId' | 'kind'>): Promise<number> {
  const [row] = await tx
    .insert(runNumbers)
    .values({ projectId, kind, last: 1 })
    .onConflictDoUpdate({
      target: [runNumbers.projectId, runNumbers.kind],
      set: { last: sql`${runNumbers.last} + 1` },
    })
    .returning({ last: runNumbers.last })
  return row?.last ?? 1
}

/** The manifest becomes bytes like any other: the same data set gives the same ones, and a test finds them again. */
export const storeManifest = (ctx: Context, manifest: Manifest): Promise<StoredFile> =>
  storeText(ctx, JSON.stringify(manifest))

export const dataUse: DataUse = {
  isOpen: async (tx, datasetId) => (await tx.$count(runs, and(eq(runs.datasetId, datasetId), isOpenRun))) > 0,
  // What training kept aside is looked for again at each test, also of one that comes back from the recycle station.
  isKept: async (tx, datasetId) => (await tx.$count(allRuns, eq(allRuns.datasetId, datasetId))) > 0,
}

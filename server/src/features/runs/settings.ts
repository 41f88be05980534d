import { availableParallelism } from 'node:os'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type PlanCost, workOf } from '@neuroloom/contract/forecast'
import { canTune } from '@neuroloom/contract/limits'
import { criteria, type Hyper, type Validation } from '@neuroloom/contract/suggest/hyper'
import { type Capacity, type Chosen, networkData } from '@neuroloom/contract/suggest/suggest'
import type { Task } from '@neuroloom/contract/task'
import { and, eq } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail, failFields } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { requireDataset } from '../datasets/access.ts'
import { type DatasetRow, projectDatasets } from '../datasets/tables.ts'
import * as networks from '../networks/service.ts'
import { standingOf } from '../plans/service.ts'
import { requireLearnedProject } from '../projects/access.ts'
import type { ProjectRow } from '../projects/tables.ts'
import { createForecaster } from './forecast.ts'
import { findDevice } from './queue/queue.ts'

/** A data set that runs can use: looked at, and with everything known that settings are chosen from. */
export type ReadyDataset = DatasetRow & {
  facts: NonNullable<DatasetRow['facts']>
  channels: NonNullable<DatasetRow['channels']>
}

export async function suggest(
  ctx: Context,
  { projectId, datasetId, network }: Parsed<'runs/suggest'>,
  { user }: Caller,
): Promise<Answer<'runs/suggest'>> {
  const project = await requireLearnedProject(ctx.db, user, projectId, 'view')
  const dataset = await requireDataset(ctx.db, user, datasetId, 'view')
  const ready = await requireReady(ctx.db, { project, dataset })
  // A network that does not exist is refused; one that does not fit these data is a blocker that the page explains.
  const wanted =
    network === null ? null : await networks.findNetwork(ctx.db, user, { id: network, task: project.task })
  const { cost, ...chosen } = await choose(ctx, user, { dataset: ready, wanted })
  return {
    ...chosen,
    ...(await foresee(ctx, { dataset: ready, chosen, cost })),
    mayTune: canTune(standingOf(ctx, user)),
  }
}

/** How long a training with the chosen settings will take here. */
async function foresee(
  ctx: Context,
  { dataset, chosen, cost }: { dataset: ReadyDataset; chosen: Chosen; cost: PlanCost | null },
): Promise<Pick<Answer<'runs/suggest'>, 'forecastSeconds' | 'forecastIsSure'>> {
  const { hyper, validation, network } = chosen
  const facts = taskFacts(dataset)
  if (cost === null) return { forecastSeconds: null, forecastIsSure: false }
  const run = { kind: 'train', task: facts.task, network, hyper } as const
  const whole = workOf({ ...run, items: facts.facts.items, validation, cost })
  const { seconds, isSure } = (await createForecaster(ctx.db))({ ...run, cost: whole })
  return { forecastSeconds: seconds, forecastIsSure: isSure }
}

/** Refuses data of another project or task, and data that are still being looked at. */
export async function requireReady(
  db: Db,
  { project, dataset }: { project: ProjectRow; dataset: DatasetRow },
): Promise<ReadyDataset> {
  const [link] = await db
    .select()
    .from(projectDatasets)
    .where(and(eq(projectDatasets.projectId, project.id), eq(projectDatasets.datasetId, dataset.id)))
  if (!link) throw fail('dataset_missing')
  const { facts, channels } = dataset
  if (dataset.state !== 'ready' || !facts || !channels) throw fail('dataset_not_ready')
  if (dataset.task !== project.task) throw fail('task_differs')
  return { ...dataset, facts, channels }
}

async function choose(
  ctx: Context,
  user: SessionUser,
  { dataset, wanted }: { dataset: ReadyDataset; wanted: networks.Found | null },
): Promise<Chosen & { cost: PlanCost | null }> {
  const facts = { ...taskFacts(dataset), device: await capacityOf(ctx) }
  const network = wanted && networks.askedOf(wanted)
  return ctx.aside.ask(user.id, networks.chooseWork, { facts, network })
}

function taskFacts({ task, classes, facts }: ReadyDataset) {
  if (!task) throw fail('dataset_not_ready')
  return { task, classes, facts }
}

type LearnedProject = ProjectRow & { task: Task }

export type Settings = {
  network: networks.Found
  hyper: Hyper
  validation: Validation
  fitted: networks.FittedPlan
}
type Wish = Pick<Parsed<'runs/start'>, 'network' | 'hyper' | 'validation'>

/** The suggestion with the member's changes, checked as a whole. */
export async function settle(
  ctx: Context,
  {
    project,
    dataset,
    wish,
    user,
  }: { project: LearnedProject; dataset: ReadyDataset; wish: Wish; user: SessionUser },
): Promise<Settings & { chosen: Chosen }> {
  const network = await networks.findNetwork(ctx.db, user, { id: wish.network, task: project.task })
  const { cost: _, ...chosen } = await choose(ctx, user, { dataset, wanted: network })
  const hyper = withoutUnused({ ...chosen.hyper, ...withoutGaps(wish.hyper) })
  const validation = wish.validation ?? chosen.validation
  const isTuned = !isSame(hyper, chosen.hyper) || !isOffered(validation, chosen)
  if (isTuned && !canTune(standingOf(ctx, user))) throw fail('tuning_gold_only')
  refuseUnfit({ project, hyper, chosen })
  const have = chosen.deviceMemoryBytes
  const fitted = await ctx.aside.ask(user.id, networks.planWork, {
    ...{ network: networks.askedOf(network), hyper, memoryBytes: have },
    data: networkData(taskFacts(dataset), hyper),
  })
  if ('unfit' in fitted) throw fail('network_unfit', fitted.unfit)
  const { needBytes, largestBatch, normAlone } = fitted
  if (have !== null && needBytes > have) {
    if (largestBatch) throw fail('batch_too_large', { batch: largestBatch, needBytes, haveBytes: have })
    throw fail('memory_exceeded', { needBytes, haveBytes: have })
  }
  if (normAlone !== null) throw fail('batch_too_small', { node: normAlone })
  return { network, hyper, validation, fitted, chosen }
}

/** What a form's ranges cannot express. */
function refuseUnfit({
  project,
  hyper,
  chosen,
}: {
  project: LearnedProject
  hyper: Hyper
  chosen: Chosen
}): void {
  const allowed: readonly string[] = criteria[project.task]
  if (!allowed.includes(hyper.criterion)) throw failFields({ 'hyper.criterion': 'form.invalid' })
  // Left out of the suggestion where the device gains nothing by it, or the task knows none.
  for (const field of ['mixedPrecision', 'labelSmoothing'] as const) {
    if (hyper[field] && chosen.hyper[field] === undefined)
      throw failFields({ [`hyper.${field}`]: 'form.invalid' })
  }
  // The data say how many classes there are.
  if (hyper.numClass !== chosen.hyper.numClass) throw failFields({ 'hyper.numClass': 'form.invalid' })
}

/** Labels are smoothed in cross-entropy alone: another loss must not be told to do it. */
function withoutUnused({ labelSmoothing, ...hyper }: Hyper): Hyper {
  const isSmoothed = labelSmoothing !== undefined && hyper.criterion === 'cross_entropy'
  return isSmoothed ? { ...hyper, labelSmoothing } : hyper
}

const withoutGaps = (wish: Wish['hyper']): Partial<Hyper> =>
  Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined))

/** Testing in turn is nobody's change where it is offered. */
const isOffered = (validation: Validation, chosen: Chosen): boolean =>
  isSame(validation, chosen.validation) ||
  (chosen.crossValidation !== null && isSame(validation, { method: 'kfold', ...chosen.crossValidation }))

/** Both came through the same schema: equal values have equal text once their keys are in order. */
const isSame = (left: object, right: object): boolean => textOf(left) === textOf(right)
const textOf = (value: object): string =>
  JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

export async function device(ctx: Context): Promise<Answer<'runs/device'>> {
  const { kind, memoryBytes } = await capacityOf(ctx)
  return { kind, memoryBytes }
}

/** Before a worker has said what it computes on, nothing is known of its memory. */
export async function capacityOf(ctx: Context): Promise<Capacity> {
  const device = await findDevice(ctx.db)
  return device ?? { kind: 'cpu', threads: availableParallelism(), memoryBytes: null }
}

/** How long a run will take on a device: what it computes, by what steps cost there and what runs of the network took. Pure; knows no queue. */

import type { FlowStudy } from './flow/study.ts'
import type { Plan, PlanNode, TensorType } from './network/resolve/plan.ts'
import type { Progress } from './runs.ts'
import type { Hyper, Validation } from './suggest/hyper.ts'
import { effort } from './suggest/suggest-task.ts'
import type { ProjectTask, Task } from './task.ts'

/** What costs time. Of a network for one item; of a run for all of it. */
export type Cost = {
  /** Multiply-adds. */
  macs: number
  /** Those of convolutions that look at channels by groups, which are many times slower a piece. */
  grouped: number
  /** Numbers that layers write: memory is moved for them, however little is computed. */
  elements: number
  /** Layers that are called: each takes its time, however small it is. */
  calls: number
  /** Weights that are changed: the optimiser reads and writes them at each step. */
  weights: number
}
const kindsOfCost = ['macs', 'grouped', 'elements', 'calls', 'weights'] as const

/** Of a network: costs of one item, and whether it draws lots while it learns. */
export type PlanCost = Cost & { isRandom: boolean }

/** Seconds for one of each. */
export type Rates = Cost

/** What a step took. */
export type Sample = Cost & { seconds: number }

export type Sized = {
  kind: string
  task: Task
  items: number
  hyper: Pick<Hyper, 'epochs' | 'validationInterval' | 'batchSize'>
  validation: Validation
  /** Of the plan, for one item. */
  cost: PlanCost
}

type Computed = { kind: string; task: ProjectTask; network: string }

/** A run that came to its end: what it computed, and the seconds that it would have taken with the cores to itself. */
export type Measured = Computed & { work: Cost; quietSeconds: number }

/** What computes, and how busy others keep it: programs that want a core, a minute's mean. */
export type Place = { kind: 'cpu' | 'cuda'; threads: number; rates?: Rates; cores: number; others: number }

export type Forecast = {
  seconds: number
  /** A run of the same network ended here; without one the real time may well be half or double. */
  isSure: boolean
}

/** A step costs three passes: forward, and two for the gradients; checking and testing one. */
const PASSES = 3
/** Of what is not kept for the test, for choosing the best epoch; the engine's `VALIDATION_SHARE`. */
const VALIDATION = 0.15
/** Reading the data, and at the end the files: what every run takes beside its steps, measured on two cores. */
const AROUND_SECONDS = 4
/**
 * Before anything was measured: a core of 2020 (12e9 multiply-adds and 1.5e8 numbers a second through a whole step,
 * 25 µs a layer), or a small GPU.
 */
const usual = {
  cpu: { macs: 8e-11, grouped: 2e-9, elements: 7e-9, calls: 5e-5, weights: 1e-8 },
  cuda: { macs: 1e-12, grouped: 1e-11, elements: 1e-10, calls: 5e-5, weights: 1e-10 },
} as const satisfies Record<Place['kind'], Rates>

/** What one item costs in a network, and the weights of all of it. */
export function costOf(plan: Plan): PlanCost {
  const grouped = plan.nodes.reduce((total, node) => total + (isGrouped(node) ? node.macs : 0), 0)
  return {
    macs: plan.macs - grouped,
    grouped,
    elements: plan.nodes.reduce((total, { type }) => total + elementsOf(type), 0),
    calls: plan.nodes.length,
    weights: plan.learn,
    isRandom: plan.nodes.some(({ op }) => random.has(op)),
  }
}

const isGrouped = ({ op, params }: PlanNode): boolean => op === 'dwconv' || Number(params.groups ?? 1) > 1
/** The engine's `RANDOM_LAYERS` (`parallel.py`): their networks do not learn from two halves of a batch side by side. */
const random: ReadonlySet<string> = new Set([
  ...['dropout', 'dropmap', 'droppath', 'noise', 'attention', 'lstm', 'gru'],
])
/** Measured on 2 cores: in one pass on both a step takes 1.3 to 1.6 times as long as in two halves. */
const UNHALVED = 1.5
/** And a batch below twice the engine's `MIN_HALF` is learned from on half of the cores. */
const LEAST_HALVED = 6

function elementsOf(type: TensorType): number {
  if (type.k === 'seq') return type.n * type.c
  return type.k === 'vec' ? type.c : type.s.reduce((product, side) => product * side, type.c)
}

/**
 * Costs of a whole run: items × epochs × those of the plan, with checks and folds. Of a prediction `items` may be a
 * fraction: a picture that is larger than the plan's counts for more than one.
 */
export function workOf({ kind, task, items, hyper, validation, cost }: Sized): Cost {
  if (kind !== 'train') return passes(items, cost, hyper)
  const parts = partsOf(validation)
  const learned = parts.train * (1 - VALIDATION) * (effort[task].draws ?? 1) * hyper.epochs
  const checked = parts.train * VALIDATION * Math.ceil(hyper.epochs / hyper.validationInterval)
  // In k-fold each fold also looks at its test side.
  const tested = validation.method === 'kfold' ? parts.test : 0
  const seen = { learned: learned * items, looked: (checked + tested) * items }
  return times(parts.folds, learningOf(seen, { hyper, cost }))
}

type Seen = { learned: number; looked: number }

/** Of items that are learned from, and of those that are only looked at, over all epochs. */
function learningOf({ learned, looked }: Seen, { hyper, cost }: Pick<Sized, 'hyper' | 'cost'>): Cost {
  const steps = learned / hyper.batchSize
  const unhalved = hyper.batchSize < LEAST_HALVED ? 2 : 1
  const learning = {
    macs: PASSES * learned * cost.macs,
    grouped: PASSES * learned * cost.grouped,
    elements: learned * cost.elements,
    calls: steps * cost.calls,
    weights: steps * cost.weights,
  }
  return sum(times(cost.isRandom ? UNHALVED : unhalved, learning), passes(looked, cost, hyper))
}

/** Numbers that a flow run moves for each voxel of each frame: 0.6 to 2.7 µs of one core of 2020, by what is asked of it. */
const FLOW_ELEMENTS = 250

/** Costs of a flow run: no network, but passes over every voxel of every frame. */
export const flowWork = ({ size: [x, y, z], frames }: Pick<FlowStudy, 'size' | 'frames'>): Cost => ({
  ...eachKind(() => 0),
  elements: FLOW_ELEMENTS * x * y * z * frames,
})

/** Patches that an epoch draws of one known flow (the engine's `DRAWS`), and as many as one whole flow has voxels of. */
const patches = { drawn: 4, whole: 5 }

/** Costs of a training of velocity super-resolution: of five flows three are learned from, one chooses the epoch, one is kept aside. */
export function flowTrainWork({
  flows,
  hyper,
  cost,
}: Pick<Sized, 'hyper' | 'cost'> & { flows: number }): Cost {
  const learned = (3 / 5) * flows * patches.drawn * hyper.epochs
  const validations = Math.ceil(hyper.epochs / hyper.validationInterval)
  const looked = (1 / 5) * flows * patches.whole * (validations + 1)
  return learningOf({ learned, looked }, { hyper, cost })
}

/** Forwards only: of the numbers of a step a third, of its calls too. */
const passes = (items: number, cost: Cost, { batchSize }: Sized['hyper']): Cost => ({
  macs: items * cost.macs,
  grouped: items * cost.grouped,
  elements: (items * cost.elements) / PASSES,
  calls: ((items / batchSize) * cost.calls) / PASSES,
  weights: 0,
})

const times = (factor: number, cost: Cost): Cost => eachKind((kind) => factor * cost[kind])
const sum = (one: Cost, other: Cost): Cost => eachKind((kind) => one[kind] + other[kind])

const eachKind = (of: (kind: keyof Cost) => number): Cost => ({
  macs: of('macs'),
  grouped: of('grouped'),
  elements: of('elements'),
  calls: of('calls'),
  weights: of('weights'),
})

/** Items that a test on the data of its training looks at. */
export const heldOut = (items: number, validation: Validation): number =>
  Math.max(1, Math.round(items * partsOf(validation).test))

/**
 * What each kind of cost takes on a device, from a few measured steps: the rates, none negative, whose forecasts of
 * these steps are off by the least share. Found one rate at a time, as often as it takes.
 */
export function ratesOf(samples: readonly Sample[]): Rates {
  const known = samples.filter(({ seconds }) => seconds > 0)
  const rates: Rates = eachKind(() => 0)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of kindsOfCost) {
      let [product, square] = [0, 0]
      for (const sample of known) {
        // As shares of the seconds, so that a short step tells as much as a long one.
        const share = sample[kind] / sample.seconds
        const others = secondsFor(sample, { ...rates, [kind]: 0 }) / sample.seconds
        product += share * (1 - others)
        square += share * share
      }
      rates[kind] = square > 0 ? Math.max(0, product / square) : 0
    }
  }
  return rates
}
const ROUNDS = 200

const secondsFor = (cost: Cost, rates: Rates): number =>
  kindsOfCost.reduce((total, kind) => total + cost[kind] * rates[kind], 0)

/**
 * Seconds for so much work, with the load that is there now: by runs of the same network, else by what steps cost on the
 * device. Another network tells nothing.
 */
export function forecast(
  run: Computed & { work: Cost },
  { place, measured }: { place: Place; measured: readonly Measured[] },
): Forecast {
  const rates = place.rates ?? times(1 / threadsOf(place), usual[place.kind])
  const known = measured.filter(({ network, task }) => network === run.network && task === run.task)
  const ofKind = known.filter(({ kind }) => kind === run.kind)
  // A test sends images through the network as a prediction does, and measures something besides.
  const passing = run.kind === 'predict' ? known.filter(({ kind }) => kind === 'test') : []
  const like = ofKind.length > 0 ? ofKind : passing
  const slower = like.map((ended) => timesOf(ended, rates)).filter((value) => value > 0)
  const factor = slower.length > 0 ? median(slower) : 1
  const quiet = AROUND_SECONDS + factor * secondsFor(run.work, rates)
  return { seconds: quiet * slowdownOf(place), isSure: ofKind.length > 0 }
}

/** How many times longer a run took than the rates say; of one shorter than what stands around it, a quarter counts. */
const timesOf = ({ work, quietSeconds }: Measured, rates: Rates): number =>
  Math.max(quietSeconds - AROUND_SECONDS, quietSeconds / 4) / Math.max(1e-9, secondsFor(work, rates))

const threadsOf = ({ kind, threads }: Place): number => (kind === 'cpu' ? threads : 1)

/** Threads of a run and those of others share the cores evenly; a graphics card is not shared. */
export const slowdownOf = ({ kind, threads, cores, others }: Place): number =>
  kind === 'cuda' ? 1 : Math.max(1, (threads + others) / Math.max(1, cores))

/** The share of a run that is done, over all folds and epochs. */
export function shareDone(progress: Progress | null): number {
  if (!progress) return 0
  const { fold, folds, epoch, epochs, step, steps } = progress
  const epochsDone = fold * epochs + Math.max(0, epoch - 1) + step / Math.max(1, steps)
  return Math.min(1, epochsDone / Math.max(1, folds * epochs))
}

/**
 * Seconds until each of the waiting begins, in their order: whoever is free first takes the next. `left` of those under
 * way, one a device; null where nothing is known, and then of all that come after it.
 */
export function startsOf(
  left: readonly (number | null)[],
  waiting: readonly (number | null)[],
): (number | null)[] {
  const free = left.map((seconds) => seconds ?? Number.POSITIVE_INFINITY)
  return waiting.map((seconds) => {
    const next = Math.min(...free)
    if (!Number.isFinite(next)) return null
    free[free.indexOf(next)] = seconds === null ? Number.POSITIVE_INFINITY : next + seconds
    return next
  })
}

function partsOf(validation: Validation): { train: number; test: number; folds: number } {
  if (validation.method === 'kfold') {
    return { train: 1 - 1 / validation.splits, test: 1 / validation.splits, folds: validation.splits }
  }
  // How the data set itself parts its items is not asked here: 4:1 as everywhere.
  const { train, test } = validation.method === 'holdout' ? validation : { train: 4, test: 1 }
  return { train: train / (train + test), test: test / (train + test), folds: 1 }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 1
}

/** How long a run will take on a device, from what runs took there before. Pure; knows no queue. */

import type { Progress } from './runs.ts'
import type { Hyper, Validation } from './suggest/hyper.ts'
import { effort } from './suggest/suggest-task.ts'
import type { Task } from './task.ts'

type Computed = {
  kind: string
  task: Task
  network: string
}

export type Sized = {
  kind: string
  task: Task
  items: number
  hyper: Pick<Hyper, 'epochs' | 'validationInterval'>
  validation: Validation
  /** Multiply-adds of the plan for one item. */
  macs: number
}

/** A run that came to its end: its multiply-adds, and the seconds that it was computed. */
export type Measured = Computed & { work: number; seconds: number }

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
/** Multiply-adds a second before anything was measured: half of what a core of 2020, or a small GPU, gets through. */
const CAUTIOUS = { cpu: 5e9, cuda: 5e11 } as const

/**
 * Multiply-adds of a whole run: items × epochs × operations of the plan, with checks and folds. Of a prediction `items`
 * may be a fraction: a picture that is larger than the plan's counts for more than one.
 */
export function workOf({ kind, task, items, hyper, validation, macs }: Sized): number {
  const parts = partsOf(validation)
  if (kind !== 'train') return items * macs
  const learned = parts.train * (1 - VALIDATION) * (effort[task].draws ?? 1) * hyper.epochs * PASSES
  const checked = parts.train * VALIDATION * Math.ceil(hyper.epochs / hyper.validationInterval)
  // In k-fold each fold also looks at its test side.
  const tested = validation.method === 'kfold' ? parts.test : 0
  return parts.folds * (learned + checked + tested) * items * macs
}

/** Items that a test on the data of its training looks at. */
export const heldOut = (items: number, validation: Validation): number =>
  Math.max(1, Math.round(items * partsOf(validation).test))

/** Seconds for so much work, by the like of it: runs of the same network, else of the task, else any. */
export function forecast(
  run: Computed & { work: number },
  { device, measured }: { device: { kind: 'cpu' | 'cuda'; threads: number }; measured: readonly Measured[] },
): Forecast {
  const known = measured.filter(({ work }) => work > 0)
  const ofKind = known.filter(({ kind }) => kind === run.kind)
  const ofTask = ofKind.filter(({ task }) => task === run.task)
  const ofNetwork = ofTask.filter(({ network }) => network === run.network)
  // A test sends images through the network as a prediction does, and measures something besides.
  const tests = known.filter(({ kind, network }) => kind === 'test' && network === run.network)
  const passes = run.kind === 'predict' ? tests : []
  const [like] = [ofNetwork, ofTask, passes, ofKind].filter((some) => some.length > 0)
  const rate = like
    ? median(like.map(rateOf))
    : CAUTIOUS[device.kind] * (device.kind === 'cpu' ? device.threads : 1)
  return { seconds: AROUND_SECONDS + run.work / rate, isSure: ofNetwork.length > 0 }
}

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

/** Of the steps alone; runs shorter than what stands around them tell little, but not nothing. */
const rateOf = ({ work, seconds }: Measured): number =>
  work / Math.max(seconds - AROUND_SECONDS, seconds / 4, 0.1)

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 1
}

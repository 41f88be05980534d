/** What a person reads off the curves: where the best epoch is, whether the network overfits, and how high an axis is. */
import { metricKind } from '@neuroloom/contract/metric'
import type { CurvePoint } from '../apply-event.ts'

type Values = Record<string, number | null>

/** Of one fold: the epoch whose figures the run is judged by, else the one with the best score; null before any. */
export function bestEpochOf(
  curves: readonly CurvePoint[],
  { fold, metric, metrics }: { fold: number; metric: string; metrics: Values },
): number | null {
  const checks = curves.filter((point) => point.fold === fold && point.split === 'validation')
  const judged = checks.find(({ values }) => isSame(values, metrics))
  if (judged) return judged.epoch
  const scored = checks.filter(({ values }) => typeof values[metric] === 'number')
  const best = scored.toSorted((a, b) => (b.values[metric] ?? 0) - (a.values[metric] ?? 0))[0]
  return best?.epoch ?? null
}

function isSame(values: Values, metrics: Values): boolean {
  const names = Object.keys(values)
  return names.length > 1 && names.every((name) => name in metrics && metrics[name] === values[name])
}

/** Fewer checks tell nothing. */
const LEAST_CHECKS = 6
/** So many checks in a row after the lowest, or this share of all, must lie higher. */
const LEAST_AFTER = 3
const SHARE_AFTER = 0.15
/** Less above the lowest is noise. */
const CLIMB = 1.1

/**
 * The epoch since which the loss of validation climbs away while that of training still falls; null while it does not.
 * Each value counts as the middle one of itself and its neighbours, so that a single jump says nothing. Pure.
 */
export function overfitSince(curves: readonly CurvePoint[], fold: number): number | null {
  const checks = lossesOf(curves, fold, 'validation')
  if (checks.length < LEAST_CHECKS) return null
  const smooth = checks.map((_, index) => middleOf(checks.slice(Math.max(0, index - 1), index + 2)))
  const isLower = (one: number, other: number): boolean => {
    const difference = (smooth[one] ?? 0) - (smooth[other] ?? 0)
    return difference < 0 || (difference === 0 && (checks[one]?.loss ?? 0) < (checks[other]?.loss ?? 0))
  }
  const lowest = checks.reduce((best, _, index) => (isLower(index, best) ? index : best), 0)
  const after = smooth.slice(lowest + 1)
  if (after.length < Math.max(LEAST_AFTER, Math.ceil(checks.length * SHARE_AFTER))) return null
  const last = after.slice(-LEAST_AFTER)
  const tail = last.reduce((sum, value) => sum + value, 0) / last.length
  if (tail <= (smooth[lowest] ?? 0) * CLIMB) return null
  const since = checks[lowest]?.epoch ?? 0
  return stillFalls(curves, fold, since) ? since : null
}

type Loss = { epoch: number; loss: number }

function lossesOf(curves: readonly CurvePoint[], fold: number, split: CurvePoint['split']): Loss[] {
  return curves
    .filter((point) => point.fold === fold && point.split === split)
    .flatMap(({ epoch, values: { loss } }) => (typeof loss === 'number' ? [{ epoch, loss }] : []))
    .toSorted((a, b) => a.epoch - b.epoch)
}

function middleOf(losses: readonly Loss[]): number {
  const sorted = losses.map(({ loss }) => loss).toSorted((a, b) => a - b)
  // Of two the lower one: at an end nothing is known of the other neighbour.
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}

function stillFalls(curves: readonly CurvePoint[], fold: number, since: number): boolean {
  const training = lossesOf(curves, fold, 'train')
  const then = training.findLast(({ epoch }) => epoch <= since)
  const now = training.at(-1)
  return then !== undefined && now !== undefined && now.loss < then.loss
}

/** What the upright axis spans at least, so that noise does not look like a crash. */
const LEAST_SPAN = { percent: 0.1, number: 0.1, decibels: 2, count: 1 } as const
/** Of a loss, which has no scale of its own: a share of its highest value. */
const LOSS_SPAN = 0.3
/** Above the highest and below the lowest value. */
const AIR = 0.06

/** From where to where the upright axis goes. Pure. */
export function axisRange(name: string, low: number, high: number): [number, number] {
  if (name === 'learningRate') return [0, high * (1 + AIR)]
  const kind = metricKind(name)
  const isLoss = name === 'loss'
  const least = isLoss ? high * LOSS_SPAN : LEAST_SPAN[kind]
  const span = Math.max(high - low, least, Number.MIN_VALUE)
  const middle = (high + low) / 2
  const bottom = middle - span / 2 - span * AIR
  const top = middle + span / 2 + span * AIR
  const isShare = !isLoss && (kind === 'percent' || kind === 'number')
  const floor = low >= 0 ? Math.max(0, bottom) : bottom
  return isShare && high <= 1 ? [floor, Math.min(1, top)] : [floor, top]
}

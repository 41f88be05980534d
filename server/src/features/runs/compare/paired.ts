/**
 * Differences of two tests on the same images: resampled by whole groups, so that the images of one patient stay
 * together. Knows neither database nor pages.
 */

import { comparison } from '@neuroloom/contract/limits'
import { pairedDifference } from '@neuroloom/contract/statistics/mcnemar'
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { makeBreath } from '../../../infra/aside/slices.ts'
import { quantile } from '../../../infra/quantile.ts'
import type { Measure, Tally } from './tallies.ts'

export type Interval = [number, number] | null
export type Paired = {
  measure: Pick<Measure, 'metric' | 'class'>
  first: number | null
  other: number | null
  value: number | null
  /** Independent cases that it stands on; of a mean over classes those of the rarest class. */
  cases: number
  interval: Interval
}

/** Of one image: what it adds to the sums that all measures are made of. */
export type Sums = readonly number[]
/** One image in both tests. */
export type PairedItem = { group: string; first: Sums; other: Sums }

/**
 * Each measure of both tests, the second less the first, and 95 % of that. Shares of images have Newcombe's interval for
 * paired shares; other measures the percentile bootstrap over groups (Efron and Tibshirani 1993, chapter 13), in which
 * both tests are measured on the same draw. Null where a measure stands on too few groups, where it is undefined in more
 * than a tenth of the draws, and where all draws agree: those say nothing of other cases.
 */
export async function pairedDifferences(
  tally: Tally,
  items: readonly PairedItem[],
  resamples: number,
): Promise<Paired[]> {
  const groups = groupSums(tally.size, items)
  const whole = { first: total(groups, tally.size, 0), other: total(groups, tally.size, tally.size) }
  const drawn = resamples > 0 ? await draw(tally, groups, resamples) : null
  const breathe = makeBreath()
  const found: Paired[] = []
  for (const [index, measure] of tally.measures.entries()) {
    const first = known(measure.value(whole.first))
    const other = known(measure.value(whole.other))
    const value = first === null || other === null ? null : other - first
    const cases = casesOf(measure, groups, tally.size)
    const isEnough = cases >= comparison.fewestGroups
    found.push({
      ...{ measure, first, other, value, cases },
      interval: drawn && isEnough ? intervalOf(measure, items, drawn[index] ?? []) : null,
    })
    await breathe()
  }
  return found
}

const intervalOf = ({ share }: Measure, items: readonly PairedItem[], drawn: readonly number[]): Interval =>
  share ? shareInterval(share, items) : middle(drawn)

/** Groups that both tests measured; of a mean over classes that occur those of the rarest one. */
function casesOf({ cases }: Measure, groups: readonly Float64Array[], size: number): number {
  const counts = cases.map(
    (sum) => groups.filter((row) => (row[sum] ?? 0) > 0 && (row[size + sum] ?? 0) > 0).length,
  )
  return counts.filter((count) => count > 0).reduce((least, count) => Math.min(least, count), groups.length)
}

/**
 * Of the share in the other test less that in the first. Images of one patient resemble each other, so it counts as many
 * independent images as would vary as much between patients (design effect: Kish 1965).
 */
function shareInterval(
  { part, whole }: NonNullable<Measure['share']>,
  items: readonly PairedItem[],
): Interval {
  const counted = items.flatMap(({ group, first, other }) =>
    (first[whole] ?? 0) > 0 ? [{ group, first: first[part] ?? 0, other: other[part] ?? 0 }] : [],
  )
  const effect = Math.max(
    designEffect(counted.map(({ group, first }) => ({ group, value: first }))),
    designEffect(counted.map(({ group, other }) => ({ group, value: other }))),
    designEffect(counted.map(({ group, first, other }) => ({ group, value: other - first }))),
  )
  const count = (first: number, other: number): number =>
    counted.filter((one) => one.first === first && one.other === other).length / effect
  const pairs = { both: count(1, 1), first: count(0, 1), second: count(1, 0), neither: count(0, 0) }
  const { low, high } = pairedDifference(pairs)
  return [low, high]
}

/** How much more a mean varies between groups than between single values; of equal values their number in a group. */
function designEffect(values: readonly { group: string; value: number }[]): number {
  const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length
  const groups = new Map<string, number>()
  for (const { group, value } of values) groups.set(group, (groups.get(group) ?? 0) + value - mean)
  const single = values.reduce((sum, { value }) => sum + (value - mean) ** 2, 0)
  if (single < 1e-9) return values.length / groups.size
  const grouped = [...groups.values()].reduce((sum, rest) => sum + rest ** 2, 0)
  return Math.max(1, grouped / single)
}

/** Numbers touched in a draw for one box: counted, compared backwards, read. */
const STEPS_PER_BOX = 4

/** 0 for too few groups. `boxes` are those of both tests, which each draw goes through. */
export function resamplesFor(tally: Tally, groups: number, boxes = 0): number {
  if (groups < comparison.fewestGroups) return 0
  const affordable = Math.floor(comparison.work / (groups * tally.size * 2 + boxes * STEPS_PER_BOX))
  return Math.min(comparison.resamples, Math.max(comparison.leastResamples, affordable))
}

/** One row a group: the sums of the first test, then those of the other. */
function groupSums(size: number, items: readonly PairedItem[]): Float64Array[] {
  const groups = new Map<string, Float64Array>()
  for (const { group, first, other } of items) {
    const row = groups.get(group) ?? new Float64Array(size * 2)
    groups.set(group, row)
    for (let index = 0; index < size; index += 1) {
      row[index] = (row[index] ?? 0) + (first[index] ?? 0)
      row[size + index] = (row[size + index] ?? 0) + (other[index] ?? 0)
    }
  }
  return [...groups.values()]
}

const total = (groups: readonly Float64Array[], size: number, from: number): number[] =>
  Array.from({ length: size }, (_, index) => groups.reduce((sum, row) => sum + (row[from + index] ?? 0), 0))

/** By measure: the difference in each draw. */
async function draw(tally: Tally, groups: readonly Float64Array[], resamples: number): Promise<number[][]> {
  const { size } = tally
  const values: number[][] = tally.measures.map(() => [])
  await drawGroups(groups.length, resamples, (picks) => {
    const sums = new Float64Array(size * 2)
    for (const pick of picks) {
      const row = groups[pick]
      if (row)
        for (let index = 0; index < sums.length; index += 1)
          sums[index] = (sums[index] ?? 0) + (row[index] ?? 0)
    }
    const first = sums.subarray(0, size)
    const other = sums.subarray(size)
    tally.measures.forEach((measure, index) => {
      values[index]?.push(measure.value(other) - measure.value(first))
    })
  })
  return values
}

/** As many of the groups as there are, with replacement, so many times; the same draws every time. Gives way to others. */
export async function drawGroups(
  groups: number,
  resamples: number,
  visit: (picks: Int32Array) => void,
): Promise<void> {
  const random = mulberry32(comparison.seed)
  const picks = new Int32Array(groups)
  const breathe = makeBreath()
  for (let drawn = 0; drawn < resamples; drawn += 1) {
    for (let pick = 0; pick < groups; pick += 1) picks[pick] = Math.floor(random() * groups)
    visit(picks)
    await breathe()
  }
}

/** Ends that are nearer to each other differ by the rounding of sums alone. */
const NO_WIDTH = 1e-9

/** The middle 95 %, between neighbours in proportion, as the engine's figures. Null where it has no width. */
export function middle(values: readonly number[]): Interval {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  if (sorted.length < 0.9 * values.length) return null
  const [low, high] = [quantile(sorted, 0.025), quantile(sorted, 0.975)]
  return high - low < NO_WIDTH ? null : [low, high]
}

export const known = (value: number): number | null => (Number.isFinite(value) ? value : null)

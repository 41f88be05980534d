/**
 * Differences of two tests on the same images: resampled by whole groups, so that the images of one patient stay
 * together. Knows neither database nor pages.
 */

import { comparison } from '@neuroloom/contract/limits'
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
  interval: Interval
}

/** Of one image: what it adds to the sums that all measures are made of. */
export type Sums = readonly number[]
/** One image in both tests. */
export type PairedItem = { group: string; first: Sums; other: Sums }

/**
 * Each measure of both tests, the second less the first, and 95 % of that by the percentile bootstrap over groups
 * (Efron and Tibshirani 1993, chapter 13): both tests are measured on the same draw. Null where there are too few
 * groups, or where a measure is undefined in more than a tenth of the draws.
 */
export async function pairedDifferences(
  tally: Tally,
  items: readonly PairedItem[],
  resamples: number,
): Promise<Paired[]> {
  const groups = groupSums(tally.size, items)
  const whole = { first: total(groups, tally.size, 0), other: total(groups, tally.size, tally.size) }
  const drawn = resamples > 0 ? await draw(tally, groups, resamples) : null
  return tally.measures.map((measure, index) => {
    const first = known(measure.value(whole.first))
    const other = known(measure.value(whole.other))
    const value = first === null || other === null ? null : other - first
    return { measure, first, other, value, interval: drawn && middle(drawn[index] ?? []) }
  })
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

/** The middle 95 %, between neighbours in proportion, as the engine's figures. */
export function middle(values: readonly number[]): Interval {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  if (sorted.length < 0.9 * values.length) return null
  return [quantile(sorted, 0.025), quantile(sorted, 0.975)]
}

export const known = (value: number): number | null => (Number.isFinite(value) ? value : null)

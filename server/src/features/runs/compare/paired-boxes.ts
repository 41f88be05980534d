/**
 * Differences in average precision of two detectors on the same images.
 *
 * Paired percentile bootstrap over whole groups (Efron and Tibshirani 1993, chapter 13): in each draw groups are drawn
 * with replacement, the same ones for both tests, and mAP@50 of both is computed anew from all boxes of the drawn
 * images. Whether a found box hits depends on its own image alone, so matching is done once, and a draw only counts each
 * image as often as it was drawn. Average precision is COCO's (Lin et al. 2014): mean over 101 recalls of the best
 * precision at that recall or a higher one, classes that do not occur left out, at most the 100 surest boxes of an image.
 * The numbers are drawn by mulberry32 from `comparison.seed`, so that the same tests give the same range.
 */
import { comparison } from '@neuroloom/contract/limits'
import { type Boxes, hitsOf } from './boxes-match.ts'
import { drawGroups, known, middle, type Paired } from './paired.ts'

/** One image in both tests. */
export type PairedBoxes = { group: string; first: Boxes; other: Boxes }

/** Recalls 0, 0.01 … 1 at which precision is read. */
const RECALLS = 101

/** mAP@50 first, then AP@50 of each class: of both tests, the second less the first, and 95 % of that. */
export async function boxDifferences(
  classes: readonly string[],
  items: readonly PairedBoxes[],
  resamples: number,
): Promise<Paired[]> {
  const numberOf = new Map(
    [...new Set(items.map(({ group }) => group))].map((group, index) => [group, index]),
  )
  const groupOf = items.map(({ group }) => numberOf.get(group) ?? 0)
  const sides = (['first', 'other'] as const).map((side) =>
    sideOf(
      classes.length,
      items.map((item, index) => ({ group: groupOf[index] ?? 0, boxes: item[side] })),
      numberOf.size,
    ),
  )
  const [first, other] = sides.map((side) => figuresOf(side, new Float64Array(numberOf.size).fill(1)))
  const values: number[][] = Array.from({ length: classes.length + 1 }, () => [])
  await drawGroups(numberOf.size, resamples, (picks) => {
    const weights = new Float64Array(numberOf.size)
    for (const pick of picks) weights[pick] = (weights[pick] ?? 0) + 1
    const [one = [], two = []] = sides.map((side) => figuresOf(side, weights))
    values.forEach((drawn, index) => {
      drawn.push((two[index] ?? Number.NaN) - (one[index] ?? Number.NaN))
    })
  })
  const each = classes.map((_, index) => casesOf(index, items))
  const occurring = each.filter((count) => count > 0)
  return [null, ...classes].map((name, index) => {
    const cases = index === 0 ? Math.min(numberOf.size, ...occurring) : (each[index - 1] ?? 0)
    const isEnough = resamples > 0 && cases >= comparison.fewestGroups
    const [before, after] = [first?.[index] ?? Number.NaN, other?.[index] ?? Number.NaN]
    return {
      measure: { metric: name === null ? 'map50' : 'ap50', class: name },
      ...{ first: known(before), other: known(after), value: known(after - before) },
      cases,
      interval: isEnough ? middle(values[index] ?? []) : null,
    }
  })
}

/** Groups with a true box of the class: those without tell nothing of how much of it is found. */
const casesOf = (index: number, items: readonly PairedBoxes[]): number =>
  new Set(
    items.flatMap(({ group, first }) => (first.truth.some((box) => box.class === index) ? [group] : [])),
  ).size

/** Boxes of one class in one test, surest first; equal ones in the order of images. */
type Curve = {
  group: Int32Array
  hit: Uint8Array
  truth: Float64Array
  right: Float64Array
  best: Float64Array
}

function sideOf(
  classes: number,
  images: readonly { group: number; boxes: Boxes }[],
  groups: number,
): Curve[] {
  const found = Array.from({ length: classes }, (): { group: number; score: number; hit: boolean }[] => [])
  const truth = Array.from({ length: classes }, () => new Float64Array(groups))
  for (const { group, boxes } of images) {
    for (const box of boxes.truth) {
      const counts = truth[box.class]
      if (counts) counts[group] = (counts[group] ?? 0) + 1
    }
    const hits = hitsOf(boxes)
    boxes.found.forEach((box, index) => {
      found[box.class]?.push({ group, score: box.score, hit: hits[index] ?? false })
    })
  }
  return found.map((all, index) => {
    all.sort((one, two) => two.score - one.score)
    // Behind the last hit no precision is read any more, whatever is drawn.
    const boxes = all.slice(0, all.findLastIndex(({ hit }) => hit) + 1)
    return {
      group: Int32Array.from(boxes, ({ group }) => group),
      hit: Uint8Array.from(boxes, ({ hit }) => Number(hit)),
      truth: truth[index] ?? new Float64Array(groups),
      // Room that every draw uses anew.
      right: new Float64Array(boxes.length),
      best: new Float64Array(boxes.length),
    }
  })
}

/** mAP@50 and each class's AP@50 with every group counted so often; not a number where nothing is there to be found. */
function figuresOf(side: readonly Curve[], weights: Float64Array): number[] {
  const each = side.map((curve) => precisionOf(curve, weights))
  const occurring = each.filter(Number.isFinite)
  return [occurring.reduce((sum, value) => sum + value, 0) / occurring.length, ...each]
}

function precisionOf({ group, hit, truth, right, best }: Curve, weights: Float64Array): number {
  let positives = 0
  for (let index = 0; index < truth.length; index += 1) {
    positives += (truth[index] ?? 0) * (weights[index] ?? 0)
  }
  if (positives === 0) return Number.NaN
  let rights = 0
  let named = 0
  for (let index = 0; index < group.length; index += 1) {
    const weight = weights[group[index] ?? 0] ?? 0
    named += weight
    rights += weight * (hit[index] ?? 0)
    right[index] = rights
    best[index] = rights / Math.max(1, named)
  }
  for (let index = group.length - 2; index >= 0; index -= 1) {
    best[index] = Math.max(best[index] ?? 0, best[index + 1] ?? 0)
  }
  return meanPrecision(right, best, positives)
}

/** Whole numbers are compared, since as a quotient a recall of 0.29 is not always the same number. */
function meanPrecision(right: Float64Array, best: Float64Array, positives: number): number {
  let sum = 0
  let place = 0
  for (let recall = 0; recall < RECALLS; recall += 1) {
    while (place < right.length && (right[place] ?? 0) * (RECALLS - 1) < recall * positives) place += 1
    if (place === right.length) break
    sum += best[place] ?? 0
  }
  return sum / RECALLS
}

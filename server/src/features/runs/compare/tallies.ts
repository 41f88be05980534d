/**
 * What each task's figures are made of, so that they can be measured anew on any choice of images: every image adds to
 * a few sums, and each figure is a function of the sums. More is better in all of them.
 */
import type { ItemResult } from '@neuroloom/contract/engine'
import { namedClass, namedLabels } from '@neuroloom/contract/named'
import type { Task } from '@neuroloom/contract/task'

export type Measure = {
  metric: string
  /** Null: over all images. */
  class: string | null
  /** Undefined is not a number. */
  value(sums: ArrayLike<number>): number
  /** The sums that count its cases: of a mean over classes those of each class, the rarest of which decides. */
  cases: number[]
  /** Of a share of images: the sums of those that count and of all, each 0 or 1 in an image. */
  share?: { part: number; whole: number }
}
export type Tally = {
  /** How many sums there are. */
  size: number
  of(item: ItemResult): number[]
  /** The main one first. */
  measures: Measure[]
}

/** The figure of single images that stands for the task's main one. */
export const itemMetric = {
  classification: 'accuracy',
  multilabel: 'f1',
  segmentation: 'dice',
  volume_segmentation: 'dice',
  detection: 'itemF1',
  super_resolution: 'psnr',
  denoising: 'psnr',
} as const satisfies Record<Task, string>

/** Of one image; null where it has none. */
export const itemValue = (task: Task, item: ItemResult): number | null =>
  task === 'classification' ? Number(isRight(item)) : item.score

export const isRight = (item: ItemResult): boolean => item.truth !== null && namedClass(item) === item.truth

export function tallyOf(task: Task, classes: readonly string[]): Tally {
  switch (task) {
    case 'classification':
      return namedTally(classes)
    case 'multilabel':
      return labelTally(classes)
    case 'segmentation':
    case 'volume_segmentation':
      return meanTally([
        { metric: 'dice', class: null, of: ({ score }) => score },
        ...classes.slice(1).map((name) => ({
          metric: 'dice',
          class: name,
          of: ({ values }: ItemResult) => values[name] ?? null,
        })),
      ])
    case 'detection':
      // Average precision is no sum over images: `paired-boxes.ts` measures it.
      return meanTally([{ metric: 'itemF1', class: null, of: ({ score }) => score }])
    case 'super_resolution':
    case 'denoising':
      return meanTally([
        { metric: 'psnr', class: null, of: ({ score }) => score },
        { metric: 'ssim', class: null, of: ({ values }) => values.ssim ?? null },
      ])
  }
}

type Mean = { metric: string; class: string | null; of: (item: ItemResult) => number | null }

/** Means over the images that have a value. */
function meanTally(means: readonly Mean[]): Tally {
  return {
    size: means.length * 2,
    of: (item) => means.flatMap(({ of }) => filled(of(item))),
    measures: means.map(({ metric, class: name }, index) => ({
      metric,
      class: name,
      value: (sums) => at(sums, index * 2) / at(sums, index * 2 + 1),
      cases: [index * 2 + 1],
    })),
  }
}

const filled = (value: number | null): [number, number] => (value === null ? [0, 0] : [value, 1])
const at = (sums: ArrayLike<number>, index: number): number => sums[index] ?? 0

/** Images and right ones, then of each class: how often it is true, named, and both. */
function namedTally(classes: readonly string[]): Tally {
  const recall = (sums: ArrayLike<number>, index: number) => hits(sums, index) / support(sums, index)
  return {
    size: HEAD + classes.length * PER_CLASS,
    of: (item) => {
      const sums = [1, Number(isRight(item)), ...classes.flatMap(() => [0, 0, 0])]
      const named = namedClass(item)
      add(sums, item.truth, named)
      return sums
    },
    measures: [
      shareOf('accuracy', null, { part: 1, whole: 0 }),
      overClasses('balancedAccuracy', classes, recall),
      overClasses('macroF1', classes, f1),
      ...classes.flatMap((name, index): Measure[] => [
        shareOf('recall', name, { part: hitsAt(index), whole: supportAt(index) }),
        { metric: 'f1', class: name, value: (sums) => f1(sums, index), cases: [supportAt(index)] },
      ]),
    ],
  }
}

const HEAD = 2
const PER_CLASS = 3
const supportAt = (index: number) => HEAD + index * PER_CLASS
const hitsAt = (index: number) => supportAt(index) + 2
const support = (sums: ArrayLike<number>, index: number) => at(sums, supportAt(index))
const namedTimes = (sums: ArrayLike<number>, index: number) => at(sums, supportAt(index) + 1)
const hits = (sums: ArrayLike<number>, index: number) => at(sums, hitsAt(index))

const shareOf = (metric: string, name: string | null, share: NonNullable<Measure['share']>): Measure => ({
  ...{ metric, class: name, share },
  value: (sums) => at(sums, share.part) / at(sums, share.whole),
  cases: [share.whole],
})

function add(sums: number[], truth: number | null, named: number): void {
  if (truth !== null) sums[HEAD + truth * PER_CLASS] = 1
  sums[HEAD + named * PER_CLASS + 1] = 1
  if (truth === named) sums[HEAD + named * PER_CLASS + 2] = 1
}

/** Undefined where the class does not occur, as in the engine's scores. */
const f1 = (sums: ArrayLike<number>, index: number): number =>
  support(sums, index) > 0
    ? (2 * hits(sums, index)) / (support(sums, index) + namedTimes(sums, index))
    : Number.NaN

/** The mean over the classes that occur. */
function overClasses(
  metric: string,
  classes: readonly string[],
  of: (sums: ArrayLike<number>, index: number) => number,
): Measure {
  return {
    metric,
    class: null,
    value: (sums) => {
      const values = classes.map((_, index) => of(sums, index)).filter(Number.isFinite)
      return values.reduce((sum, value) => sum + value, 0) / values.length
    },
    cases: classes.map((_, index) => supportAt(index)),
  }
}

/** Images and those whose labels are all right, then of each label: how often it is true, named, and both. */
function labelTally(classes: readonly string[]): Tally {
  return {
    size: HEAD + classes.length * PER_CLASS,
    of: (item) => {
      const named = namedLabels(item)
      const each = classes.map((_, index) => {
        const isTrue = item.labels?.includes(index) ?? false
        const isNamed = named.includes(index)
        return [Number(isTrue), Number(isNamed), Number(isTrue && isNamed)] as const
      })
      const isExact = each.every(([isTrue, isNamed]) => isTrue === isNamed)
      return [1, Number(isExact), ...each.flat()]
    },
    measures: [
      overClasses('macroF1', classes, f1),
      shareOf('exactMatch', null, { part: 1, whole: 0 }),
      ...classes.map(
        (name, index): Measure => ({
          metric: 'f1',
          class: name,
          value: (sums) => f1(sums, index),
          cases: [supportAt(index)],
        }),
      ),
    ],
  }
}

/**
 * Whether the size, the brightness or the kind of file alone tells the class: told by a classifier of one number that is
 * always asked about patients it did not learn from, and only where chance would hardly do as well.
 */
import type { DataFacts } from '@neuroloom/contract/datasets'
import type { Assembled, Look } from './recognise/shapes.ts'

type Giveaway = NonNullable<DataFacts['giveaway']>[number]
/** What is known of one picture beside what it shows; `group`: its patient. */
export type Told = {
  class: number
  group: string
  width: number
  height: number
  mean: number
  format: string
}

/** So many times more often right than naming the largest class. */
const CLEARLY = 1.3
const FOLDS = 5
const BINS = 10
/** In a hundred sets of noise at most one is named; five readings are tried. */
const CHANCE_OF_NOISE = 0.01 / 5

/** The facts with what was found; as they were where items have no class, or nothing gives it away. */
export function withGiveaways(
  { items, facts }: Pick<Assembled, 'items' | 'facts'>,
  check: Look['check'],
): DataFacts | null {
  const giveaway = giveawaysOf(
    items.flatMap(({ image, class: index, kin, patient }): Told[] => {
      const { facts: file } = check(image)
      if (file === null || index === null) return []
      const { width, height, mean, format } = file
      return [{ class: index, group: kin ?? patient ?? image, width, height, mean, format }]
    }),
  )
  return facts && giveaway.length > 0 ? { ...facts, giveaway } : facts
}

export function giveawaysOf(told: readonly Told[]): Giveaway[] {
  const counts = new Map<number, number>()
  for (const one of told) counts.set(one.class, (counts.get(one.class) ?? 0) + 1)
  if (counts.size < 2) return []
  const chance = Math.max(...counts.values()) / told.length
  const readings: Record<Giveaway['by'], Reading[]> = {
    size: [
      asItIs(({ width, height }) => `${width} × ${height}`),
      inBins(({ width, height }) => width * height),
      inBins(({ width, height }) => width / height),
    ],
    brightness: [inBins(({ mean }) => mean)],
    format: [asItIs(({ format }) => format)],
  }
  const folds = foldsOf(told)
  const groups = new Set(told.map(({ group }) => group)).size
  return (['size', 'brightness', 'format'] as const).flatMap((by): Giveaway[] => {
    const accuracy = Math.max(...readings[by].map((reading) => accuracyOf(told, folds, reading)))
    const isClear =
      accuracy > CLEARLY * chance && atLeast(accuracy * groups, groups, chance) < CHANCE_OF_NOISE
    return isClear ? [{ by, accuracy, chance }] : []
  })
}

/** Learns from some what a value is called, and calls others by it. */
type Reading = (learned: readonly Told[]) => (one: Told) => string

const asItIs =
  (value: (one: Told) => string): Reading =>
  () =>
    value

/** Of the values learned from, each bin holds equally many. */
const inBins =
  (value: (one: Told) => number): Reading =>
  (learned) => {
    const sorted = learned.map(value).sort((one, other) => one - other)
    // Bins of fewer than three say nothing of others.
    const bins = Math.max(2, Math.min(BINS, Math.floor(sorted.length / 3)))
    const edges = Array.from({ length: bins - 1 }, (_, index) => {
      const at = Math.round(((index + 1) * sorted.length) / bins)
      return ((sorted[at - 1] ?? 0) + (sorted[at] ?? 0)) / 2
    })
    return (one) => String(edges.filter((edge) => value(one) > edge).length)
  }

/** Patients in turn, so that classes that follow each other are spread; each with all of its pictures. */
function foldsOf(told: readonly Told[]): number[] {
  const folds = new Map<string, number>()
  const sorted = [...told].sort((one, other) => one.class - other.class)
  for (const { group } of sorted) if (!folds.has(group)) folds.set(group, folds.size % FOLDS)
  return told.map(({ group }) => folds.get(group) ?? 0)
}

function accuracyOf(told: readonly Told[], folds: readonly number[], reading: Reading): number {
  let right = 0
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const learned = told.filter((_, index) => folds[index] !== fold)
    const call = reading(learned)
    const byValue = new Map<string, number[]>()
    for (const one of learned) {
      const value = call(one)
      const classes = byValue.get(value)
      if (classes) classes.push(one.class)
      else byValue.set(value, [one.class])
    }
    const known = new Map([...byValue].map(([value, classes]) => [value, commonestOf(classes)]))
    const usual = commonestOf(learned.map((one) => one.class))
    const asked = told.filter((_, index) => folds[index] === fold)
    right += asked.filter((one) => (known.get(call(one)) ?? usual) === one.class).length
  }
  return right / told.length
}

function commonestOf(classes: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const one of classes) counts.set(one, (counts.get(one) ?? 0) + 1)
  const [first] = [...counts].sort(([, one], [, other]) => other - one)
  return first?.[0] ?? 0
}

/** How likely so many or more of `count` independent cases are right by chance (binomial). */
function atLeast(right: number, count: number, chance: number): number {
  let [logarithm, sum] = [count * Math.log(1 - chance), 0]
  for (let hits = 0; hits <= count; hits += 1) {
    if (hits >= Math.floor(right)) sum += Math.exp(logarithm)
    logarithm += Math.log(count - hits) - Math.log(hits + 1) + Math.log(chance / (1 - chance))
  }
  return sum
}

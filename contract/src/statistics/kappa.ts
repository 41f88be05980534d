/** Agreement of readers in categories, beyond what chance gives: Cohen's kappa of two, Fleiss' of several. */
import { type Estimate, z95 } from './interval.ts'

/** What counts as how much agreement: the same alone, or the nearer the more; for categories in an order. */
export const kappaWeights = ['none', 'linear', 'quadratic'] as const
export type KappaWeights = (typeof kappaWeights)[number]

export type Kappa = {
  subjects: number
  readers: number
  categories: readonly string[]
  /** Share of agreement, and what chance would give. */
  observed: number
  expected: number
  kappa: Estimate
}

/**
 * Two readers; interval by the large-sample error of Fleiss, Cohen & Everitt 1969, Psychol Bull 72:323. `categories` in
 * their order. Null where there is nobody, or both always say one and the same.
 */
export function cohenKappa(
  pairs: readonly (readonly [string, string])[],
  { categories, weights }: { categories: readonly string[]; weights: KappaWeights },
): Kappa | null {
  const total = pairs.length
  const size = categories.length
  if (total === 0 || size < 2) return null
  const share = sharesOf(pairs, categories)
  const rows = share.map((row) => sum(row))
  const columns = categories.map((_, j) => sum(share.map((row) => row[j] ?? 0)))
  const weight = (i: number, j: number): number => weightOf(i, j, { size, weights })
  const over = (of: (i: number, j: number) => number): number =>
    sum(categories.map((_, i) => sum(categories.map((__, j) => of(i, j)))))
  const cell = (i: number, j: number): number => share[i]?.[j] ?? 0
  const chance = (i: number, j: number): number => (rows[i] ?? 0) * (columns[j] ?? 0)
  const observed = over((i, j) => weight(i, j) * cell(i, j))
  const expected = over((i, j) => weight(i, j) * chance(i, j))
  if (expected >= 1) return null
  const value = (observed - expected) / (1 - expected)
  const ofRow = categories.map((_, i) => sum(categories.map((__, j) => (columns[j] ?? 0) * weight(i, j))))
  const ofColumn = categories.map((_, j) => sum(categories.map((__, i) => (rows[i] ?? 0) * weight(i, j))))
  const spread = over(
    (i, j) => cell(i, j) * (weight(i, j) - ((ofRow[i] ?? 0) + (ofColumn[j] ?? 0)) * (1 - value)) ** 2,
  )
  const variance = (spread - (value - expected * (1 - value)) ** 2) / (total * (1 - expected) ** 2)
  return { subjects: total, readers: 2, categories, observed, expected, kappa: around(value, variance) }
}

/**
 * Several readers, each subject read by all; interval by the jackknife over subjects (Efron & Stein 1981, Ann Stat 9:586),
 * because the usual error holds where kappa is 0 alone. Null where there are fewer than two subjects, or all say one and the
 * same.
 */
export function fleissKappa(
  subjects: readonly (readonly string[])[],
  categories: readonly string[],
): Kappa | null {
  const readers = subjects[0]?.length ?? 0
  if (subjects.length < 2 || readers < 2) return null
  const counts = subjects.map((said) => categories.map((one) => said.filter((other) => other === one).length))
  const whole = fleissOf(counts, readers)
  if (whole === null) return null
  const totals = categories.map((_, j) => sum(counts.map((row) => row[j] ?? 0)))
  const agreed = counts.map((row) => agreementOf(row, readers))
  const allAgreed = sum(agreed)
  const left = counts.map((row, k) => {
    const rest = subjects.length - 1
    const shares = totals.map((total, j) => (total - (row[j] ?? 0)) / (rest * readers))
    return kappaFrom((allAgreed - (agreed[k] ?? 0)) / rest, sum(shares.map((one) => one * one)))
  })
  const mean = sum(left) / left.length
  const variance = ((left.length - 1) / left.length) * sum(left.map((one) => (one - mean) ** 2))
  return {
    subjects: subjects.length,
    readers,
    categories,
    observed: whole.observed,
    expected: whole.expected,
    kappa: around(whole.kappa, variance),
  }
}

/** Fleiss 1971, Psychol Bull 76:378. */
function fleissOf(
  counts: readonly (readonly number[])[],
  readers: number,
): { observed: number; expected: number; kappa: number } | null {
  const observed = sum(counts.map((row) => agreementOf(row, readers))) / counts.length
  const size = counts[0]?.length ?? 0
  const shares = Array.from(
    { length: size },
    (_, j) => sum(counts.map((row) => row[j] ?? 0)) / (counts.length * readers),
  )
  const expected = sum(shares.map((one) => one * one))
  if (expected >= 1) return null
  return { observed, expected, kappa: kappaFrom(observed, expected) }
}

const kappaFrom = (observed: number, expected: number): number =>
  expected >= 1 ? 1 : (observed - expected) / (1 - expected)

const agreementOf = (row: readonly number[], readers: number): number =>
  (sum(row.map((count) => count * count)) - readers) / (readers * (readers - 1))

/** Cicchetti & Allison 1971 (linear); Fleiss & Cohen 1973 (quadratic). */
function weightOf(i: number, j: number, { size, weights }: { size: number; weights: KappaWeights }): number {
  if (weights === 'none') return i === j ? 1 : 0
  const apart = Math.abs(i - j) / (size - 1)
  return 1 - (weights === 'linear' ? apart : apart * apart)
}

function sharesOf(pairs: readonly (readonly [string, string])[], categories: readonly string[]): number[][] {
  const place = new Map(categories.map((name, k) => [name, k]))
  const table = categories.map(() => categories.map(() => 0))
  for (const [one, other] of pairs) {
    const row = table[place.get(one) ?? -1]
    const column = place.get(other) ?? -1
    if (row && column >= 0) row[column] = (row[column] ?? 0) + 1
  }
  // Divided once: ten tenths are less than one, and all of one and the same would have a kappa.
  return table.map((row) => row.map((count) => count / pairs.length))
}

function around(value: number, variance: number): Estimate {
  const half = z95 * Math.sqrt(Math.max(0, variance))
  return { value, low: Math.max(-1, value - half), high: Math.min(1, value + half) }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

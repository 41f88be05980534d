/** The ROC curve of a score, its area with DeLong's interval, and the comparison of two areas. */
import { clamp, type Estimate, z95 } from './interval.ts'
import { normalTails } from './special.ts'

/** One patient: whether ill, and what the test measured. */
export type Scored = { ill: boolean; score: number }

/** At scores of at least `cut` the test calls a patient ill. */
export type RocPoint = { cut: number; sensitivity: number; specificity: number }

export type Roc = {
  ill: number
  healthy: number
  /** From "nobody is ill" to "everybody is". */
  points: RocPoint[]
  area: Estimate
  error: number
  /** Where sensitivity + specificity is largest (Youden 1950, Cancer 3:32). */
  best: RocPoint
  /** Pairs of an ill and a healthy one with the same score, of all pairs. */
  tied: number
}

/** Null without an ill or without a healthy one. */
export function rocOf(patients: readonly Scored[]): Roc | null {
  const parts = partsOf(
    [patients.map(({ score }) => score)],
    patients.map(({ ill }) => ill),
  )
  const [placed] = parts?.scores ?? []
  if (!parts || !placed) return null
  const points = pointsOf(patients, parts)
  const error = Math.sqrt(covarianceOf(placed, placed, parts))
  const best = points.reduce((one, other) => (youden(other) > youden(one) + 1e-12 ? other : one))
  return {
    ill: parts.ill,
    healthy: parts.healthy,
    points,
    area: areaOf(placed.area, error),
    error,
    best,
    tied: tiedOf(patients, parts),
  }
}

const youden = ({ sensitivity, specificity }: RocPoint): number => sensitivity + specificity

export type AreaComparison = {
  first: Estimate
  second: Estimate
  difference: Estimate
  /** Normal deviate of the difference, and both its tails. */
  z: number
  p: number
}

/** Of the same patients by two scores (DeLong 1988, Biometrics 44:837). */
export function compareAreas(
  patients: readonly { ill: boolean; first: number; second: number }[],
): AreaComparison | null {
  const scores = [patients.map(({ first }) => first), patients.map(({ second }) => second)]
  const parts = partsOf(
    scores,
    patients.map(({ ill }) => ill),
  )
  const [one, other] = parts?.scores ?? []
  if (!parts || !one || !other) return null
  const [ofOne, ofOther] = [covarianceOf(one, one, parts), covarianceOf(other, other, parts)]
  const variance = ofOne + ofOther - 2 * covarianceOf(one, other, parts)
  return comparison(areaOf(one.area, Math.sqrt(ofOne)), areaOf(other.area, Math.sqrt(ofOther)), variance)
}

/** Of two groups of different patients. */
export function compareSeparateAreas(one: Roc, other: Roc): AreaComparison {
  return comparison(one.area, other.area, one.error ** 2 + other.error ** 2)
}

function comparison(first: Estimate, second: Estimate, variance: number): AreaComparison {
  const value = first.value - second.value
  const error = Math.sqrt(Math.max(0, variance))
  const z = error > 0 ? value / error : 0
  const difference = { value, low: value - z95 * error, high: value + z95 * error }
  // Two scores of the same order differ in nothing.
  return { first, second, difference, z, p: error > 0 ? normalTails(z) : value === 0 ? 1 : 0 }
}

const areaOf = (value: number, error: number): Estimate => ({
  value,
  low: clamp(value - z95 * error, 0, 1),
  high: clamp(value + z95 * error, 0, 1),
})

type Placed = { area: number; ofIll: number[]; ofHealthy: number[] }
type Parts = { ill: number; healthy: number; scores: Placed[] }

/** Each patient's placement among the others by midranks (Sun & Xu 2014, IEEE Signal Process Lett 21:1389). */
function partsOf(scores: readonly (readonly number[])[], isIll: readonly boolean[]): Parts | null {
  const ill = isIll.filter(Boolean).length
  const healthy = isIll.length - ill
  if (ill === 0 || healthy === 0) return null
  const place = (values: readonly number[]): Placed => {
    const all = midranks(values)
    const among = (side: boolean): number[] => {
      const own = midranks(values.filter((_, k) => isIll[k] === side))
      const inAll = all.filter((_, k) => isIll[k] === side)
      return inAll.map((rank, k) => rank - (own[k] ?? 0))
    }
    const ofIll = among(true).map((below) => below / healthy)
    const ofHealthy = among(false).map((below) => 1 - below / ill)
    return { area: ofIll.reduce((sum, part) => sum + part, 0) / ill, ofIll, ofHealthy }
  }
  return { ill, healthy, scores: scores.map(place) }
}

/** From 1; equal values share the mean of their ranks. */
export function midranks(values: readonly number[]): number[] {
  const order = values.map((value, place) => ({ value, place })).sort((one, other) => one.value - other.value)
  const ranks = new Array<number>(values.length).fill(0)
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end < order.length && order[end]?.value === order[start]?.value) end += 1
    for (const { place } of order.slice(start, end)) ranks[place] = (start + end + 1) / 2
    start = end
  }
  return ranks
}

function covarianceOf(one: Placed, other: Placed, { ill, healthy }: Parts): number {
  return side(one.ofIll, other.ofIll, ill) + side(one.ofHealthy, other.ofHealthy, healthy)
}

/** Covariance of the placements of one side, divided by how many it has; one alone tells nothing. */
function side(one: readonly number[], other: readonly number[], count: number): number {
  if (count < 2) return 0
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / count
  const [ofOne, ofOther] = [mean(one), mean(other)]
  const sum = one.reduce((total, value, k) => total + (value - ofOne) * ((other[k] ?? 0) - ofOther), 0)
  return sum / (count - 1) / count
}

function pointsOf(patients: readonly Scored[], { ill, healthy }: Parts): RocPoint[] {
  const order = [...patients].sort((one, other) => other.score - one.score)
  const points: RocPoint[] = [{ cut: Number.POSITIVE_INFINITY, sensitivity: 0, specificity: 1 }]
  let [found, wrong] = [0, 0]
  for (const [k, patient] of order.entries()) {
    if (patient.ill) found += 1
    else wrong += 1
    if (order[k + 1]?.score === patient.score) continue
    points.push({ cut: patient.score, sensitivity: found / ill, specificity: 1 - wrong / healthy })
  }
  return points
}

function tiedOf(patients: readonly Scored[], { ill, healthy }: Parts): number {
  const counts = new Map<number, { ill: number; healthy: number }>()
  for (const { ill: isIll, score } of patients) {
    const count = counts.get(score) ?? { ill: 0, healthy: 0 }
    count[isIll ? 'ill' : 'healthy'] += 1
    counts.set(score, count)
  }
  const pairs = [...counts.values()].reduce((sum, count) => sum + count.ill * count.healthy, 0)
  return pairs / (ill * healthy)
}

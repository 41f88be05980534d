/** How many patients a study needs, before it begins. Every answer is rounded up. */
import { z95 } from './interval.ts'
import { normalQuantile } from './special.ts'

/** Patients in all, and of each kind where that matters. */
export type SampleSize = { total: number; first: number; second: number }

/** Of a share that is told within ± `precision`, where `prevalence` of all patients count for it (Buderer 1996, Acad Emerg Med 3:895). */
export function sizeForAccuracy({
  sensitivity,
  specificity,
  precision,
  prevalence,
}: {
  sensitivity: number
  specificity: number
  precision: number
  prevalence: number
}): SampleSize {
  const needed = (share: number): number => (z95 ** 2 * share * (1 - share)) / precision ** 2
  const ill = needed(sensitivity) / prevalence
  const healthy = needed(specificity) / (1 - prevalence)
  const total = up(Math.max(ill, healthy))
  const ofIll = up(total * prevalence)
  return { total, first: ofIll, second: total - ofIll }
}

/** To tell the area under a ROC curve within ± `precision`; `ratio` healthy ones to each ill one (Hanley & McNeil 1982, Radiology 143:29). */
export function sizeForArea({
  area,
  precision,
  ratio,
}: {
  area: number
  precision: number
  ratio: number
}): SampleSize {
  const one = area / (2 - area)
  const other = (2 * area ** 2) / (1 + area)
  const errorOf = (ill: number): number => {
    const healthy = ratio * ill
    const spread = area * (1 - area) + (ill - 1) * (one - area ** 2) + (healthy - 1) * (other - area ** 2)
    return Math.sqrt(spread / (ill * healthy))
  }
  return split(
    leastOf((ill) => z95 * errorOf(ill) <= precision),
    ratio,
  )
}

/** To tell an area from `nullArea` with this power (Obuchowski 1997, Invest Radiol 32:538, binormal variance). */
export function sizeToTellArea({
  area,
  nullArea,
  power,
  ratio,
}: {
  area: number
  nullArea: number
  power: number
  ratio: number
}): SampleSize {
  const varianceOf = (theta: number): number => {
    const a = normalQuantile(theta) * Math.SQRT2
    return 0.0099 * Math.exp((-a * a) / 2) * (5 * a * a + 8 + (a * a + 8) / ratio)
  }
  const reach = z95 * Math.sqrt(varianceOf(nullArea)) + normalQuantile(power) * Math.sqrt(varianceOf(area))
  return split(up((reach / (area - nullArea)) ** 2), ratio)
}

/** Two groups with these shares, two-sided 5 % (Fleiss, Levin & Paik 2003, 4.14, without continuity correction). */
export function sizeForProportions({
  first,
  second,
  power,
}: {
  first: number
  second: number
  power: number
}): SampleSize {
  const mean = (first + second) / 2
  const reach =
    z95 * Math.sqrt(2 * mean * (1 - mean)) +
    normalQuantile(power) * Math.sqrt(first * (1 - first) + second * (1 - second))
  const each = up((reach / (first - second)) ** 2)
  return { total: 2 * each, first: each, second: each }
}

/** Two readers, yes or no: kappa within ± `precision`, where `share` are yes (Donner & Eliasziw 1992, Stat Med 11:1511). */
export function sizeForKappa({
  kappa,
  share,
  precision,
}: {
  kappa: number
  share: number
  precision: number
}): SampleSize {
  const variance =
    (1 - kappa) * ((1 - kappa) * (1 - 2 * kappa) + (kappa * (2 - kappa)) / (2 * share * (1 - share)))
  const total = up((z95 / precision) ** 2 * variance)
  return { total, first: total, second: total }
}

function split(ill: number, ratio: number): SampleSize {
  const healthy = up(ill * ratio)
  return { total: ill + healthy, first: ill, second: healthy }
}

/** A rounding of the last bit adds nobody. */
const up = (count: number): number => Math.ceil(count - 1e-9)

const mostPatients = 10_000_000

/** The smallest count that is enough; what is enough for some is enough for more. */
function leastOf(isEnough: (count: number) => boolean): number {
  let [low, high] = [0, mostPatients]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

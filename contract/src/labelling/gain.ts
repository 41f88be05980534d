/**
 * What further labels are worth, from the rounds there were: the score's distance from what can be reached falls with the root of
 * the number of labels, as errors of estimates do (Hestness et al. 2017 found powers of about that size for images). The interval
 * is the bootstrap over the images that all rounds were measured on. Pure, and the same for the same seed.
 */
import { type Order, randomFrom } from './next.ts'

export type Round = {
  /** Labelled images that the network learned from. */
  labels: number
  /** Of each image that was measured on, in one order for all rounds. */
  scores: readonly number[]
}
export type Gain = { gain: number; low: number; high: number }

const DRAWS = 1000

/** Expected change of the mean score by `more` labels, with its 95 % interval; null before two rounds of at least five images. */
export function expectedGain(
  rounds: readonly Round[],
  { more, seed = 1 }: { more: number; seed?: number },
): Gain | null {
  const [first] = rounds
  const images = first?.scores.length ?? 0
  const counts = new Set(rounds.map(({ labels }) => labels))
  if (counts.size < 2 || images < 5 || rounds.some(({ scores }) => scores.length !== images)) return null
  const random = randomFrom(seed)
  const all = Array.from({ length: images }, (_, index) => index)
  const draws = Array.from({ length: DRAWS }, () =>
    gainOf(
      rounds,
      all.map(() => Math.floor(random() * images)),
      more,
    ),
  ).sort((one, other) => one - other)
  return {
    gain: gainOf(rounds, all, more),
    low: draws[Math.floor(DRAWS * 0.025)] ?? 0,
    high: draws[Math.ceil(DRAWS * 0.975) - 1] ?? 0,
  }
}

/**
 * What `more` labels chosen in one's own order are worth beyond those in random order, with its 95 % interval over the images:
 * what each step of a round brought, as the same law has it, so that early steps are not taken for better ones. Null before
 * there is a step of each order and five images.
 */
export function orderDifference(
  rounds: readonly (Round & { order: Order })[],
  { more, seed = 1 }: { more: number; seed?: number },
): Gain | null {
  const ordered = [...rounds].sort((one, other) => one.labels - other.labels)
  const steps = ordered.slice(1).flatMap((round, index) => {
    const before = ordered[index]
    return before && before.labels < round.labels ? [{ order: round.order, before, round }] : []
  })
  const images = ordered[0]?.scores.length ?? 0
  const of = (order: Order) => steps.filter((step) => step.order === order)
  const [own, other] = [of('doubt'), of('random')]
  if (own.length === 0 || other.length === 0 || images < 5) return null
  const last = ordered.at(-1)?.labels ?? 1
  const worth = 1 / Math.sqrt(last) - 1 / Math.sqrt(last + more)
  const each = Array.from({ length: images }, (_, image) => {
    const slope = (list: typeof steps) =>
      mean(
        list.map(
          ({ before, round }) =>
            ((round.scores[image] ?? 0) - (before.scores[image] ?? 0)) /
            (1 / Math.sqrt(before.labels) - 1 / Math.sqrt(round.labels)),
        ),
      )
    return (slope(own) - slope(other)) * worth
  })
  const random = randomFrom(seed)
  const draws = Array.from({ length: DRAWS }, () =>
    mean(each.map(() => each[Math.floor(random() * images)] ?? 0)),
  ).sort((one, two) => one - two)
  return {
    gain: mean(each),
    low: draws[Math.floor(DRAWS * 0.025)] ?? 0,
    high: draws[Math.ceil(DRAWS * 0.975) - 1] ?? 0,
  }
}

/** By least squares on the means of the drawn images; a score cannot pass 1, nor do labels harm in the long run. */
function gainOf(rounds: readonly Round[], drawn: readonly number[], more: number): number {
  const points = rounds.map(({ labels, scores }) => ({
    x: 1 / Math.sqrt(labels),
    y: drawn.reduce((sum, index) => sum + (scores[index] ?? 0), 0) / drawn.length,
  }))
  const x = mean(points.map((point) => point.x))
  const y = mean(points.map((point) => point.y))
  const slope =
    points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) /
    points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  const last = Math.max(...rounds.map(({ labels }) => labels))
  const now = Math.min(1, y + slope * (1 / Math.sqrt(last) - x))
  const then = Math.min(1, y + slope * (1 / Math.sqrt(last + more) - x))
  return Math.max(0, then - now)
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

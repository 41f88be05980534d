/**
 * Which images are worth labelling next, by what a network says of them: entropy taken class by class, with noise that fades
 * from round to round (ClaSP PE, Lüth et al. 2026; power sampling, Kirsch et al. 2023). Beside it the order that is hard to beat:
 * random, with more of the images in which something was found. Pure, and the same for the same seed.
 */
import { mulberry32 } from '../statistics/random.ts'

export type Candidate = {
  id: string
  /** Of each class, 0 to 1, as the engine tells it. */
  doubt: readonly number[]
  /** Of each class: whether the network found any of it. */
  found: readonly boolean[]
}
export const orders = ['doubt', 'random'] as const
export type Order = (typeof orders)[number]

type Asked = {
  order: Order
  count: number
  /** From 0 on: early networks know little of what they do not know. */
  round: number
  /** Class of everything that is not marked; it takes no turn. */
  background: number | null
  seed: number
}

/** Ids in the order in which they are to be labelled; fewer where there are fewer. */
export function chooseNext(candidates: readonly Candidate[], asked: Asked): string[] {
  const random = randomFrom(asked.seed * 7919 + asked.round)
  const left = [...candidates]
  const chosen: string[] = []
  const classes = (candidates[0]?.doubt ?? []).map((_, index) => index)
  const turns = shuffled(
    classes.filter((index) => index !== asked.background),
    random,
  )
  for (let turn = 0; chosen.length < asked.count && left.length > 0; turn++) {
    const of = turns[turn % Math.max(1, turns.length)]
    const at =
      asked.order === 'doubt'
        ? mostDoubted(left, { of, round: asked.round, random })
        : anyOne(left, { of, turn, random })
    chosen.push(...left.splice(at, 1).map(({ id }) => id))
  }
  return chosen
}

type Random = () => number

/** Sampling by powers: the logarithm, steeper each round, with Gumbel noise. */
function mostDoubted(
  left: readonly Candidate[],
  { of, round, random }: { of: number | undefined; round: number; random: Random },
): number {
  const steepness = 1 + STEEPER * round
  let best = 0
  let highest = Number.NEGATIVE_INFINITY
  for (const [index, { doubt }] of left.entries()) {
    const own = of === undefined ? Math.max(0, ...doubt) : (doubt[of] ?? 0)
    const noised = steepness * Math.log(own + FAINT) - Math.log(-Math.log(random()))
    if (noised > highest) [best, highest] = [index, noised]
  }
  return best
}

const STEEPER = 2
/** What is not doubted at all has a chance all the same. */
const FAINT = 1e-3

/** Two of three from the images in which the class was found, the third from all. */
function anyOne(
  left: readonly Candidate[],
  { of, turn, random }: { of: number | undefined; turn: number; random: Random },
): number {
  const withIt = left.flatMap(({ found }, index) => (of !== undefined && found[of] ? index : []))
  const among = turn % 3 === 2 || withIt.length === 0 ? left.map((_, index) => index) : withIt
  return among[Math.floor(random() * among.length)] ?? 0
}

function shuffled<Kind>(list: readonly Kind[], random: Random): Kind[] {
  const mixed = [...list]
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const [one, two] = [mixed[last], mixed[other]]
    if (one !== undefined && two !== undefined) [mixed[last], mixed[other]] = [two, one]
  }
  return mixed
}

/** Above 0, so that its logarithm is a number, and below 1. */
export function randomFrom(seed: number): Random {
  const next = mulberry32(seed)
  return () => next() + 2 ** -33
}

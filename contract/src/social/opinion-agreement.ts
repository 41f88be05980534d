/** How far readers of second opinions agree: kappa over studies, Dice of their outlines. Pure. */
import { opinions as limits } from '../limits.ts'
import { cohenKappa, fleissKappa } from '../statistics/kappa.ts'
import type { OpinionAgreement, OpinionAnswer, Outline } from './opinions.ts'

type Said = Pick<OpinionAnswer, 'position' | 'readerId' | 'answer' | 'outline'>

/** `answers`: of all readers; whoever left out a study is left out. */
export function agreementOf(
  answers: readonly Said[],
  { studies, classes }: { studies: number; classes: number },
): OpinionAgreement {
  const byReader = new Map<string, Said[]>()
  for (const one of answers) byReader.set(one.readerId, [...(byReader.get(one.readerId) ?? []), one])
  const readers = [...byReader.keys()].filter((id) => byReader.get(id)?.length === studies).sort()
  const saidBy = (id: string): string[] =>
    (byReader.get(id) ?? [])
      .toSorted((one, other) => one.position - other.position)
      .map(({ answer }) => String(answer))
  const columns = readers.map(saidBy)
  const subjects = Array.from({ length: studies }, (_, study) => columns.map((said) => said[study] ?? ''))
  const same = readers.length < 2 ? 0 : subjects.filter((said) => new Set(said).size === 1).length
  const method = readers.length > 2 ? 'fleiss' : 'cohen'
  const dice = pairsOf(readers).map(([one, other]) =>
    diceOf({ one, other, said: [byReader.get(one) ?? [], byReader.get(other) ?? []] }),
  )
  const common = { readers, studies, same, method, dice } as const
  if (readers.length < 2) return { ...common, kappa: null, why: 'few_readers' }
  if (studies < limits.leastStudies) return { ...common, kappa: null, why: 'few_studies' }
  const categories = Array.from({ length: classes }, (_, at) => String(at))
  const found =
    method === 'fleiss'
      ? fleissKappa(subjects, categories)
      : cohenKappa(
          subjects.map(([one = '', other = '']) => [one, other] as const),
          { categories, weights: 'none' },
        )
  return { ...common, kappa: found?.kappa ?? null, why: found ? null : 'one_answer' }
}

const pairsOf = (readers: readonly string[]): [string, string][] =>
  readers.flatMap((one, at) => readers.slice(at + 1).map((other): [string, string] => [one, other]))

type Pair = { one: string; other: string; said: readonly [readonly Said[], readonly Said[]] }

function diceOf({ one, other, said: [first, second] }: Pair): OpinionAgreement['dice'][number] {
  const both = first.flatMap(({ position, outline }) => {
    const its = second.find((answer) => answer.position === position)?.outline ?? null
    return outline && its ? [[outline, its] as const] : []
  })
  const compared = both.filter(([a, b]) => a.plane === b.plane && a.slice === b.slice && a.frame === b.frame)
  const values = compared.map(([a, b]) => outlineDice(a.points, b.points))
  const mean = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
  return { one, other, mean, studies: compared.length, apart: both.length - compared.length }
}

type Points = Outline['points']

/** 2 × common area / sum of areas, where lines that cross themselves count by the even-odd rule. */
export function outlineDice(one: Points, other: Points): number {
  const heights = [...one, ...other].map(([, y]) => y)
  const [low, high] = [Math.min(...heights), Math.max(...heights)]
  let [common, all] = [0, 0]
  // Exact along each line; lines lie close together.
  for (let line = 0; line < LINES; line += 1) {
    const y = low + ((line + 0.5) / LINES) * (high - low)
    const [a, b] = [spansAt(one, y), spansAt(other, y)]
    all += lengthOf(a) + lengthOf(b)
    for (const [start, end] of a)
      for (const [from, to] of b) common += Math.max(0, Math.min(end, to) - Math.max(start, from))
  }
  return all === 0 ? 0 : (2 * common) / all
}

const LINES = 400

type Span = readonly [start: number, end: number]

/** What of a line lies inside. */
function spansAt(points: Points, y: number): Span[] {
  const crossings = points
    .flatMap(([x0, y0], at) => {
      const [x1, y1] = points[(at + 1) % points.length] ?? [x0, y0]
      return y0 <= y === y1 <= y ? [] : [x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)]
    })
    .sort((a, b) => a - b)
  return crossings.flatMap((start, at): Span[] => {
    const end = crossings[at + 1]
    return at % 2 === 0 && end !== undefined ? [[start, end]] : []
  })
}

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, [start, end]) => sum + end - start, 0)

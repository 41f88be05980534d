/** Near-duplicates of a data set: what is bound together, what is shown, and what stands on both sides of given parts. */
import type { DataFacts } from '@neuroloom/contract/datasets'
import { datasets } from '@neuroloom/contract/limits'
import { originsOf, seenBefore } from '../data-facts.ts'
import type { Assembled, Double, Item } from '../recognise/shapes.ts'
import { type Near, nearestOf, nearWithin } from './fingerprints.ts'
import { groupUp } from './groups.ts'

type Settings = {
  sha256: (path: string) => string
  /** Whether test items that are also given for learning are left aside. */
  leavesAside: boolean
}

/** The items with the group that each belongs to, and the pairs. */
export async function withDoubles(found: Assembled, { sha256, leavesAside }: Settings): Promise<Assembled> {
  const { items, facts } = found
  if (facts === null) return found
  const bytes = items.map(({ image }) => sha256(image))
  const near = [...sameBytes(bytes), ...(await nearWithin(items.map(({ fingerprint }) => fingerprint)))]
  const keys = items.map(({ patient }, index) => patient ?? bytes[index] ?? '')
  const { keys: groups, bound, loose } = groupUp(keys, near)
  const crossing = await crossingOf(items, bytes)
  const copies = new Set(leavesAside ? crossing.map(({ one }) => one) : [])
  const sisters = leavesAside ? seenBefore(items) : []
  const asides = new Set([...copies, ...sisters])
  const kept = items.map(
    (item, index): Item => ({
      ...item,
      kin: groups[index] === keys[index] ? null : (groups[index] ?? null),
      ...(asides.has(index) ? { part: null, asidePart: item.part } : {}),
    }),
  )
  const shown = shownPairs({ near, bound, loose, crossing })
  const counts: DataFacts['doubles'] = {
    items: new Set(near.flatMap(({ one, other }) => [one, other])).size,
    groups: groupsOf(near, items.length),
    pairs: shown.length,
    loose: loose.length,
    crossing: crossing.length,
    aside: copies.size,
  }
  const doubles = shown.slice(0, datasets.doubles.kept)
  const origin = facts.origin && { origin: { ...facts.origin, aside: sisters.length } }
  return {
    ...found,
    items: kept,
    doubles,
    facts: { ...facts, ...originsOf(kept), ...origin, doubles: counts },
  }
}

/** Each with the first of the same bytes. */
function sameBytes(bytes: readonly string[]): Near[] {
  const firsts = new Map<string, number>()
  return bytes.flatMap((sha256, other): Near[] => {
    const one = firsts.get(sha256)
    if (one === undefined) firsts.set(sha256, other)
    return one === undefined ? [] : [{ one, other, distance: 0 }]
  })
}

/** For each item given for the test, the nearest of those given for learning or checking. */
async function crossingOf(items: readonly Item[], bytes: readonly string[]): Promise<Near[]> {
  const of = (isOne: (part: Item['part']) => boolean): number[] =>
    [...items.keys()].filter((index) => isOne(items[index]?.part ?? null))
  const tests = of((part) => part === 'test')
  const learned = of((part) => part === 'train' || part === 'validation')
  if (tests.length === 0 || learned.length === 0) return []
  const printOf = (index: number): string | null => items[index]?.fingerprint ?? null
  const found = await nearestOf(tests.map(printOf), learned.map(printOf))
  const nearest = new Map(found.map(({ one, other, distance }) => [tests[one] ?? 0, { other, distance }]))
  const byBytes = new Map(learned.map((index) => [bytes[index], index]))
  return tests.flatMap((one): Near[] => {
    const same = byBytes.get(bytes[one])
    if (same !== undefined) return [{ one, other: same, distance: 0 }]
    const near = nearest.get(one)
    return near ? [{ one, other: learned[near.other] ?? 0, distance: near.distance }] : []
  })
}

type Found = { near: Near[]; bound: Near[]; loose: Near[]; crossing: Near[] }

/** What asks for a decision first; then of each group as many pairs as hold it together. */
function shownPairs({ near, bound, loose, crossing }: Found): Double[] {
  const nameOf = ({ one, other }: Near): string => (one < other ? `${one} ${other}` : `${other} ${one}`)
  const told = new Set<string>()
  const as = (kind: Double['kind'], pairs: Near[]): Double[] =>
    pairs.flatMap((pair) => {
      if (told.has(nameOf(pair))) return []
      told.add(nameOf(pair))
      return [{ ...pair, kind }]
    })
  // Of one patient, pairs bind nothing; and those of the same bytes are bound from the start.
  const known = near.filter(({ distance }) => distance === 0)
  return [...as('crossing', crossing), ...as('loose', loose), ...as('together', [...bound, ...known])]
}

/** Of pictures that are alike, whether they are bound or not. */
function groupsOf(near: readonly Near[], items: number): number {
  const alone = Array.from({ length: items }, (_, index) => String(index))
  const { bound } = groupUp(alone, near)
  const touched = new Set(bound.flatMap(({ one, other }) => [one, other])).size
  return touched - bound.length
}

/** What people are told of how masks were read; nothing where each image simply has one. */
import type { DataFacts, MaskFacts } from '@neuroloom/contract/datasets'
import type { FileFacts } from '@neuroloom/contract/engine'
import { folderOf } from '../folder-names.ts'
import type { Pair, Pairs } from '../shapes.ts'
import type { MaskCode } from './values.ts'

/** A pair that can be learned from, with what was found in both files. */
export type Usable = Pair & { facts: FileFacts; labelFacts: FileFacts; values: Record<string, number> }

type Read = { layout: Pairs; usable: readonly Usable[]; code: MaskCode; regions: ReadonlyMap<string, string> }

/** Values beyond these are counted in the classes, not listed. */
const MOST_VALUES = 64

export const readersOf = ({ readers }: Pairs): Pick<DataFacts, 'readers'> => (readers ? { readers } : {})

export function maskFactsOf(read: Read): Pick<DataFacts, 'masks'> {
  const { layout, usable, code, regions } = read
  const count = (is: (one: Usable) => boolean): number => usable.filter(is).length
  const isTurned = (one: Usable): boolean => (one.facts.turn ?? 1) > 1
  const [region] = regions.values()
  const facts: MaskFacts = {
    counts: layout.counts ?? null,
    mayVote: layout.mayVote ?? false,
    agreement: layout.mayVote ? meanOf(usable.map(({ labelFacts }) => labelFacts.agreement ?? null)) : null,
    channels: layout.channels ?? [],
    channel: layout.channel ?? null,
    values: code.areThings ? [] : valuesOf(read),
    smeared: count(({ labelFacts }) => labelFacts.smeared === true),
    things: code.areThings ? usable.length : 0,
    joined: count(({ mix }) => mix !== undefined && mix.how !== 'most'),
    regions: regions.size,
    regionFrom: region === undefined ? null : folderOf(region),
    turned: count(isTurned),
    masksTurned: count((one) => isTurned(one) && one.made !== undefined && one.mix === undefined),
    unsure: count((one) => isTurned(one) && one.made === undefined && isUnsure(one)),
    ...openOf(read),
    ...invertedIn(read),
    ...(code.renumbered === undefined ? {} : { renumbered: code.renumbered }),
  }
  return isPlain(facts) ? {} : { masks: facts }
}

/** The size does not tell whether a mask was drawn before or after the picture was turned. */
const isUnsure = ({ facts, labelFacts }: Usable): boolean =>
  (labelFacts.turn ?? 1) === 1 && ((facts.turn ?? 1) < 5 || facts.width === facts.height)

/** So many others must show what is usual, and by so much of the picture both kinds differ where they are about as many. */
const USUAL = 3
const APART = 0.3

/**
 * Masks of two values of which one marks the most of its picture, and what it leaves is as large as what the others mark: as
 * programs save them whose white is 0. It may be true, so it is told and not changed.
 */
function invertedIn({ usable, code }: Read): Pick<MaskFacts, 'inverted'> {
  if (code.areThings || code.classes.length !== 2) return {}
  const shares = usable.map(({ values }) => {
    const pixels = Object.entries(values)
    const marked = pixels.filter(([value]) => code.maskValues[value] === 1)
    return sumOf(marked.map(([, times]) => times)) / Math.max(1, sumOf(pixels.map(([, times]) => times)))
  })
  const small = shares.filter((share) => share > 0 && share < 0.5)
  const [least, most] = [Math.min(...small), Math.max(...small)]
  const large = shares.filter((share) => share > 0.5 && 1 - share >= least / 2 && 1 - share <= most * 2)
  const [fewer = 0, more = 0] = [small.length, large.length].sort((one, other) => one - other)
  const isClear = more >= USUAL && Math.min(...large) - most >= APART
  const isOdd = fewer > 0 && (small.length >= USUAL * large.length || isClear)
  return isOdd ? { inverted: fewer } : {}
}

/** The value that stands for no class, in how many masks it is and how much of all pixels it covers. */
function openOf({ usable, code }: Read): Pick<MaskFacts, 'open'> {
  const [value] = Object.keys(code.maskValues).filter((one) => (code.maskValues[one] ?? 0) < 0)
  if (value === undefined) return {}
  const pixels = usable.flatMap(({ values }) => Object.values(values))
  const left = usable.flatMap(({ values }) => values[value] ?? [])
  return { open: { value, images: left.length, share: sumOf(left) / Math.max(1, sumOf(pixels)) } }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

function valuesOf({ usable, code }: Read): MaskFacts['values'] {
  const pixels = new Map<string, number>()
  for (const { values } of usable) {
    for (const [value, times] of Object.entries(values)) pixels.set(value, (pixels.get(value) ?? 0) + times)
  }
  return [...pixels]
    .map(([value, times]) => ({ value, class: code.maskValues[value] ?? -1, pixels: times }))
    .sort((one, other) => other.pixels - one.pixels)
    .slice(0, MOST_VALUES)
}

const meanOf = (numbers: readonly (number | null)[]): number | null => {
  const known = numbers.filter((one) => one !== null)
  return known.length === 0 ? null : sumOf(known) / known.length
}

/** Grey values alone say no more than the classes. */
const isPlain = ({ values, counts, channel, mayVote: _, agreement: __, ...rest }: MaskFacts): boolean =>
  counts === null &&
  channel === null &&
  rest.open === undefined &&
  rest.inverted === undefined &&
  !values.some(({ value }) => value.startsWith('#')) &&
  [rest.smeared, rest.things, rest.joined, rest.regions, rest.turned].every((number) => number === 0)

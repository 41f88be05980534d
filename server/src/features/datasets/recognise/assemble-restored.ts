/** Small images with large ones, and noisy images with clean ones: one item a pair, no classes. */

import type { Problem } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { summarise } from '../data-facts.ts'
import { lookAtPairs, type ReadPair } from './pair-problems.ts'
import { type Assembled, type Look, type Pairs, plainItem } from './shapes.ts'

export function assembleRestored(layout: Pairs, look: Look): Assembled {
  const { readable: read, problems } = lookAtPairs(layout, look)
  // Each float file is scaled by its own range, which would tear the two of a pair apart.
  const readable = read.filter(({ facts, labelFacts }) => Math.max(facts.bits, labelFacts.bits) <= 16)
  for (const pair of read.filter((one) => !readable.includes(one))) {
    problems.push({ path: pair.image, reason: 'unsupported_mode', params: {} })
  }
  const isScaled = layout.layout === 'resolution_pairs'
  const factor = isScaled ? commonFactor(readable) : 1
  const isUsable = (pair: ReadPair): boolean => factor !== null && factorOf(pair) === factor
  const usable = readable.filter(isUsable)
  const misfits = readable.filter((pair) => !isUsable(pair))
  problems.push(...misfits.map((pair) => misfit(pair, { isScaled, factor: factor ?? 0 })))
  const facts = summarise(
    usable.map((pair) => pair.facts),
    [],
    { factor: isScaled ? factor : null },
  )
  // Colour in the label alone could not be restored from grey, and grey labels are made from colour.
  const isColour = usable.some((pair) => pair.facts.channels === 3 || pair.labelFacts.channels === 3)
  const channels = isColour ? 3 : 1
  return {
    items: usable.map((pair) => ({ ...plainItem(pair.image, pair.facts), label: pair.label })),
    problems,
    classes: [],
    maskValues: {},
    channels,
    factor: isScaled ? factor : null,
    facts: facts && { ...facts, channels },
    failure: usable.length === 0 ? 'nothing_matches' : null,
  }
}

/** How many times larger the label is in both directions; null where that is no whole number. */
function factorOf({ facts, labelFacts }: ReadPair): number | null {
  const factor = labelFacts.width / facts.width
  return Number.isInteger(factor) && labelFacts.height === facts.height * factor ? factor : null
}

/** That of the most pairs, the smaller one of equals: a network makes images larger by one factor. */
function commonFactor(pairs: ReadPair[]): number | null {
  const { min, max } = limits.factors
  const counts = new Map<number, number>()
  for (const pair of pairs) {
    const factor = factorOf(pair)
    if (factor !== null && factor >= min && factor <= max) counts.set(factor, (counts.get(factor) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([one, ones], [other, others]) => others - ones || one - other)
  return most?.[0] ?? null
}

function misfit(
  { label, facts: { width, height }, labelFacts }: ReadPair,
  { isScaled, factor }: { isScaled: boolean; factor: number },
): Problem {
  const sizes = { width, height, maskWidth: labelFacts.width, maskHeight: labelFacts.height }
  return isScaled
    ? { path: label, reason: 'factor_differs', params: { ...sizes, factor } }
    : { path: label, reason: 'size_differs', params: sizes }
}

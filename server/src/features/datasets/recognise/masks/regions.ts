/** Masks of where in a picture there is something to see: told from masks of what is marked by what they look like. */
import type { FileFacts } from '@neuroloom/contract/engine'
import type { Look, Pair } from '../shapes.ts'

/** A field of view covers much of the picture, and about the same of each. */
const LEAST_SHARE = 0.3
const MOST_SPREAD = 0.15

/** The region of each image by its path; none where those masks are anything else. */
export function regionsOf(pairs: readonly (Pair & { facts: FileFacts })[], look: Look): Map<string, string> {
  const found: { image: string; region: string; share: number }[] = []
  for (const { image, region, facts } of pairs) {
    const seen = region === undefined ? null : look.check(region).facts
    if (region === undefined || seen?.values == null) continue
    if (seen.width !== facts.width || seen.height !== facts.height) continue
    found.push({ image, region, share: brightShareOf(seen.values) })
  }
  const mean = found.reduce((sum, { share }) => sum + share, 0) / Math.max(1, found.length)
  const isField = found.every(({ share }) => share >= LEAST_SHARE && Math.abs(share - mean) <= MOST_SPREAD)
  return new Map(isField ? found.map(({ image, region }) => [image, region]) : [])
}

/** As the engine reads it: brighter than half of the brightest. */
function brightShareOf(values: Record<string, number>): number {
  const all = Object.entries(values).map(([value, pixels]) => ({ value: levelOf(value), pixels }))
  const brightest = Math.max(0, ...all.map(({ value }) => value))
  const total = all.reduce((sum, { pixels }) => sum + pixels, 0)
  const bright = all.reduce((sum, { value, pixels }) => sum + (value * 2 > brightest ? pixels : 0), 0)
  return total === 0 ? 0 : bright / total
}

const levelOf = (value: string): number =>
  value.startsWith('#') ? Number.parseInt(value.slice(1), 16) : Number(value)

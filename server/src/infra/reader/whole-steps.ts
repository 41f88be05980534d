/** Finds the step that all values of an image are multiples of, so that 16 bits can hold them without loss. */
import type { Samples } from './model.ts'
import type { Range } from './usual-range.ts'

/** Of 16 bits. */
export const STEPS = 65_535

/** Parts of one, as instruments and programs write numbers: halves, and decimal places. */
const customary = [1, 2, 4, 8, 10, 16, 20, 32, 64, 100, 1000, 10_000, 100_000]

/** Into how many parts one is divided; null when the values are multiples of no customary part, or span too many. */
export function commonParts(samples: Samples, { min, max }: Range): number | null {
  const fitting = customary.filter((parts) => (max - min) * parts <= STEPS)
  return fitting.find((parts) => areMultiples(samples, parts)) ?? null
}

function areMultiples(samples: Samples, parts: number): boolean {
  // Single precision does not hold 0.1: what rounds to the same number is the same.
  const same = samples instanceof Float32Array ? Math.fround : Number
  for (const value of samples)
    if (Number.isFinite(value) && same(Math.round(value * parts) / parts) !== value) return false
  return true
}

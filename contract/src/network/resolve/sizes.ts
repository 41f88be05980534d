/** Finds the picture sizes a network works with, by trying them: no algebra, so it holds for any layer. */
import type { Document } from '../document/document.ts'
import { type ResolveOptions, resolve } from './resolve.ts'

export interface AllowedSizes {
  /** Sizes tried that work, the same on every axis. */
  works: number[]
  /** "Works with multiples of 16, from the first one on"; 1 = any size; null when no such rule holds. */
  multipleOf: number | null
}

/** What medical pictures are usually brought to lies well inside; beyond, the rule goes on. */
export const probedSizes: readonly number[] = Array.from({ length: 257 }, (_, k) => 16 + k)

export function allowedSizes(
  document: Document,
  options: ResolveOptions,
  sizes: readonly number[] = probedSizes,
): AllowedSizes {
  const rank = [...document.inputs.values()].find((input) => input.size !== undefined)?.size?.length ?? 2
  const works = sizes.filter((size) => fits(document, options, new Array<number>(rank).fill(size)))
  return { works, multipleOf: commonRule(works, sizes) }
}

/** The nearest size that works, the larger of two equally near; null when none does. */
export function nearestSize({ works }: AllowedSizes, wanted: number): number | null {
  let best: number | null = null
  for (const size of works) {
    if (best === null || Math.abs(size - wanted) <= Math.abs(best - wanted)) best = size
  }
  return best
}

function fits(document: Document, options: ResolveOptions, size: readonly number[]): boolean {
  return resolve(document, { ...options, inputs: {}, data: { ...options.data, size } }).errors.length === 0
}

/** The smallest number all of whose multiples work, from the first size that works on. */
export function commonRule(works: readonly number[], sizes: readonly number[]): number | null {
  const working = new Set(works)
  const [first = Infinity] = works
  const tried = sizes.filter((size) => size >= first)
  const steps = Array.from({ length: largestStep }, (_, k) => k + 1)
  const holds = (step: number) => {
    const multiples = tried.filter((size) => size % step === 0)
    return multiples.length > 0 && multiples.every((size) => working.has(size))
  }
  return steps.find(holds) ?? null
}

/** Six halvings; a rule with fewer multiples among the sizes tried would be chance. */
const largestStep = 64

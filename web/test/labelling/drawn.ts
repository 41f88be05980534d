/** Planes drawn with characters, and by chance from a seed. */
import type { Mask, Plane } from '../../src/features/labelling/assist/plane.ts'

/** Rows of digits; `.` is 0. */
export function drawn(...rows: string[]): Mask {
  const width = rows[0]?.length ?? 0
  const values = Uint8Array.from(rows.join(''), (character) => (character === '.' ? 0 : Number(character)))
  if (values.length !== width * rows.length) throw new Error('rows of different lengths')
  return { width, height: rows.length, values }
}

/** As it was drawn. */
export const rowsOf = ({ width, height, values }: Plane<ArrayLike<number>>): string[] =>
  Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => values[y * width + x] || '.').join(''),
  )

/** Mulberry32: a whole number from 0 to below the limit, the same ones for the same seed. */
export function makeRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}

export const noise = (width: number, height: number, below: () => number): Mask => ({
  ...{ width, height },
  values: Uint8Array.from({ length: width * height }, below),
})

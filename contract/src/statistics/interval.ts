/** What every figure of the statistics bench comes with. Data only. */

/** A figure and the bounds of its interval; null where the data say nothing. */
export type Estimate = { value: number; low: number; high: number }

/** All intervals are of 95 %. */
export const level = 0.95
export const z95 = 1.959963984540054

export const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value))

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Of a sample: divided by n − 1. */
export function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}

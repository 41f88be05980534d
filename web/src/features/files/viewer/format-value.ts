/** Values of images for people: thousands as usual, the very large and very small with a power of ten. */
import { formatNumber } from '../../../lib/format.ts'

export function formatValue(value: number, digits = Number.isInteger(value) ? 0 : 3): string {
  const size = Math.abs(value)
  if (size >= LARGE || (size > 0 && size < 0.5 * 10 ** -Math.max(digits, 3))) return value.toExponential(2)
  return formatNumber(value, Math.min(digits, 12))
}

/** From here on digits are only counted. */
const LARGE = 1e7

/** So many digits tell one step from the next. */
export const digitsOf = (step: number): number => Math.max(0, -Math.floor(Math.log10(step)))

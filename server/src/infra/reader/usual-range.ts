/** Between which values nearly all of an image lies: single outliers, and what is no number, are left out. */
import { rangeOf, type Scan } from './model.ts'

export type Range = { min: number; max: number }

const VALUES = 262_144
/** Left out at either end; of few values none is known to be an outlier. */
const SHARE = 0.005
const FEW = 20
/** A background as large as this says nothing about the bright end. */
const BACKGROUND = 0.1
/** Greater than this times the usual, the whole range would hide what is there. */
const WIDER = 1.5
/** As many greys as a screen has: labels and pictures are shown whole. */
const GREYS = 255

/** Null when none is a number. */
export function usualRange(scan: Scan): Range | null {
  const range = rangeOf(scan)
  if (range === null) return null
  const whole = { min: range.min, max: range.max }
  const span = range.max - range.min
  const isFewGreys = span <= GREYS && !scan.dataType.startsWith('float')
  const values = someValues(scan)
  if (isFewGreys || values.length < FEW) return whole
  const least = values[0] ?? 0
  const background = values.lastIndexOf(least) + 1
  const bright = background >= values.length * BACKGROUND ? values.subarray(background) : values
  const min = values[cut(values)] ?? range.min
  const max = bright[bright.length - 1 - cut(bright)] ?? range.max
  return max > min && span > WIDER * (max - min) ? { min, max } : whole
}

const cut = ({ length }: Float64Array): number => (length < FEW ? 0 : Math.ceil(length * SHARE))

/** In order of size; enough of them to know how bright the image is. */
function someValues({ samples, slope, intercept }: Scan): Float64Array {
  // Odd, so that a stride does not stay in one column.
  const step = Math.max(1, Math.floor(samples.length / VALUES)) | 1
  const values = new Float64Array(Math.ceil(samples.length / step))
  let count = 0
  for (let index = 0; index < samples.length; index += step) {
    const value = (samples[index] ?? 0) * slope + intercept
    if (!Number.isFinite(value)) continue
    values[count] = value
    count += 1
  }
  return values.subarray(0, count).sort()
}

/** Pictures as lightness and colour, in which equal distances look about equally different. */
import type { Colour, Grey } from './plane.ts'

/** CIELAB: lightness 0 to 100, green to red, blue to yellow. */
export type Bands = {
  width: number
  height: number
  lightness: Float32Array
  red: Float32Array
  yellow: Float32Array
}

const emptyBands = (width: number, height: number): Bands => ({
  width,
  height,
  lightness: new Float32Array(width * height),
  red: new Float32Array(width * height),
  yellow: new Float32Array(width * height),
})

/** Lightness from 0 at the darkest to 100 at the brightest pixel, no colour. */
export function greyBands({ width, height, values }: Grey): Bands {
  const bands = emptyBands(width, height)
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0
    if (value < low) low = value
    if (value > high) high = value
  }
  const scale = high > low ? 100 / (high - low) : 0
  for (let at = 0; at < values.length; at++) bands.lightness[at] = ((values[at] ?? 0) - low) * scale
  return bands
}

/** From sRGB (IEC 61966-2-1) under its own white, D65; opacity does not count. */
export function labBands({ width, height, values }: Colour): Bands {
  const bands = emptyBands(width, height)
  for (let at = 0, from = 0; at < width * height; at++, from += 4) {
    const red = linear[values[from] ?? 0] ?? 0
    const green = linear[values[from + 1] ?? 0] ?? 0
    const blue = linear[values[from + 2] ?? 0] ?? 0
    const x = perceived((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    const y = perceived(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    const z = perceived((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    bands.lightness[at] = 116 * y - 16
    bands.red[at] = 500 * (x - y)
    bands.yellow[at] = 200 * (y - z)
  }
  return bands
}

/** Light of each of the 256 values of a channel. */
const linear = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
})

/** Cube roots, straight near black (CIE 15). */
const perceived = (light: number): number =>
  light > (6 / 29) ** 3 ? Math.cbrt(light) : light / (3 * (6 / 29) ** 2) + 4 / 29

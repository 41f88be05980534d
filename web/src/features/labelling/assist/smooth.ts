/** Smooths the border of a segment in its slice. */
import { gaussian } from './gaussian.ts'
import { boxOf, cropped, type Mask, maskWhere, pasted, widened } from './plane.ts'

/**
 * Each pixel as most of the square of 2 · radius + 1 pixels around it: takes specks and notches away and keeps straight borders. Beyond the
 * rim it goes on as at the rim. 170 ms where the segment fills 2048², for any radius.
 */
export function smoothByMajority(mask: Mask, radius: number): Mask {
  const most = (2 * radius + 1) ** 2 / 2
  return withinBox(mask, radius, (part) => maskWhere(boxSums(part, radius), (sum) => sum > most))
}

/** Where a Gaussian of the mask is at least one half; `sigma` in pixels: rounder than by majority. 150 ms on 2048² for a sigma of one pixel, 300 ms for three. */
export function smoothByGaussian(mask: Mask, sigma: number): Mask {
  // A pixel alone at the half is a matter of rounding: 1e-6 is more than that, and less than any pixel weighs.
  return withinBox(mask, Math.ceil(3 * sigma), (part) =>
    maskWhere(gaussian(part, sigma), (value) => value >= 0.5 - 1e-6),
  )
}

/** Nothing changes farther away from the segment than the filter reaches. */
function withinBox(mask: Mask, reach: number, filter: (part: Mask) => Uint8Array): Mask {
  const around = boxOf(mask)
  if (!around) return { ...mask, values: mask.values.slice() }
  const box = widened(around, { x: reach, y: reach }, mask)
  const part = cropped(mask, box)
  return pasted({ ...part, values: filter(part) }, box, mask)
}

/** Sums over the square around each pixel, as running sums along rows and then columns. */
function boxSums({ width, height, values }: Mask, radius: number): Uint32Array {
  const across = new Uint32Array(width * height)
  const sums = new Uint32Array(width * height)
  for (let y = 0; y < height; y++) {
    runningSums(values, across, { start: y * width, step: 1, length: width, radius })
  }
  for (let x = 0; x < width; x++) {
    runningSums(across, sums, { start: x, step: width, length: height, radius })
  }
  return sums
}

type Line = { start: number; step: number; length: number; radius: number }

function runningSums(from: ArrayLike<number>, to: Uint32Array, { start, step, length, radius }: Line) {
  const at = (place: number) => from[start + step * Math.min(length - 1, Math.max(0, place))] ?? 0
  let sum = 0
  for (let place = -radius; place <= radius; place++) sum += at(place)
  for (let place = 0; place < length; place++) {
    to[start + step * place] = sum
    sum += at(place + radius + 1) - at(place - radius)
  }
}

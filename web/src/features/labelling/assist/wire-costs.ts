/**
 * What a step along a border costs the live wire: little where brightness changes much, at the change's middle and along it. E. N. Mortensen
 * and W. A. Barrett, "Intelligent Scissors for Image Composition" (SIGGRAPH 1995), in whole numbers and without their training.
 */
import { gaussian } from './gaussian.ts'
import type { Box, Grey } from './plane.ts'

export type WireCosts = {
  /** In the picture: paths are found within it alone. */
  window: Box
  width: number
  height: number
  /** What entering each pixel costs by magnitude and zero crossing, 0 to `MOST`. */
  entering: Uint8Array
  /** Direction of the border through each pixel, in steps of a half turn / `TURNS`. */
  directions: Uint8Array
}

/** The paper's weights, of which the sum is 1. */
const WEIGHT = { zeroCrossing: 0.43, direction: 0.43, magnitude: 0.14 }
const MOST = 100
const TURNS = 64
/** Noise of single pixels is no border: standard deviation in pixels. */
const SMOOTHING = 1
/** Of a few glaring pixels all others would seem flat: so large a share has the full magnitude. */
const GLARING = 0.02

/** The eight neighbours, clockwise from the right one. */
export const ways = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]] as const // biome-ignore format: a table

/** Once for a picture and window: 150 ms for 1024². Of colours their brightness (`greyOf`). */
export function wireCosts({ width: whole, values }: Grey, window: Box): WireCosts {
  const { left, top } = window
  const [width, height] = [window.right - left + 1, window.bottom - top + 1]
  const part = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    const from = (top + y) * whole + left
    part.set(values.subarray(from, from + width), y * width)
  }
  const smooth = gaussian({ width, height, values: part }, SMOOTHING)
  const { magnitudes, curvatures, directions } = slopes(smooth, width)
  const full = fullMagnitude(magnitudes)
  const entering = new Uint8Array(width * height)
  for (let at = 0; at < entering.length; at++) {
    const flat = 1 - Math.min(1, (magnitudes[at] ?? 0) / full)
    const isOff = isZeroCrossing(curvatures, at, width) ? 0 : 1
    entering[at] = Math.round(MOST * (WEIGHT.magnitude * flat + WEIGHT.zeroCrossing * isOff))
  }
  return { window, width, height, entering, directions }
}

/** Gradient (central differences), the Laplacian, and the direction across the gradient; all zero at the rim. */
function slopes(values: Float32Array, width: number) {
  const magnitudes = new Float32Array(values.length)
  const curvatures = new Float32Array(values.length)
  const directions = new Uint8Array(values.length)
  for (let y = 1; y < values.length / width - 1; y++) {
    for (let at = y * width + 1; at < (y + 1) * width - 1; at++) {
      const [left, right] = [values[at - 1] ?? 0, values[at + 1] ?? 0]
      const [above, below] = [values[at - width] ?? 0, values[at + width] ?? 0]
      const [across, down] = [right - left, below - above]
      magnitudes[at] = Math.sqrt(across * across + down * down)
      curvatures[at] = left + right + above + below - 4 * (values[at] ?? 0)
      const turn = Math.atan2(across, -down) / Math.PI
      directions[at] = Math.round((turn < 0 ? turn + 1 : turn) * TURNS) % TURNS
    }
  }
  return { magnitudes, curvatures, directions }
}

function fullMagnitude(magnitudes: Float32Array): number {
  const most = magnitudes.reduce((best, value) => (value > best ? value : best), 0)
  const counts = new Uint32Array(257)
  for (const value of magnitudes) {
    const bin = most > 0 ? Math.floor((value / most) * 256) : 0
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  let bin = 256
  for (let above = 0; bin > 1; bin--) {
    above += counts[bin] ?? 0
    if (above > GLARING * magnitudes.length) break
  }
  return most > 0 ? (most * bin) / 256 : 1
}

/** Where the Laplacian changes its sign towards a neighbour that is farther from zero. */
function isZeroCrossing(curvatures: Float32Array, at: number, width: number): boolean {
  const value = curvatures[at] ?? 0
  for (const other of [at - 1, at + 1, at - width, at + width]) {
    const beside = curvatures[other] ?? 0
    if (value * beside < 0 && Math.abs(value) <= Math.abs(beside)) return true
  }
  return false
}

const lengths = Float64Array.from(ways, ([dx, dy]) => Math.hypot(dx, dy))
/** For each way and direction: how far they turn from each other, as what a step that way costs. */
const turned = Float64Array.from({ length: ways.length * TURNS }, (_, place) => {
  const [dx, dy] = ways[Math.floor(place / TURNS)] ?? ways[0]
  const turn = ((place % TURNS) * Math.PI) / TURNS
  const along = Math.abs(Math.cos(turn) * dx + Math.sin(turn) * dy) / Math.hypot(dx, dy)
  // Half for the pixel left and half for the one entered; a quarter turn is the most.
  return ((MOST * WEIGHT.direction) / 2) * (Math.acos(Math.min(1, along)) / (Math.PI / 2))
})

/** No step costs more. */
export const LONGEST_STEP = Math.ceil(MOST * Math.SQRT2) + 1

/** Of the step from a pixel of the window to the neighbour that lies that way: a whole number, at least 1, longer ones cost more. */
export function stepCost({ entering, directions }: WireCosts, from: number, to: number, way: number): number {
  const row = way * TURNS
  const turning = (turned[row + (directions[from] ?? 0)] ?? 0) + (turned[row + (directions[to] ?? 0)] ?? 0)
  return 1 + Math.floor(((entering[to] ?? 0) + turning) * (lengths[way] ?? 1))
}

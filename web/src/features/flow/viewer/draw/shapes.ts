/** Shapes of arrows and pixels of maps, before anything is put on a canvas. Pure. */
import { type ColourMapName, shareOf, tableOf } from '@neuroloom/contract/flow/colours'
import type { Samples } from '@neuroloom/contract/flow/slice'

/** Of the shaft's width. */
const HEAD = 3.5
const HEAD_LENGTH = 3.5
/** A short arrow keeps a shaft. */
const MOST_HEAD = 0.6

type Arrow = { x: number; y: number; dx: number; dy: number; width: number }

/** Seven corners, x and y after each other: the tip is the fourth. */
export function arrowShape({ x, y, dx, dy, width }: Arrow): number[] {
  const length = Math.hypot(dx, dy)
  if (length === 0) return []
  const head = Math.min(HEAD_LENGTH * width, MOST_HEAD * length)
  // A head that is shorter is as much narrower.
  const half = (head / HEAD_LENGTH) * (HEAD / 2)
  const shaft = Math.min(width / 2, half / 1.6)
  const [ux, uy] = [dx / length, dy / length]
  const at = (along: number, aside: number) => [x + ux * along - uy * aside, y + uy * along + ux * aside]
  const neck = length - head
  return [
    ...at(0, -shaft),
    ...at(neck, -shaft),
    ...at(neck, -half),
    ...at(length, 0),
    ...at(neck, half),
    ...at(neck, shaft),
    ...at(0, shaft),
  ]
}

const tables = new Map<ColourMapName, Uint8ClampedArray>()

function tableFor(name: ColourMapName): Uint8ClampedArray {
  const table = tables.get(name) ?? tableOf(name)
  tables.set(name, table)
  return table
}

/** Red, green, blue, opacity: what has no value stays clear. */
export function mapPixels(values: Samples, name: ColourMapName, top: number): Uint8ClampedArray<ArrayBuffer> {
  const table = tableFor(name)
  const pixels = new Uint8ClampedArray(4 * values.length)
  for (const [at, value] of values.entries()) {
    const share = shareOf(name, value, top)
    if (!Number.isFinite(share)) continue
    const colour = 3 * Math.round(255 * Math.min(1, Math.max(0, share)))
    pixels.set(table.subarray(colour, colour + 3), 4 * at)
    pixels[4 * at + 3] = 255
  }
  return pixels
}

/** Grey from black to white between the two ends of the window. */
export function greyPixels(
  values: Samples,
  [low, high]: readonly [number, number],
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * values.length)
  for (const [at, value] of values.entries()) {
    const grey = (255 * (value - low)) / Math.max(1e-9, high - low)
    pixels.fill(grey, 4 * at, 4 * at + 3)
    pixels[4 * at + 3] = 255
  }
  return pixels
}

/** Of a share from 0 to 1, as CSS writes it. */
export function cssColour(name: ColourMapName, share: number): string {
  const table = tableFor(name)
  const at = 3 * Math.round(255 * Math.min(1, Math.max(0, share)))
  return `rgb(${table[at]} ${table[at + 1]} ${table[at + 2]})`
}

/** Round numbers between the ends of a bar: 1, 2 or 5 times a power of ten apart, at most `most`. */
export function ticksOf(from: number, to: number, most: number): number[] {
  const span = to - from
  if (!(span > 0)) return []
  const raw = span / most
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw * (1 - 1e-9)) ?? span
  const ticks: number[] = []
  for (let tick = Math.ceil(from / step - 1e-9) * step; tick <= to + step * 1e-9; tick += step) {
    ticks.push(Math.abs(tick) < step * 1e-6 ? 0 : tick)
  }
  return ticks
}

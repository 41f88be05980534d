/** Resizing as the engine does it: Pillow's antialiased bilinear filter in its fixed-point arithmetic, to the bit. */
import type { Picture } from './picture.ts'

type Bytes = Picture & { levels: Uint8Array }

/** Pillow: 32 bits less the 8 of a level less 2 for the sum. */
const PRECISION = 22

export function resize(picture: Bytes, height: number, width: number): Bytes {
  const wide = picture.width === width ? picture : alongRows(picture, width)
  return wide.height === height ? wide : alongColumns(wide, height)
}

/** Scaled until it fills the frame in one direction; the rest, right and below, gets its mean colour. */
export function fitInto(
  picture: Bytes,
  height: number,
  width: number,
): { picture: Bytes; scale: [number, number] } {
  const factor = Math.min(height / picture.height, width / picture.width)
  const tall = Math.min(height, Math.max(1, roundEven(picture.height * factor)))
  const wide = Math.min(width, Math.max(1, roundEven(picture.width * factor)))
  const small = resize(picture, tall, wide)
  const scale: [number, number] = [wide / picture.width, tall / picture.height]
  if (tall === height && wide === width) return { picture: small, scale }
  const { channels } = picture
  const levels = new Uint8Array(height * width * channels)
  const mean = meanColour(small)
  for (let at = 0; at < levels.length; at++) levels[at] = mean[at % channels] ?? 0
  const row = wide * channels
  for (let y = 0; y < tall; y++) {
    levels.set(small.levels.subarray(y * row, (y + 1) * row), y * width * channels)
  }
  return { picture: { width, height, channels, levels }, scale }
}

/** Half a unit goes to the even neighbour, as in Python. */
function roundEven(value: number): number {
  const below = Math.floor(value)
  const rest = value - below
  if (rest !== 0.5) return Math.round(value)
  return below % 2 === 0 ? below : below + 1
}

function meanColour({ levels, channels }: Bytes): number[] {
  const sums: number[] = Array.from({ length: channels }, () => 0)
  for (let at = 0; at < levels.length; at++)
    sums[at % channels] = (sums[at % channels] ?? 0) + (levels[at] ?? 0)
  return sums.map((sum) => roundEven(sum / (levels.length / channels)))
}

type Weights = { first: number; weights: Int32Array }

/** For each new pixel the old ones that it is made of. */
function weightsOf(from: number, to: number): Weights[] {
  const scale = from / to
  const support = Math.max(scale, 1)
  return Array.from({ length: to }, (_, index) => {
    const centre = (index + 0.5) * scale
    const first = Math.max(0, Math.trunc(centre - support + 0.5))
    const last = Math.min(from, Math.trunc(centre + support + 0.5))
    const shares = Array.from({ length: last - first }, (_, at) =>
      Math.max(0, 1 - Math.abs((at + first - centre + 0.5) * (1 / support))),
    )
    const sum = shares.reduce((total, share) => total + share, 0)
    return {
      first,
      weights: Int32Array.from(shares, (share) => Math.trunc((share / sum) * 2 ** PRECISION + 0.5)),
    }
  })
}

function alongRows({ width, height, channels, levels }: Bytes, to: number): Bytes {
  const out = new Uint8Array(to * height * channels)
  for (const [x, { first, weights }] of weightsOf(width, to).entries()) {
    for (let y = 0; y < height; y++) {
      for (let channel = 0; channel < channels; channel++) {
        const start = (y * width + first) * channels + channel
        out[(y * to + x) * channels + channel] = weighed(levels, weights, start, channels)
      }
    }
  }
  return { width: to, height, channels, levels: out }
}

function alongColumns({ width, height, channels, levels }: Bytes, to: number): Bytes {
  const row = width * channels
  const out = new Uint8Array(to * row)
  for (const [y, { first, weights }] of weightsOf(height, to).entries()) {
    for (let at = 0; at < row; at++) out[y * row + at] = weighed(levels, weights, first * row + at, row)
  }
  return { width, height: to, channels, levels: out }
}

function weighed(levels: Uint8Array, weights: Int32Array, start: number, step: number): number {
  let sum = 1 << (PRECISION - 1)
  for (let at = 0; at < weights.length; at++) sum += (levels[start + at * step] ?? 0) * (weights[at] ?? 0)
  return Math.min(255, sum >> PRECISION)
}

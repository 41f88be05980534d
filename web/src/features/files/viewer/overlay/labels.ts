/** What masks show on a slice: their labels as pixels and as outlines. Pure. */
import type { OverlayLabel } from '@neuroloom/contract/reading/overlays'
import { colourOf } from '../../../../lib/class-colours.ts'
import type { Order } from '../measure/surface.ts'

/** A byte a voxel in the order of the image's file; 0 = nothing. */
export type LabelBytes = Uint8Array

/** Of one slice, column by column; `places` = voxels of one point in time. */
export function sliceOf(
  bytes: LabelBytes,
  { start, column, row, size }: Order,
  frame: number,
  places: number,
): Uint8Array {
  const [width, height] = size
  const slice = new Uint8Array(width * height)
  // A mask of one point in time is that of all.
  const from = start + (bytes.length > places ? frame * places : 0)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) slice[y * width + x] = bytes[from + x * column + y * row] ?? 0
  return slice
}

export type Colour = readonly [red: number, green: number, blue: number]

/** Its own, where the mask has colours. */
export function colourOfLabel({ colour }: Pick<OverlayLabel, 'colour'>, index: number): Colour {
  if (colour === null || !/^#[\da-f]{6}$/i.test(colour)) return colourOf(index)
  const part = (at: number): number => Number.parseInt(colour.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

/** Red, green, blue and opaque for each pixel; labels without a colour are left out. */
export function pixelsOf(
  slice: Uint8Array,
  colours: readonly (Colour | null)[],
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(slice.length * 4)
  for (const [at, byte] of slice.entries()) {
    const colour = byte === 0 ? null : (colours[byte - 1] ?? null)
    if (colour) pixels.set([...colour, 255], at * 4)
  }
  return pixels
}

export type Edge = readonly [x0: number, y0: number, x1: number, y1: number]

/** The borders of each label between pixels, joined along rows and columns: they stay thin however large they are shown. */
export function edgesOf(slice: Uint8Array, width: number): Map<number, Edge[]> {
  const height = slice.length / width
  const found = new Map<number, Edge[]>()
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (slice[y * width + x] ?? 0)
  for (let y = 0; y <= height; y += 1)
    collect(
      found,
      width,
      (x) => [at(x, y - 1), at(x, y)],
      (from, to) => [from, y, to, y],
    )
  for (let x = 0; x <= width; x += 1)
    collect(
      found,
      height,
      (y) => [at(x - 1, y), at(x, y)],
      (from, to) => [x, from, x, to],
    )
  return found
}

/** Along one line between pixels: where one side has a label that the other has not. */
function collect(
  found: Map<number, Edge[]>,
  length: number,
  sidesAt: (along: number) => readonly [number, number],
  edge: (from: number, to: number) => Edge,
): void {
  for (const side of [0, 1] as const) {
    let begun = 0
    let label = 0
    for (let along = 0; along <= length; along += 1) {
      const sides = along < length ? sidesAt(along) : ([0, 0] as const)
      const now = sides[0] === sides[1] ? 0 : sides[side]
      if (now === label) continue
      if (label > 0) {
        const known = found.get(label)
        if (known) known.push(edge(begun, along))
        else found.set(label, [edge(begun, along)])
      }
      begun = along
      label = now
    }
  }
}

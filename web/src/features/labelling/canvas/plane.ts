/** A plane of an image: which pixels it shows, which way up, and how its rows lie in the map of marks. Pure. */

import {
  fillRow,
  openTile,
  type PixelMap,
  readRow,
  segmentAt,
  TILE,
  tileOf,
  tilesAcross,
} from '@neuroloom/contract/labelling/pixels'
import type { Place } from '@neuroloom/contract/labelling/things'

export type Axis = Place['axis']
export type Size = PixelMap['size']
export type Plane = {
  axis: Axis
  slice: number
  /** Image pixels along and down. */
  width: number
  height: number
  /** How much taller than wide a pixel is. */
  aspect: number
  /** Shown the other way round, so that the patient lies as radiologists look at them. */
  isFlippedX: boolean
  isFlippedY: boolean
}

/** What is known of the body besides its size. */
export type Body = {
  size: Size
  /** Millimetres; null = pixels are square. */
  spacing: readonly [number, number, number] | null
  /** Where columns, rows and slices lead, such as `LPS`. */
  orientation: string | null
}

/** The axes along and down of the plane across each axis. */
const sides = { 2: [0, 1], 1: [0, 2], 0: [1, 2] } as const

export function planeOf({ size, spacing, orientation }: Body, axis: Axis, slice: number): Plane {
  const [along, down] = sides[axis]
  // The left of the patient on the right, the back below, the feet below.
  const isFlipped = (side: 0 | 1 | 2) => 'RAS'.includes(orientation?.[side] ?? '-')
  return {
    axis,
    slice,
    width: size[along],
    height: size[down],
    aspect: spacing === null ? 1 : spacing[down] / spacing[along],
    isFlippedX: isFlipped(along),
    isFlippedY: isFlipped(down),
  }
}

/** Columns, rows and slices of a pixel of the plane. */
export function voxelAt({ axis, slice }: Pick<Plane, 'axis' | 'slice'>, u: number, v: number) {
  if (axis === 2) return { x: u, y: v, z: slice }
  return axis === 1 ? { x: u, y: slice, z: v } : { x: slice, y: u, z: v }
}

export function segmentOn(map: PixelMap, plane: Plane, u: number, v: number): number {
  const { x, y, z } = voxelAt(plane, u, v)
  return segmentAt(map, x, y, z)
}

type Span = { v: number; from: number; to: number; segment: number }
type Before = (tile: number) => void

/** `fillRow` for any plane. */
export function fillSpan(map: PixelMap, plane: Plane, { v, from, to, segment }: Span, before?: Before): void {
  if (plane.axis === 2) fillRow(map, { y: v, z: plane.slice, from, to, segment }, before)
  else if (plane.axis === 1) fillRow(map, { y: plane.slice, z: v, from, to, segment }, before)
  else fillColumn(map, plane, { v, from, to, segment }, before)
}

/** Across the columns of the image: pixels of a tile lie a row apart. */
function fillColumn(map: PixelMap, plane: Plane, { v, from, to, segment }: Span, before?: Before): void {
  if (v < 0 || v >= plane.height) return
  const end = Math.min(to, plane.width)
  for (let y = Math.max(0, from); y < end; ) {
    const tile = tileOf(map, plane.slice, y, v)
    const length = Math.min(TILE - (y % TILE), end - y)
    if ((map.tiles.get(tile) ?? 0) !== segment) {
      before?.(tile)
      const pixels = openTile(map, tile)
      const start = (y % TILE) * TILE + (plane.slice % TILE)
      for (let step = 0; step < length; step++) pixels[start + step * TILE] = segment
    }
    y += length
  }
}

/** A row of the plane from `u` on, as long as `out`, which must lie in the image. */
export function readSpan(map: PixelMap, plane: Plane, u: number, v: number, out: Uint16Array): void {
  if (plane.axis === 2) readRow(map, { x: u, y: v, z: plane.slice }, out)
  else if (plane.axis === 1) readRow(map, { x: u, y: plane.slice, z: v }, out)
  else readColumn(map, plane, { u, v }, out)
}

function readColumn(map: PixelMap, plane: Plane, { u, v }: { u: number; v: number }, out: Uint16Array): void {
  for (let at = 0; at < out.length; ) {
    const tile = map.tiles.get(tileOf(map, plane.slice, u + at, v)) ?? 0
    const length = Math.min(TILE - ((u + at) % TILE), out.length - at)
    if (typeof tile === 'number') out.fill(tile, at, at + length)
    else {
      const start = ((u + at) % TILE) * TILE + (plane.slice % TILE)
      for (let step = 0; step < length; step++) out[at + step] = tile[start + step * TILE] ?? 0
    }
    at += length
  }
}

/** Where the pixels of a plane lie in the tiles: tile and place in it are each a sum of one part by row and one by column. */
export function addressing(map: PixelMap, { axis, slice }: Plane) {
  const across = tilesAcross(map)
  const inside = slice % TILE
  const first = (v: number): number =>
    axis === 2 ? tileOf(map, 0, v, slice) : axis === 1 ? tileOf(map, 0, slice, v) : tileOf(map, slice, 0, v)
  return {
    tileOfRow: first,
    tileOfColumn: (u: number): number => Math.floor(u / TILE) * (axis === 0 ? across : 1),
    insideOfRow: (v: number): number =>
      axis === 2 ? (v % TILE) * TILE : axis === 1 ? inside * TILE : inside,
    insideOfColumn: (u: number): number => (axis === 0 ? (u % TILE) * TILE : u % TILE),
  }
}

/** Pixel maps by segment: where each lies, its pixels as a part of a plane, and masks laid into a map. */

import type { Corner, Polygon } from '@neuroloom/contract/labelling/outline'
import { outline } from '@neuroloom/contract/labelling/outline'
import { fillRow, type PixelMap, placeOfTile, readRow, TILE } from '@neuroloom/contract/labelling/pixels'
import { rasterise } from '@neuroloom/contract/labelling/rasterise'
import type { Marks } from '@neuroloom/contract/labelling/steps'
import { labelling as limits } from '@neuroloom/contract/limits'
import { around, pairs } from './geometry.ts'
import type { Crop } from './rle.ts'
import type { Size } from './shapes.ts'

/** Of one segment on one slice. */
type Extent = { number: number; slice: number; x0: number; y0: number; x1: number; y1: number; count: number }

/** By slice, then by number. */
export function extentsOf(map: PixelMap): Extent[] {
  const found = new Map<string, Extent>()
  for (const [index, tile] of map.tiles) {
    const { x, y, z, width, height } = placeOfTile(map, index)
    const note = (number: number, box: Omit<Extent, 'number' | 'slice'>): void => {
      const key = `${z}/${number}`
      const known = found.get(key)
      if (!known) found.set(key, { number, slice: z, ...box })
      else {
        known.x0 = Math.min(known.x0, box.x0)
        known.y0 = Math.min(known.y0, box.y0)
        known.x1 = Math.max(known.x1, box.x1)
        known.y1 = Math.max(known.y1, box.y1)
        known.count += box.count
      }
    }
    if (typeof tile === 'number') {
      if (tile !== 0) note(tile, { x0: x, y0: y, x1: x + width, y1: y + height, count: width * height })
      continue
    }
    for (let row = 0; row < height; row++)
      for (let at = 0; at < width; ) {
        const number = tile[row * TILE + at] ?? 0
        let end = at + 1
        while (end < width && tile[row * TILE + end] === number) end++
        if (number !== 0)
          note(number, { x0: x + at, y0: y + row, x1: x + end, y1: y + row + 1, count: end - at })
        at = end
      }
  }
  return [...found.values()].sort((a, b) => a.slice - b.slice || a.number - b.number)
}

/** The pixels of a segment on a slice. */
export function cropOf(map: PixelMap, { number, slice, x0, y0, x1, y1 }: Extent): Crop {
  const [width, height] = [x1 - x0, y1 - y0]
  const values = new Uint8Array(width * height)
  const row = new Uint16Array(width)
  for (let y = 0; y < height; y++) {
    readRow(map, { x: x0, y: y0 + y, z: slice }, row)
    for (let x = 0; x < width; x++) if (row[x] === number) values[y * width + x] = 1
  }
  return { x: x0, y: y0, width, height, values }
}

/** Rings of a mask along the edges of its pixels, in pixels of the whole plane. */
export const ringsOf = (crop: Crop): number[][] =>
  outline(crop).flatMap((polygon) =>
    polygon.map((ring) => ring.flatMap(([x, y]) => [x + crop.x, y + crop.y])),
  )

/** The pixels that rings enclose by the even-odd rule; null where they lie outside. */
export function cropOfRings(
  rings: readonly (readonly number[])[],
  [width, height]: readonly number[],
): Crop | null {
  const { x0, y0, x1, y1 } = around(rings.flatMap(pairs))
  const [left, top] = [Math.max(0, Math.floor(x0)), Math.max(0, Math.floor(y0))]
  const right = Math.min(width ?? 0, Math.floor(x1) + 1)
  const bottom = Math.min(height ?? 0, Math.floor(y1) + 1)
  if (!(right > left && bottom > top)) return null
  const [first, ...holes] = rings.map((ring) => pairs(ring).map(([x, y]): Corner => [x - left, y - top]))
  if (!first) return null
  const polygon: Polygon = [first, ...holes]
  const size = { width: right - left, height: bottom - top }
  return { x: left, y: top, ...size, values: rasterise([polygon], size) }
}

/** What any of the rings encloses; null where no two of them share a pixel, so that the even-odd rule says the same. */
export function unionOf(rings: readonly (readonly number[])[], [width, height]: Size): Crop | null {
  const crops = rings.flatMap((ring) => cropOfRings([ring], [width, height]) ?? [])
  const { x0, y0, x1, y1 } = around(
    crops.flatMap(({ x, y, width: across, height: down }): [number, number][] => [[x, y], [x + across, y + down]]), // biome-ignore format: corners
  )
  if (crops.length < 2) return null
  const union: Crop = {
    x: x0,
    y: y0,
    width: x1 - x0,
    height: y1 - y0,
    values: new Uint8Array((x1 - x0) * (y1 - y0)),
  }
  let isTwice = false
  for (const crop of crops)
    crop.values.forEach((value, index) => {
      if (value === 0) return
      const column = crop.x - x0 + (index % crop.width)
      const at = (crop.y - y0 + Math.floor(index / crop.width)) * union.width + column
      isTwice ||= union.values[at] !== 0
      union.values[at] = 1
    })
  return isTwice ? union : null
}

/** Gives the pixels of a mask to a segment; those that others have stay theirs when told so. */
export function lay(map: PixelMap, crop: Crop, { slice, segment }: { slice: number; segment: number }): void {
  for (let y = 0; y < crop.height; y++)
    for (let x = 0; x < crop.width; ) {
      const isIn = crop.values[y * crop.width + x] !== 0
      let end = x + 1
      while (end < crop.width && (crop.values[y * crop.width + end] !== 0) === isIn) end++
      if (isIn) fillRow(map, { y: crop.y + y, z: slice, from: crop.x + x, to: crop.x + end, segment })
      x = end
    }
}

/** Whether a mask lies on pixels of other segments. */
export function isTaken(map: PixelMap, crop: Crop, slice: number): boolean {
  const row = new Uint16Array(crop.width)
  for (let y = 0; y < crop.height; y++) {
    readRow(map, { x: crop.x, y: crop.y + y, z: slice }, row)
    for (let x = 0; x < crop.width; x++)
      if (row[x] !== 0 && crop.values[y * crop.width + x] !== 0) return true
  }
  return false
}

/** A part that lies wholly in the plane. */
export const isWithin = ({ x, y, width, height }: Crop, [across, down]: Size): boolean =>
  x >= 0 && y >= 0 && x + width <= across && y + height <= down

/** The next number that no segment has; null where all are given. */
export function freeNumber({ segments }: Marks): number | null {
  const next = segments.size + 1
  if (!segments.has(next)) return next <= limits.segments ? next : null
  for (let number = 1; number <= limits.segments; number++) if (!segments.has(number)) return number
  return null
}

/** One slice, row by row. */
export function sliceOf(map: PixelMap, slice: number): Uint16Array {
  const [width, height] = map.size
  const pixels = new Uint16Array(width * height)
  for (let y = 0; y < height; y++)
    readRow(map, { x: 0, y, z: slice }, pixels.subarray(y * width, (y + 1) * width))
  return pixels
}

/** A box of the map of pixels as one array, x fastest, and back as parts of planes. */
import { type PixelMap, placeOfTile, readRow, TILE } from '@neuroloom/contract/labelling/pixels'
import type { Axis } from '../canvas/plane.ts'
import { KEEP, type Part } from './part.ts'

type Three = readonly [number, number, number]
export type VoxelBox = { from: Three; size: Three }

/** The smallest one around these segments; null = nothing is marked. */
export function boundsOf(map: PixelMap, segments: readonly number[]): VoxelBox | null {
  const low = [...map.size]
  const high = [-1, -1, -1]
  const wanted = new Set(segments)
  for (const [index, tile] of map.tiles) {
    const { x, y, z, width, height } = placeOfTile(map, index)
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        const segment = typeof tile === 'number' ? tile : (tile[row * TILE + column] ?? 0)
        if (!wanted.has(segment)) continue
        const at = [x + column, y + row, z]
        for (const side of [0, 1, 2]) {
          low[side] = Math.min(low[side] ?? 0, at[side] ?? 0)
          high[side] = Math.max(high[side] ?? 0, at[side] ?? 0)
        }
      }
  }
  if ((high[0] ?? -1) < 0) return null
  const [x = 0, y = 0, z = 0] = low
  return { from: [x, y, z], size: [(high[0] ?? 0) - x + 1, (high[1] ?? 0) - y + 1, (high[2] ?? 0) - z + 1] }
}

export function readBox(
  map: PixelMap,
  { from: [x, y, z], size: [width, height, depth] }: VoxelBox,
): Uint16Array {
  const values = new Uint16Array(width * height * depth)
  for (let slice = 0; slice < depth; slice++)
    for (let row = 0; row < height; row++) {
      const start = (slice * height + row) * width
      readRow(map, { x, y: y + row, z: z + slice }, values.subarray(start, start + width))
    }
  return values
}

/** One part for each plane across the axis in which something changes. */
export function partsOf(
  { axis, from, size }: VoxelBox & { axis: Axis },
  valueAt: (at: number) => number,
): Part[] {
  const [along, down] = axis === 2 ? [0, 1] : axis === 1 ? [0, 2] : [1, 2]
  const steps = [1, size[0], size[0] * size[1]]
  const [width, height] = [size[along as 0], size[down as 1]]
  const parts: Part[] = []
  for (let slice = 0; slice < size[axis]; slice++) {
    const values = new Uint16Array(width * height)
    let isAny = false
    for (let v = 0, to = 0; v < height; v++)
      for (let u = 0; u < width; u++, to++) {
        const value = valueAt(slice * (steps[axis] ?? 0) + v * (steps[down] ?? 0) + u * (steps[along] ?? 0))
        values[to] = value
        isAny ||= value !== KEEP
      }
    const place = { axis, slice: from[axis] + slice, left: from[along as 0], top: from[down as 1] }
    if (isAny) parts.push({ ...place, width, height, values })
  }
  return parts
}

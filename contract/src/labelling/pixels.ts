/**
 * The map of an image that says which segment each pixel belongs to (0 = none). Kept in tiles of 256 × 256 of one slice, of
 * which only marked ones take memory and evenly marked ones a number, so that a map of 16,000² costs what is drawn on it.
 * Knows no screen and no wire.
 */

export const TILE = 256
const AREA = TILE * TILE

/** All of one segment, or each pixel by itself, row by row with a stride of `TILE` also at the right edge. */
export type Tile = number | Uint16Array
export type PixelMap = {
  /** Columns, rows, slices. */
  size: readonly [x: number, y: number, z: number]
  /** By `tileOf`; missing = nothing marked. */
  tiles: Map<number, Tile>
}

export const makePixels = (size: PixelMap['size']): PixelMap => ({ size, tiles: new Map() })

export const tilesAcross = ({ size: [x] }: Pick<PixelMap, 'size'>): number => Math.ceil(x / TILE)
const tilesDown = ({ size: [, y] }: Pick<PixelMap, 'size'>): number => Math.ceil(y / TILE)
export const tileCount = (map: Pick<PixelMap, 'size'>): number =>
  tilesAcross(map) * tilesDown(map) * map.size[2]

/** Number of the tile that holds the pixel. */
export const tileOf = (map: PixelMap, x: number, y: number, z: number): number =>
  (z * tilesDown(map) + Math.floor(y / TILE)) * tilesAcross(map) + Math.floor(x / TILE)

/** Left upper pixel and slice of a tile, and how much of it lies in the image. */
export function placeOfTile(map: Pick<PixelMap, 'size'>, tile: number) {
  const across = tilesAcross(map)
  const down = tilesDown(map)
  const x = (tile % across) * TILE
  const y = (Math.floor(tile / across) % down) * TILE
  const z = Math.floor(tile / (across * down))
  return { x, y, z, width: Math.min(TILE, map.size[0] - x), height: Math.min(TILE, map.size[1] - y) }
}

export function segmentAt(map: PixelMap, x: number, y: number, z: number): number {
  const [width, height, depth] = map.size
  if (x < 0 || y < 0 || z < 0 || x >= width || y >= height || z >= depth) return 0
  const tile = map.tiles.get(tileOf(map, x, y, z)) ?? 0
  return typeof tile === 'number' ? tile : (tile[(y % TILE) * TILE + (x % TILE)] ?? 0)
}

/** The tile's pixels, to be changed in place. */
export function openTile(map: PixelMap, tile: number): Uint16Array {
  const found = map.tiles.get(tile) ?? 0
  if (typeof found !== 'number') return found
  const opened = new Uint16Array(AREA)
  if (found !== 0) opened.fill(found)
  map.tiles.set(tile, opened)
  return opened
}

/** Gives back the memory of a tile that is marked evenly. Pixels beyond the image's edge count for nothing. */
export function closeTile(map: PixelMap, tile: number): void {
  const found = map.tiles.get(tile)
  if (found === undefined || typeof found === 'number') return
  const { width, height } = placeOfTile(map, tile)
  const [first = 0] = found
  for (let y = 0; y < height; y++)
    for (let at = y * TILE; at < y * TILE + width; at++) if (found[at] !== first) return
  if (first === 0) map.tiles.delete(tile)
  else map.tiles.set(tile, first)
}

/** A row of one slice from `x` on, as long as `out`, which must lie in the image. */
export function readRow(map: PixelMap, at: { x: number; y: number; z: number }, out: Uint16Array): void {
  const { x, y, z } = at
  for (let done = 0; done < out.length; ) {
    const tile = map.tiles.get(tileOf(map, x + done, y, z)) ?? 0
    const from = (x + done) % TILE
    const length = Math.min(TILE - from, out.length - done)
    if (typeof tile === 'number') out.fill(tile, done, done + length)
    else {
      const start = (y % TILE) * TILE + from
      out.set(tile.subarray(start, start + length), done)
    }
    done += length
  }
}

/** Gives pixels `from` … `to` - 1 of a row to a segment; `before` is asked to keep each tile as it was, ahead of its change. */
export function fillRow(
  map: PixelMap,
  { y, z, from, to, segment }: { y: number; z: number; from: number; to: number; segment: number },
  before?: (tile: number) => void,
): void {
  const end = Math.min(to, map.size[0])
  if (y < 0 || y >= map.size[1] || z < 0 || z >= map.size[2]) return
  for (let x = Math.max(0, from); x < end; ) {
    const tile = tileOf(map, x, y, z)
    const start = x % TILE
    const length = Math.min(TILE - start, end - x)
    const found = map.tiles.get(tile) ?? 0
    if (found !== segment) {
      before?.(tile)
      const row = (y % TILE) * TILE
      openTile(map, tile).fill(segment, row + start, row + start + length)
    }
    x += length
  }
}

/** The numbers of all segments that have a pixel, with how many. */
export function countSegments(map: PixelMap): Map<number, number> {
  const counts = new Map<number, number>()
  for (const [index, tile] of map.tiles) {
    const { width, height } = placeOfTile(map, index)
    if (typeof tile === 'number') {
      counts.set(tile, (counts.get(tile) ?? 0) + width * height)
      continue
    }
    for (let y = 0; y < height; y++)
      for (const segment of tile.subarray(y * TILE, y * TILE + width))
        if (segment !== 0) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  }
  return counts
}

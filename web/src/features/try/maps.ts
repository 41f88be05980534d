/** Pictures through a network that answers pixel by pixel: padded to what it needs, in overlapping tiles when large. */
import type { ExportedFacts } from '@neuroloom/contract/exported'

/** Numbers plane by plane, each row by row. */
export type Planes = { channels: number; width: number; height: number; values: Float32Array }

type Size = { width: number; height: number }
type Tile = Size & { left: number; top: number }

/** Above so many pixels of the answer a browser gets short of memory; side and overlap of a tile in those pixels. */
const MOST_AT_ONCE = 1024 ** 2
const SIDE = 512
const OVERLAP = 128

/** The picture, padded, and the tiles in which it is to be looked at. */
export type Layout = { padded: Size; tiles: Tile[]; overlap: [x: number, y: number] }

export function layoutOf({ width, height }: Size, { input }: ExportedFacts, factor: number): Layout {
  const [ownHeight = 1, ownWidth = 1] = input.shape.slice(2).map(Number)
  const [down = 1, across = 1] = input.sizeMultiple
  if (!input.sizeFree) {
    return tiled({ width, height }, { width: ownWidth, height: ownHeight }, [ownWidth >> 2, ownHeight >> 2])
  }
  const whole = { width: upTo(width, across), height: upTo(height, down) }
  if (width * height * factor ** 2 <= MOST_AT_ONCE) {
    return { padded: whole, tiles: [{ ...whole, left: 0, top: 0 }], overlap: [0, 0] }
  }
  const side = Math.floor(SIDE / factor)
  const overlap = Math.floor(OVERLAP / factor)
  const tile = {
    width: Math.min(whole.width, upTo(side, across)),
    height: Math.min(whole.height, upTo(side, down)),
  }
  return tiled({ width, height }, tile, [overlap, overlap])
}

function tiled(size: Size, tile: Size, overlap: [number, number]): Layout {
  const padded = { width: Math.max(size.width, tile.width), height: Math.max(size.height, tile.height) }
  const tiles = startsOf(padded.height, tile.height, overlap[1]).flatMap((top) =>
    startsOf(padded.width, tile.width, overlap[0]).map((left) => ({ ...tile, left, top })),
  )
  return { padded, tiles, overlap }
}

function startsOf(length: number, side: number, overlap: number): number[] {
  if (length <= side) return [0]
  const starts: number[] = []
  for (let start = 0; start < length - side; start += side - overlap) starts.push(start)
  return [...starts, length - side]
}

const upTo = (length: number, multiple: number): number => Math.ceil(length / multiple) * multiple

/** What is missing on the right and below is a reflection of what is there, as often as needed. */
export function cut(planes: Planes, { left, top, width, height }: Tile): Planes {
  const columns = Array.from({ length: width }, (_, x) => reflected(left + x, planes.width))
  const values = new Float32Array(planes.channels * width * height)
  let at = 0
  for (let channel = 0; channel < planes.channels; channel++) {
    for (let y = 0; y < height; y++) {
      const row = (channel * planes.height + reflected(top + y, planes.height)) * planes.width
      for (const column of columns) values[at++] = planes.values[row + column] ?? 0
    }
  }
  return { channels: planes.channels, width, height, values }
}

/** The border pixel itself is not repeated. */
function reflected(place: number, length: number): number {
  if (length === 1) return 0
  const period = 2 * (length - 1)
  const within = place % period
  return within < length ? within : period - within
}

/** The part of a tile's answer that counts: half of an overlap belongs to the tile before. In pixels of the answer. */
export function partOf(
  { left, top, width, height }: Tile,
  { overlap }: Layout,
  { factor, size }: { factor: number; size: Size },
): { fromX: number; fromY: number; left: number; top: number; width: number; height: number } {
  const skipX = left > 0 ? (overlap[0] >> 1) * factor : 0
  const skipY = top > 0 ? (overlap[1] >> 1) * factor : 0
  const right = Math.min((left + width) * factor, size.width * factor)
  const bottom = Math.min((top + height) * factor, size.height * factor)
  const [startX, startY] = [left * factor + skipX, top * factor + skipY]
  return {
    ...{ fromX: skipX, fromY: skipY, left: startX, top: startY },
    ...{ width: Math.max(0, right - startX), height: Math.max(0, bottom - startY) },
  }
}

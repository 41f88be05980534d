/** A large picture by the tiles of its pyramid: only what is seen is fetched, and a bounded number of tiles is kept. */
import type { LabelImage } from '@neuroloom/contract/labelling/labelling'
import type { SeenPane as Seen } from '../canvas/pane.ts'
import type { Size } from '../canvas/plane.ts'
import { ground, seenPart } from './ground.ts'
import type { Source } from './source.ts'

export type Tiles = NonNullable<LabelImage['tiles']>
/** Fetches one tile; whoever draws by other means (a bench) gives its own. */
export type LoadTile = (
  at: { level: number; x: number; y: number },
  signal: AbortSignal,
) => Promise<ImageBitmap>

/** Of decoded tiles: 4 bytes a pixel. */
const CACHE_BYTES = 192 * 1024 * 1024
const AT_ONCE = 6

type Tile = { bitmap: ImageBitmap | null; used: number }
type Place = { level: number; x: number; y: number }

export function tilesSource(tiles: Tiles, size: Size, load: LoadTile = loader(tiles)): Source {
  const cache = new Map<string, Tile>()
  const most = Math.max(64, Math.floor(CACHE_BYTES / (4 * tiles.side ** 2)))
  const stop = new AbortController()
  let wanted: Place[] = []
  let running = 0
  let clock = 0
  let tell = () => {}

  return {
    size,
    onNews: (listener) => {
      tell = listener
    },
    draw(context, seen) {
      ground(context, seen.area)
      clock++
      const level = levelFor(seen.view.scale, tiles)
      const missing: Place[] = []
      for (const place of placesIn(seen, { level, side: tiles.side })) {
        const found = cache.get(keyOf(place))
        if (found?.bitmap) found.used = clock
        else if (!found) missing.push(place)
        drawBest(context, place, seen)
      }
      wanted = missing
      next()
    },
    async pixels(_, { left, top, right, bottom }) {
      const [width, height] = [right - left, bottom - top]
      const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
      if (!context) throw new Error('no drawing here')
      const { side } = tiles
      const places: Place[] = []
      for (let y = Math.floor(top / side); y * side < bottom; y++)
        for (let x = Math.floor(left / side); x * side < right; x++) places.push({ level: 0, x, y })
      for (const place of places) {
        const bitmap = cache.get(keyOf(place))?.bitmap ?? (await load(place, stop.signal))
        context.drawImage(bitmap, place.x * side - left, place.y * side - top)
      }
      return { width, height, values: context.getImageData(0, 0, width, height).data }
    },
    close() {
      stop.abort()
      for (const { bitmap } of cache.values()) bitmap?.close()
      cache.clear()
    },
  }

  function next(): void {
    while (running < AT_ONCE) {
      const place = wanted.shift()
      if (!place) return
      void fetchOne(place)
    }
  }

  async function fetchOne(place: Place): Promise<void> {
    const key = keyOf(place)
    const tile: Tile = { bitmap: null, used: clock }
    cache.set(key, tile)
    running++
    try {
      tile.bitmap = await load(place, stop.signal)
      forget()
      tell()
    } catch {
      // Asked for again when it is seen next.
      cache.delete(key)
    } finally {
      running--
      if (!stop.signal.aborted) next()
    }
  }

  /** The tiles that were not seen for the longest time go; the last level stays as a ground for all others. */
  function forget(): void {
    const old = [...cache].filter(([, { bitmap, used }]) => bitmap && used < clock)
    old.sort(([, one], [, other]) => one.used - other.used)
    for (const [key, tile] of old.slice(0, Math.max(0, cache.size - most))) {
      tile.bitmap?.close()
      cache.delete(key)
    }
  }

  /** The tile itself, else the part of a coarser one that is there. */
  function drawBest(context: CanvasRenderingContext2D, { level, x, y }: Place, seen: Seen): void {
    for (let up = 0; level + up < tiles.levels; up++) {
      const place = { level: level + up, x: x >> up, y: y >> up }
      const bitmap = cache.get(keyOf(place))?.bitmap
      if (!bitmap) continue
      const part = tiles.side >> up
      const [left, top] = [(x - (place.x << up)) * part, (y - (place.y << up)) * part]
      const [wide, tall] = [Math.min(part, bitmap.width - left), Math.min(part, bitmap.height - top)]
      if (wide <= 0 || tall <= 0) return
      const pixel = 2 ** place.level
      const to = onScreen(seen, {
        left: (place.x * tiles.side + left) * pixel,
        top: (place.y * tiles.side + top) * pixel,
        right: (place.x * tiles.side + left + wide) * pixel,
        bottom: (place.y * tiles.side + top + tall) * pixel,
      })
      context.imageSmoothingEnabled = seen.view.scale < 2 && !seen.isMoving
      context.drawImage(bitmap, left, top, wide, tall, to.x, to.y, to.width, to.height)
      return
    }
  }
}

/** Whole device pixels, so that no line is seen between tiles. */
function onScreen({ view, plane }: Seen, at: { left: number; top: number; right: number; bottom: number }) {
  const x = Math.round((at.left - view.x) * view.scale)
  const y = Math.round((at.top - view.y) * view.scale)
  const right = Math.round((Math.min(at.right, plane.width) - view.x) * view.scale)
  const bottom = Math.round((Math.min(at.bottom, plane.height) - view.y) * view.scale)
  return { x, y, width: right - x, height: bottom - y }
}

/** The coarsest level that is as fine as the screen. */
export const levelFor = (scale: number, { levels }: Pick<Tiles, 'levels'>): number =>
  Math.min(Math.max(Math.floor(Math.log2(1 / scale)), 0), levels - 1)

function* placesIn(seen: Seen, { level, side }: { level: number; side: number }): Generator<Place> {
  const { x, y, width, height } = seenPart(seen)
  const step = side * 2 ** level
  for (let row = Math.floor(y / step); row * step < y + height; row++)
    for (let column = Math.floor(x / step); column * step < x + width; column++)
      yield { level, x: column, y: row }
}

const keyOf = ({ level, x, y }: Place): string => `${level}/${x}/${y}`

const loader =
  ({ url }: Tiles): LoadTile =>
  async ({ level, x, y }, signal) => {
    const filled = url.replace('{level}', `${level}`).replace('{x}', `${x}`).replace('{y}', `${y}`)
    const answer = await fetch(filled, { signal })
    if (!answer.ok) throw new Error(`the tile answered ${answer.status}`)
    return createImageBitmap(await answer.blob())
  }

/**
 * What a stroke changed, as bytes: for each tile runs of pixels with the segment before and after, so that any stroke can be
 * taken back without knowing the others. Also whole maps, as the change from an empty one. Numbers are LEB128.
 */
import {
  closeTile,
  makePixels,
  openTile,
  type PixelMap,
  placeOfTile,
  TILE,
  type Tile,
  tileCount,
} from './pixels.ts'

const AREA = TILE * TILE

/** Tiles as they were before a change; missing or 0 = empty. */
export type Kept = ReadonlyMap<number, Tile>

/** The change that led from `before` (only tiles that may have changed) to the map as it is; null = nothing changed. */
export function patchOf(map: PixelMap, before: Kept): Uint8Array | null {
  const bytes = makeBytes()
  let last = -1
  for (const tile of [...before.keys()].sort((one, other) => one - other)) {
    if (putTile(bytes, { tile, last, runs: runsOf(map, tile, before.get(tile) ?? 0) })) last = tile
  }
  return last === -1 ? null : bytes.taken()
}

function putTile(
  bytes: Bytes,
  { tile, last, runs }: { tile: number; last: number; runs: number[] },
): boolean {
  if (runs.length === 0) return false
  bytes.put(tile - last)
  bytes.put(runs.length / 4)
  for (const number of runs) bytes.put(number)
  return true
}

/** The whole map, as a change from nothing. */
export const wholePatch = (map: PixelMap): Uint8Array | null =>
  patchOf(map, new Map([...map.tiles.keys()].map((tile) => [tile, 0])))

/** Four numbers a run: pixels passed over since the last one, its length, segment before, segment after. */
function runsOf(map: PixelMap, tile: number, before: Tile): number[] {
  const after = map.tiles.get(tile) ?? 0
  if (typeof before === 'number' && typeof after === 'number')
    return before === after ? [] : [0, AREA, before, after]
  const { width, height } = placeOfTile(map, tile)
  // As pixels both: loops over arrays of one kind take a tenth of the time.
  const [old, now] = [pixelsOf(before), pixelsOf(after)]
  const [oldTwo, nowTwo] = [twoByTwo(old), twoByTwo(now)]
  const runs: number[] = []
  let end = 0
  for (let y = 0; y < height; y++) {
    const rowEnd = y * TILE + width
    for (let at = y * TILE; at < rowEnd; ) {
      const was = old[at]
      const is = now[at]
      if (was === is) {
        at++
        // Most of a tile is as it was: two pixels at a time.
        if (at % 2 === 0) while (at + 1 < rowEnd && oldTwo[at >> 1] === nowTwo[at >> 1]) at += 2
        continue
      }
      let next = at + 1
      while (next < rowEnd && old[next] === was && now[next] === is) next++
      const isNext = at === end && runs.length > 0 && runs.at(-2) === was && runs.at(-1) === is
      // Rows of a tile that is wholly in the image run on into each other.
      if (isNext) runs[runs.length - 3] = (runs.at(-3) ?? 0) + next - at
      else runs.push(at - end, next - at, was ?? 0, is ?? 0)
      end = next
      at = next
    }
  }
  return runs
}

/** Only to be read. */
const pixelsOf = (tile: Tile): Uint16Array => {
  if (typeof tile !== 'number') return tile
  return tile === 0 ? nothing : new Uint16Array(AREA).fill(tile)
}
const twoByTwo = ({ buffer, byteOffset }: Uint16Array) => new Uint32Array(buffer, byteOffset, AREA / 2)
/** What most tiles were before. */
const nothing = new Uint16Array(AREA)

export type Run = { tile: number; start: number; length: number; before: number; after: number }

/** The runs of a patch in order. Throws `RangeError` for bytes that do not fit the image: they came over the wire. */
export function* runsIn(size: PixelMap['size'], patch: Uint8Array): Generator<Run> {
  const numbers = reader(patch)
  const tiles = tileCount({ size })
  for (let tile = -1; !numbers.isAtEnd(); ) {
    tile += within(numbers.next(), 1, tiles)
    if (tile >= tiles) throw new RangeError(`tile ${tile} of ${tiles}`)
    const count = within(numbers.next(), 1, AREA)
    for (let run = 0, at = 0; run < count; run++) {
      const start = at + within(numbers.next(), 0, AREA)
      const length = within(numbers.next(), 1, AREA)
      at = start + length
      if (at > AREA) throw new RangeError(`run up to ${at} of ${AREA}`)
      yield {
        tile,
        start,
        length,
        before: within(numbers.next(), 0, MOST),
        after: within(numbers.next(), 0, MOST),
      }
    }
  }
}

const MOST = 65_535

function within(number: number, least: number, most: number): number {
  if (number < least || number > most) throw new RangeError(`${number} is not within ${least} and ${most}`)
  return number
}

/** Makes the change. What other strokes did to the same pixels meanwhile is drawn over: the later stroke lies on top. */
export function applyPatch(map: PixelMap, patch: Uint8Array, before?: (tile: number) => void): void {
  each(map, patch, before, (pixels, { start, length, after }) => pixels.fill(after, start, start + length))
}

/** Takes the change back where it still shows: pixels that somebody drew over since keep what was drawn. */
export function takeBack(map: PixelMap, patch: Uint8Array, before?: (tile: number) => void): void {
  each(map, patch, before, (pixels, run) => {
    for (let at = run.start; at < run.start + run.length; at++)
      if (pixels[at] === run.after) pixels[at] = run.before
  })
}

function each(
  map: PixelMap,
  patch: Uint8Array,
  before: ((tile: number) => void) | undefined,
  change: (pixels: Uint16Array, run: Run) => void,
): void {
  let last = -1
  let pixels: Uint16Array = new Uint16Array(0)
  for (const run of runsIn(map.size, patch)) {
    if (run.tile !== last) {
      if (last !== -1) closeTile(map, last)
      before?.(run.tile)
      pixels = openTile(map, run.tile)
      last = run.tile
    }
    change(pixels, run)
  }
  if (last !== -1) closeTile(map, last)
}

/** A map from the bytes of `wholePatch`; null = nothing marked. */
export function mapFrom(size: PixelMap['size'], whole: Uint8Array | null): PixelMap {
  const map = makePixels(size)
  if (whole) applyPatch(map, whole)
  return map
}

/**
 * Changes made one after the other upon nothing, as one whole map: what `wholePatch` gives of it. However many tiles they
 * touch, one alone is open at a time; after each the caller may let others have their turn. Throws as `runsIn`.
 */
export function* folding(
  size: PixelMap['size'],
  patches: readonly Uint8Array[],
): Generator<void, Uint8Array | null> {
  const sources = patches.map((patch) => {
    const runs = runsIn(size, patch)
    return { runs, run: nextOf(runs) }
  })
  const bytes = makeBytes()
  const pixels = new Uint16Array(AREA)
  let last = -1
  for (;;) {
    const tile = sources.reduce((least, { run }) => Math.min(least, run?.tile ?? least), NO_TILE)
    if (tile === NO_TILE) return last === -1 ? null : bytes.taken()
    const map = { size, tiles: new Map([[tile, pixels.fill(0)]]) }
    for (const source of sources)
      for (; source.run?.tile === tile; source.run = nextOf(source.runs))
        pixels.fill(source.run.after, source.run.start, source.run.start + source.run.length)
    closeTile(map, tile)
    if (putTile(bytes, { tile, last, runs: runsOf(map, tile, 0) })) last = tile
    yield
  }
}

const NO_TILE = Number.POSITIVE_INFINITY

function nextOf(runs: Generator<Run>): Run | null {
  const { value, done } = runs.next()
  return done ? null : value
}

/** Of a whole map one slice after the other, to be asked for from the first on. Throws as `runsIn`. */
export function slicesOf(size: PixelMap['size'], whole: Uint8Array): (z: number) => PixelMap {
  const runs = runsIn(size, whole)
  let run = nextOf(runs)
  return (z) => {
    const map = makePixels(size)
    const sliceOf = (tile: number): number => placeOfTile(map, tile).z
    for (; run && sliceOf(run.tile) <= z; run = nextOf(runs)) {
      if (sliceOf(run.tile) === z) openTile(map, run.tile).fill(run.after, run.start, run.start + run.length)
    }
    return map
  }
}

type Bytes = ReturnType<typeof makeBytes>

function makeBytes() {
  let bytes = new Uint8Array(1024)
  let length = 0
  return {
    put(number: number): void {
      if (length + 5 > bytes.length) {
        const larger = new Uint8Array(bytes.length * 2)
        larger.set(bytes)
        bytes = larger
      }
      let rest = number
      while (rest > 127) {
        bytes[length++] = (rest & 127) | 128
        rest >>>= 7
      }
      bytes[length++] = rest
    },
    taken: (): Uint8Array => bytes.slice(0, length),
  }
}

function reader(bytes: Uint8Array) {
  let at = 0
  return {
    isAtEnd: (): boolean => at >= bytes.length,
    next(): number {
      let number = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++]
        if (byte === undefined || shift > 28) throw new RangeError('the bytes end within a number')
        number |= (byte & 127) << shift
        if (byte < 128) return number >>> 0
      }
    },
  }
}

/**
 * What strokes change in the map of pixels, put into words little by little: each recording keeps tiles as they were before
 * their first change, so what a stroke left behind is known even when later ones have drawn over it.
 */
import { toBase64 } from '@neuroloom/contract/labelling/base64'
import { patchOf } from '@neuroloom/contract/labelling/patch'
import { closeTile, type PixelMap, type Tile } from '@neuroloom/contract/labelling/pixels'

/** Tiles as they were before; closed when no more of the stroke follows. */
type Recording = { before: Map<number, Tile> }

export class Recordings {
  readonly #map: PixelMap
  /** The earliest first; the last one may still grow. */
  readonly #all: Recording[] = []
  #open: Recording | null = null

  constructor(map: PixelMap) {
    this.#map = map
  }

  /** Asked ahead of each change of a tile. */
  readonly keep = (tile: number): void => {
    this.#open ??= this.#begin()
    const { before } = this.#open
    if (before.has(tile)) return
    const found = this.#map.tiles.get(tile) ?? 0
    before.set(tile, typeof found === 'number' ? found : found.slice())
  }

  /** True where something was kept since the last call: then `next` will tell it. */
  close(): boolean {
    const isAny = this.#open !== null
    this.#open = null
    return isAny
  }

  /** Tiles that are kept for what is not told yet. */
  get waiting(): number {
    return this.#all.reduce((sum, { before }) => sum + before.size, 0)
  }

  /**
   * Tells the earliest closed recording, tile by tile; the generator yields between tiles, so that it can rest while somebody
   * draws. Returns the parts of the patch, each of at most `limit` signs.
   */
  *next(limit: number): Generator<undefined, string[]> {
    const recording = this.#all[0]
    if (!recording || recording === this.#open) return []
    const parts: Uint8Array[][] = [[]]
    let bytes = 0
    for (const tile of [...recording.before.keys()].sort((one, other) => one - other)) {
      const patch = this.#told(recording, tile)
      if (patch !== null) {
        if (bytes > 0 && bytes + patch.length > (limit * 3) / 4 - 8) {
          parts.push([])
          bytes = 0
        }
        parts.at(-1)?.push(patch)
        bytes += patch.length
      }
      yield
    }
    this.#all.shift()
    return parts.filter(({ length }) => length > 0).map((part) => toBase64(joined(part)))
  }

  #begin(): Recording {
    const begun = { before: new Map<number, Tile>() }
    this.#all.push(begun)
    return begun
  }

  /** The change of one tile: to what the next recording found there, else to what is there now. */
  #told(recording: Recording, tile: number): Uint8Array | null {
    const later = this.#all.slice(this.#all.indexOf(recording) + 1).find(({ before }) => before.has(tile))
    if (!later) closeTile(this.#map, tile)
    const after = later ? (later.before.get(tile) ?? 0) : (this.#map.tiles.get(tile) ?? 0)
    const one: PixelMap = { size: this.#map.size, tiles: new Map([[tile, after]]) }
    return patchOf(one, new Map([[tile, recording.before.get(tile) ?? 0]]))
  }
}

/** Patches of single tiles in their order as one: each names its tile by the distance from the one before it. */
export function joined(patches: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(patches.reduce((sum, { length }) => sum + length, 0))
  let length = 0
  let last = -1
  for (const patch of patches) {
    let [tile, read] = [-1, 0]
    for (let shift = 0; ; shift += 7) {
      const byte = patch[read++] ?? 0
      tile += (byte & 127) * 2 ** shift
      if (byte < 128) break
    }
    for (let rest = tile - last; ; rest = Math.floor(rest / 128)) {
      bytes[length++] = rest > 127 ? (rest % 128) | 128 : rest
      if (rest <= 127) break
    }
    bytes.set(patch.subarray(read), length)
    length += patch.length - read
    last = tile
  }
  return bytes.slice(0, length)
}

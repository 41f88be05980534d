/** Marks of a file beside, or in the place of, those of a reading; and the steps that lead from one to the other. */

import { patchOf } from '@neuroloom/contract/labelling/patch'
import {
  closeTile,
  makePixels,
  openTile,
  type PixelMap,
  type Tile,
} from '@neuroloom/contract/labelling/pixels'
import type { Marks } from '@neuroloom/contract/labelling/steps'
import { labelling as limits } from '@neuroloom/contract/limits'
import { freeNumber } from '../formats/segments.ts'
import type { StoredDeed } from '../tables.ts'

type Given = {
  /** Classes of the set by the names in the files; missing = nothing. */
  classes: Readonly<Record<string, string>>
  way: 'add' | 'replace'
  oneTag: boolean
  /** Of the exchange, from which numbers of new things and tracks are made. */
  id: string
}

export function merged(before: Marks, read: Marks, { classes, way, oneTag, id }: Given): Marks {
  const isAdding = way === 'add'
  const told = read.tags.flatMap((name) => classes[name] ?? [])
  const all = [...new Set([...(isAdding ? before.tags : []), ...told])]
  const after: Marks = {
    tags: oneTag ? all.slice(0, 1) : all,
    things: new Map(isAdding ? before.things : []),
    segments: new Map(isAdding ? before.segments : []),
    pixels: isAdding ? copyOf(before.pixels) : makePixels(before.pixels.size),
  }
  let number = 0
  for (const thing of read.things.values()) {
    const owner = classes[thing.class]
    if (owner === undefined) continue
    const own = `${id}-${(number++).toString(36)}`
    const track = thing.track === null ? null : `${id}-${thing.track}`.slice(0, 24)
    after.things.set(own, { ...thing, id: own, class: owner, track })
  }
  const table = new Uint16Array(65_536)
  for (const segment of read.segments.values()) {
    const owner = classes[segment.class]
    const next = owner === undefined ? null : freeNumber(after)
    if (owner === undefined || next === null) continue
    after.segments.set(next, { number: next, class: owner, by: segment.by })
    table[segment.number] = next
  }
  lay(after.pixels, read.pixels, table)
  return after
}

const copyOf = ({ size, tiles }: PixelMap): PixelMap => ({
  size,
  tiles: new Map([...tiles].map(([at, tile]) => [at, typeof tile === 'number' ? tile : tile.slice()])),
})

/** What comes in lies on top. */
function lay(map: PixelMap, read: PixelMap, table: Uint16Array): void {
  for (const [at, tile] of read.tiles) {
    const pixels = openTile(map, at)
    for (let pixel = 0; pixel < pixels.length; pixel++) {
      const number = table[typeof tile === 'number' ? tile : (tile[pixel] ?? 0)] ?? 0
      if (number !== 0) pixels[pixel] = number
    }
    closeTile(map, at)
  }
}

export type Change = { deed: StoredDeed; patch: Buffer | null }

export function* changes(before: Marks, after: Marks): Generator<Change> {
  if (before.tags.join() !== after.tags.join())
    yield { deed: { do: 'tags', before: [...before.tags], after: [...after.tags] }, patch: null }
  for (const [id, thing] of before.things)
    if (!after.things.has(id)) yield { deed: { do: 'thing', before: thing, after: null }, patch: null }
  for (const [number, segment] of before.segments)
    if (!after.segments.has(number))
      yield { deed: { do: 'segment', before: segment, after: null }, patch: null }
  for (const [number, segment] of after.segments) {
    const was = before.segments.get(number) ?? null
    if (was?.class !== segment.class)
      yield { deed: { do: 'segment', before: was, after: segment }, patch: null }
  }
  const tiles = [...new Set([...before.pixels.tiles.keys(), ...after.pixels.tiles.keys()])].sort(
    (a, b) => a - b,
  )
  for (const patch of patches(before.pixels, after.pixels, tiles))
    yield { deed: { do: 'pixels' }, patch: Buffer.from(patch) }
  for (const [id, thing] of after.things)
    if (!before.things.has(id)) yield { deed: { do: 'thing', before: null, after: thing }, patch: null }
}

/** As they travel in base64, each within its limit: halved until they are. */
function patches(before: PixelMap, after: PixelMap, tiles: readonly number[]): Uint8Array[] {
  const kept = new Map<number, Tile>(tiles.map((tile) => [tile, before.tiles.get(tile) ?? 0]))
  const patch = patchOf(after, kept)
  if (patch === null) return []
  if (tiles.length === 1 || patch.length * (4 / 3) < limits.patchLength - 4) return [patch]
  const half = tiles.length >> 1
  return [...patches(before, after, tiles.slice(0, half)), ...patches(before, after, tiles.slice(half))]
}

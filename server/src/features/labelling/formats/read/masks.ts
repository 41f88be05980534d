/** Masks as pictures and volumes: numbers of classes, colours, one file a class, single bodies (3D Slicer, DICOM-SEG). */
import type { PixelMap, Tile } from '@neuroloom/contract/labelling/pixels'
import { maskWords } from '@neuroloom/contract/reading/pair-words'
import { baseOf, commonStem, folderOf } from '../../../datasets/service.ts'
import { cropOf, extentsOf, freeNumber } from '../segments.ts'
import type { Found, FoundClass, Target } from '../shapes.ts'
import type { Decoded, From } from './from.ts'
import { type Gathered, gather } from './gather.ts'
import { laidInto, placingOf } from './placing.ts'
import { namesBeside } from './tables.ts'

const ENDING = /\.(seg\.nrrd|nii\.gz|nii|nrrd|mha|png|bmp|gif|tiff?|dcm)$/i

/** A file, the image that it is about, which slice of it, and what the names around say of its class. */
type Mask = { path: string; target: Target; slice: number | null; word: string }

export async function* readMasks(from: From): AsyncIterable<Found> {
  const { masks, without } = masksIn(from)
  for (const path of without)
    yield { kind: 'problem', path, reason: 'image_missing', params: { name: baseOf(path) } }
  const counts = new Map<string, number>()
  const placeOf = ({ target, slice }: Mask): string => `${target.name}\n${slice}`
  for (const mask of masks) counts.set(placeOf(mask), (counts.get(placeOf(mask)) ?? 0) + 1)
  const names = await namesBeside(from)
  const classes = new Map<string, FoundClass>()
  const colours = new Map<string, string>()
  // All files of an image one after the other, so that one image at a time is in memory.
  const sorted = [...masks].sort(
    (a, b) => (a.target.name < b.target.name ? -1 : 1) * Number(a.target !== b.target),
  )
  let gathered: Gathered | null = null
  let index = 0
  for await (const decoded of from.masks(sorted.map(({ path }) => path))) {
    const mask = sorted[index++]
    if (!mask) break
    if (gathered && gathered.target !== mask.target) yield* gathered.found()
    if (gathered?.target !== mask.target) gathered = gather(mask.path, mask.target)
    if ('refused' in decoded) {
      const { name } = decoded.refused
      yield {
        ...{ kind: 'problem', path: mask.path },
        ...(name === 'no_whole_numbers' || name === 'photograph'
          ? { reason: 'no_whole_numbers', params: {} }
          : { reason: 'picture_refused', params: { why: name } }),
      }
    } else {
      const isOneOfMany = (counts.get(placeOf(mask)) ?? 0) > 1
      for (const found of addDecoded(gathered, { mask, decoded, names, colours, isOneOfMany }))
        if (!classes.has(found.name)) classes.set(found.name, found)
    }
  }
  if (gathered) yield* gathered.found()
  for (const found of classes.values()) yield { kind: 'class', class: found }
}

/** Where folders or names say that they are masks, the others are the images themselves. */
function masksIn(from: From): { masks: Mask[]; without: string[] } {
  const all = from.paths.filter((path) => ENDING.test(path))
  const said = all.filter((path) => /mask|label|seg|annot|truth|(^|[/_.-])gt/i.test(path))
  const own = said.flatMap((path) => maskOf(path, from) ?? [])
  const masks = own.length > 0 ? own : all.flatMap((path) => maskOf(path, from) ?? [])
  const used = new Set(masks.map(({ path }) => path))
  // Slices of a series that lies beside its masks are no masks without an image.
  const others = own.length > 0 || masks.length === 0 ? said : all.filter((path) => !/\.dcm$/i.test(path))
  return { masks, without: others.filter((path) => !used.has(path)) }
}

function maskOf(path: string, from: From): Mask | null {
  const bare = path.replace(ENDING, '')
  const word = (target: Target, rest: string): string => wordIn(rest, target.name)
  const number = /^\d{1,6}$/.test(baseOf(bare)) ? Number(baseOf(bare)) : null
  const stack = number === null ? null : from.find(folderOf(bare))
  if (stack && number !== null && stack.size[2] > 1 && number >= 1 && number <= stack.size[2])
    return { path, target: stack, slice: number - 1, word: word(stack, folderOf(bare)) }
  const target = from.find(bare) ?? alike(bare, from)
  return target && { path, target, slice: null, word: word(target, bare) }
}

/** `scan_7_mask` and `scan_7-label` are about `scan_7`. */
function alike(bare: string, { find, targets }: From): Target | null {
  const cut = bare.replace(/([-_. ](mask|label|labels|seg|segmentation|gt|labelmap|truth))+$/i, '')
  const found = cut === bare ? null : find(cut)
  if (found) return found
  const stem = commonStem(`${bare}.png`, maskWords)
  const same = targets.filter(({ name }) => commonStem(name, maskWords) === stem)
  return same.length === 1 ? (same[0] ?? null) : null
}

/** What a path says beside the image's own and words for masks: `masks/lesion/7` of `7.png` → `lesion`. */
function wordIn(bare: string, target: string): string {
  const known = new Set(
    target
      .replace(/\.nii\.gz$|\.[^./]+$/i, '')
      .toLowerCase()
      .split('/'),
  )
  const stem = [...known].at(-1) ?? ''
  const parts = bare.split('/').flatMap((part) => {
    const lower = part.toLowerCase()
    if (known.has(lower)) return []
    return lower.startsWith(stem) ? [part.slice(stem.length)] : [part]
  })
  const plain = /^(masks?|labels?|segmentations?|annotations?|ground.?truth|gt|png|images?|train|val|test)$/i
  const words = parts
    .map((part) => part.replace(/^[-_. ]+/, ''))
    .filter((part) => part !== '' && !plain.test(part))
  // Signs that folders may not have, as we write them.
  const signs = /%(2F|5C|3A|2A|3F|22|3C|3E|7C|25|2E|20)/g
  const word = (words.at(-1) ?? '').replace(signs, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return word.normalize('NFC')
}

type Adding = {
  mask: Mask
  decoded: Decoded
  names: ReadonlyMap<string, string>
  /** What colours that nothing names were called in the files before. */
  colours: Map<string, string>
  isOneOfMany: boolean
}

/** The classes that it holds. */
function addDecoded(
  gathered: Gathered,
  { mask, decoded, names, colours, isOneOfMany }: Adding,
): FoundClass[] {
  const { target, slice } = mask
  const whole = slice === null ? target : { ...target, size: flatSize(target), geometry: null }
  const placing = placingOf(decoded, whole)
  if (placing !== 'same' && 'reason' in placing) {
    const [width, height, slices] = target.size
    const [maskWidth, maskHeight, maskSlices] = decoded.size
    gathered.problems.push({
      path: mask.path,
      reason: placing.reason,
      params: { ...{ name: target.name, width, height, slices }, ...{ maskWidth, maskHeight, maskSlices } },
    })
    return []
  }
  const own = decoded.values.filter(({ value }) => value !== 0)
  const isSingle = !decoded.areBodies && own.length === 1 && !names.has(keyOf(own[0]))
  const classes: FoundClass[] = []
  const numbers = new Map<string, number>()
  for (const [layer, map] of decoded.layers.entries()) {
    const { map: placed, isCut } = laidInto(map, placing, whole.size)
    if (isCut) gathered.problems.push({ path: mask.path, reason: 'mask_cut', params: { name: target.name } })
    const told = own.filter((one) => one.layer === layer)
    const known = told.map((one) => {
      const found = classOf(one, {
        mask,
        names,
        colours,
        isNamedByPath: isOneOfMany || isSingle,
        all: own.map(({ value }) => value),
      })
      classes.push(found)
      return { ...one, name: found.name }
    })
    lay(gathered, placed, {
      known,
      numbers,
      slice: slice ?? 0,
      areBodies: decoded.areBodies,
      path: mask.path,
    })
  }
  return classes
}

const flatSize = ({ size: [x, y] }: Target): [number, number, number] => [x, y, 1]

type Told = Decoded['values'][number]
const keyOf = (one: Told | undefined): string => one?.colour ?? String(one?.value ?? '')

type Naming = {
  mask: Mask
  names: ReadonlyMap<string, string>
  colours: Map<string, string>
  isNamedByPath: boolean
  all: readonly number[]
}

/** Brighter values are drawn to be seen: of one alone nothing tells a number. */
const MAX_INDEX = 63

function classOf(one: Told, { mask, names, colours, isNamedByPath, all }: Naming): FoundClass {
  const { value, colour } = one
  const isIgnored = value === 255 && all.some((other) => other < 255)
  const said = one.name ?? (colour === null ? undefined : names.get(colour)) ?? names.get(String(value))
  const byPath = isNamedByPath && mask.word !== '' ? mask.word : undefined
  const numbered = `class ${isNamedByPath && value > MAX_INDEX ? 1 : value}`
  const unnamed = (): string => (colour === null ? numbered : nameOfColour(colour, numbered, colours))
  const name =
    (isNamedByPath ? (one.name ?? byPath) : undefined) ?? said ?? (isIgnored ? 'ignore' : unnamed())
  return { name: name.normalize('NFC'), colour, use: isIgnored ? 'ignore' : 'class', skeleton: null }
}

/** Programs number colours as they come, in another way in each file: what the first file calls one, it is called in all. */
function nameOfColour(colour: string, numbered: string, colours: Map<string, string>): string {
  const isTaken = [...colours].some(([other, name]) => name === numbered && other !== colour)
  const name = colours.get(colour) ?? (isTaken ? colour : numbered)
  colours.set(colour, name)
  return name
}

type Laying = {
  known: (Told & { name: string })[]
  numbers: Map<string, number>
  slice: number
  areBodies: boolean
  path: string
}

/** Segments of a class, or of each body; into an empty map whole tiles at once. */
function lay(gathered: Gathered, map: PixelMap, { known, numbers, slice, areBodies, path }: Laying): void {
  const { marks, target } = gathered
  const isWhole = marks.pixels.tiles.size === 0 && map.size.every((side, axis) => side === target.size[axis])
  const segmentOf = (one: Told & { name: string }): number | null => {
    const key = areBodies ? one.body : one.name
    const given =
      numbers.get(key) ?? (areBodies ? undefined : existing(gathered, one.name)) ?? freeNumber(marks)
    if (given !== null) {
      numbers.set(key, given)
      if (!marks.segments.has(given))
        marks.segments.set(given, { number: given, class: one.name, by: 'file' })
    }
    return given
  }
  if (isWhole) {
    const table = new Uint16Array(65_536)
    for (const one of known) table[one.value] = segmentOf(one) ?? 0
    for (const [at, tile] of map.tiles) marks.pixels.tiles.set(at, renumbered(tile, table))
    return
  }
  const byValue = new Map(known.map((one) => [one.value, one]))
  for (const extent of extentsOf(map)) {
    const one = byValue.get(extent.number)
    const segment = one ? segmentOf(one) : null
    if (one && segment !== null)
      gathered.mask(
        cropOf(map, extent),
        { class: one.name, slice: slice + extent.slice, at: { file: path } },
        segment,
      )
  }
}

/** A class has one segment, also where several files, one a slice, tell of it. */
const existing = ({ marks }: Gathered, name: string): number | undefined =>
  [...marks.segments.values()].find((segment) => segment.class === name)?.number

const renumbered = (tile: Tile, table: Uint16Array): Tile =>
  typeof tile === 'number' ? (table[tile] ?? 0) : tile.map((number) => table[number] ?? 0)

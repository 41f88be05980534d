/** Masks of Pascal VOC: which class each pixel has, and which single thing it belongs to. */
import { fillRow, type PixelMap, segmentAt } from '@neuroloom/contract/labelling/pixels'
import { isTextName } from '../../../datasets/service.ts'
import { cropOf, extentsOf, freeNumber } from '../segments.ts'
import type { Found } from '../shapes.ts'
import { IGNORED } from '../values.ts'
import type { Decoded, From } from './from.ts'
import { type Gathered, gather } from './gather.ts'
import { namesBeside } from './tables.ts'

const CLASSES = /(^|\/)SegmentationClass\//i
const THINGS = /(^|\/)SegmentationObject\//i

/** The twenty of the challenge, in the order of their numbers. */
const challenge = (
  'aeroplane bicycle bird boat bottle bus car cat chair cow diningtable dog horse motorbike person pottedplant sheep sofa ' +
  'train tvmonitor'
).split(' ')

export async function* readVocMasks(from: From, all: Map<string, Gathered>): AsyncIterable<Found> {
  const found = from.paths.filter((path) => CLASSES.test(path) && isTextName(path, ['png']))
  const classes = found.filter((path) => from.find(imageOf(path)))
  for (const path of found)
    if (!classes.includes(path))
      yield { kind: 'problem', path, reason: 'image_missing', params: { name: imageOf(path) } }
  if (classes.length === 0) return
  const things = new Map(
    from.paths.filter((path) => THINGS.test(path)).map((path) => [path.replace(THINGS, '$1'), path]),
  )
  const names = await namesBeside(from)
  const used = new Map<string, 'class' | 'ignore'>()
  const asked = classes.flatMap((path) => [path, things.get(path.replace(CLASSES, '$1')) ?? []].flat())
  let open: Decoded | null = null
  for await (const decoded of from.masks(asked)) {
    if ('refused' in decoded) {
      yield {
        kind: 'problem',
        path: decoded.path,
        reason: 'picture_refused',
        params: { why: decoded.refused.name },
      }
      if (CLASSES.test(decoded.path)) open = null
      continue
    }
    if (CLASSES.test(decoded.path)) {
      if (open) add(from, all, { classes: open, things: null, names, used })
      open = decoded
    } else if (open) {
      add(from, all, { classes: open, things: decoded, names, used })
      open = null
    }
  }
  if (open) add(from, all, { classes: open, things: null, names, used })
  for (const [name, use] of used) yield { kind: 'class', class: { name, use, colour: null, skeleton: null } }
}

const imageOf = (path: string): string => path.replace(/^.*?SegmentationClass\//i, '').replace(/\.png$/i, '')

type Adding = {
  classes: Decoded
  things: Decoded | null
  names: ReadonlyMap<string, string>
  used: Map<string, 'class' | 'ignore'>
}

function add(from: From, all: Map<string, Gathered>, { classes, things, names, used }: Adding): void {
  const target = from.find(imageOf(classes.path))
  if (!target) return
  const gathered = all.get(target.name) ?? gather(classes.path, target)
  all.set(target.name, gathered)
  const isFitting = classes.size.every((side, axis) => side === target.size[axis])
  if (!isFitting) {
    const [width, height] = target.size
    const [maskWidth, maskHeight] = classes.size
    gathered.refuse('size_differs', { width, height, maskWidth, maskHeight })
    return
  }
  const colours = new Map(classes.values.map(({ value, colour }) => [value, colour]))
  const classMap = classes.layers[0]
  if (!classMap) return
  const map = things?.layers[0] ? crossed(classMap, things.layers[0]) : { map: classMap, classes: null }
  for (const extent of extentsOf(map.map)) {
    const value = map.classes?.[extent.number] ?? extent.number
    const name = nameOf(value, colours.get(value) ?? null, names)
    used.set(name, value === IGNORED ? 'ignore' : 'class')
    const number = freeNumber(gathered.marks)
    if (number === null) {
      gathered.refuse('too_many', { limit: 65_535 })
      return
    }
    gathered.marks.segments.set(number, { number, class: name, by: 'file' })
    gathered.mask(cropOf(map.map, extent), { class: name, at: {} }, number)
  }
}

/** By number or colour; the challenge's own where no list is there. */
function nameOf(value: number, colour: string | null, names: ReadonlyMap<string, string>): string {
  const said = names.get(String(value)) ?? (colour === null ? undefined : names.get(colour))
  if (value === IGNORED) return said ?? 'ignore'
  return said ?? (names.size === 0 ? challenge[value - 1] : undefined) ?? `class ${value}`
}

/** Each pair of a class and a thing has a number of its own. */
function crossed(classMap: PixelMap, thingMap: PixelMap): { map: PixelMap; classes: number[] } {
  const numbers = new Map<string, number>()
  const classes: number[] = [0]
  const map: PixelMap = { size: classMap.size, tiles: new Map() }
  for (const { slice, x0, y0, x1, y1, number } of extentsOf(classMap)) {
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x++) {
        if (segmentAt(classMap, x, y, slice) !== number) continue
        const key = `${number} ${segmentAt(thingMap, x, y, slice)}`
        const known = numbers.get(key) ?? classes.push(number) - 1
        numbers.set(key, known)
        fillRow(map, { y, z: slice, from: x, to: x + 1, segment: known })
      }
  }
  return { map, classes }
}

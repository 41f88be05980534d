/** YOLO: a text an image; boxes, turned boxes, outlines or points, in shares of the image or, where some are larger than 1, in pixels. */
import { labelExchange, labelling as limits } from '@neuroloom/contract/limits'
import { parse } from 'yaml'
import * as z from 'zod'
import { baseOf, folderOf, isTextName, yoloNamesIn } from '../../../datasets/service.ts'
import { boxOfCorners, pairs } from '../geometry.ts'
import type { Found, FoundClass, Target } from '../shapes.ts'
import type { From } from './from.ts'
import { type Gathered, gather } from './gather.ts'

export async function* readYolo(from: From): AsyncIterable<Found> {
  const all = from.paths.filter((path) => isTextName(path, ['txt']) && !reserved.test(path))
  const texts = all.filter((path) => isLabelText(path, from))
  if (!texts.some((path) => imageOf(path, from))) return
  yield* withoutImage(from, all, texts)
  const head = await headOf(from)
  const names = head.names ?? []
  for (const name of names)
    yield { kind: 'class', class: { name, colour: null, use: 'class', skeleton: skeletonOf(head) } }
  const seen = new Set<string>()
  let most = names.length
  for (const path of texts) {
    const target = imageOf(path, from)
    if (!target) {
      yield { kind: 'problem', path, reason: 'image_missing', params: { name: baseOf(path) } }
      continue
    }
    if (seen.has(target.name)) {
      yield { kind: 'problem', path, reason: 'duplicate_entry', params: { name: baseOf(path) } }
      continue
    }
    seen.add(target.name)
    const text = await from.read(path, labelExchange.textBytes)
    const gathered = gather(path, target)
    if (text === null) gathered.refuse('file_unreadable', { line: 0 })
    else most = Math.max(most, readRows(gathered, text, { ...head, places: head.placesFor(path) }))
    yield* gathered.found()
  }
  for (let index = names.length; index < most; index++)
    yield { kind: 'class', class: { name: `class ${index}`, colour: null, use: 'class', skeleton: null } }
}

const reserved = /(^|\/)(classes|labels|labelmap|obj|train|val|test|readme)\.txt$/i
const isLabelText = (path: string, from: From): boolean =>
  /(^|\/)labels(\/|$)/i.test(folderOf(path)) || imageOf(path, from) !== null

/** Beside texts of images, those that are written like them and belong to no image. */
async function* withoutImage(
  { read }: From,
  all: readonly string[],
  texts: readonly string[],
): AsyncIterable<Found> {
  const folders = new Set(texts.map(folderOf))
  const known = new Set(texts)
  for (const path of all.filter((one) => !known.has(one) && folders.has(folderOf(one))))
    if (/^\s*\d+(\s+-?[\d.]+(e-?\d+)?){4,}\s*$/m.test((await read(path, labelExchange.textBytes)) ?? ''))
      yield { kind: 'problem', path, reason: 'image_missing', params: { name: baseOf(path) } }
}

/** `labels/train/7.txt` belongs to `images/train/7.png`. */
const imageOf = (path: string, { find }: From): Target | null => {
  const bare = path.slice(0, -'.txt'.length)
  return find(bare.replace(/(^|\/)labels\//i, '$1images/')) ?? find(bare.replace(/^.*?(^|\/)labels\//i, ''))
}

type Head = {
  names: string[] | null
  /** Of the numbers in this text, the class of each; null where every number is one. */
  placesFor: (path: string) => readonly number[] | null
  points: [number, number] | null
  pointNames: string[] | null
}

const headSchema = z.object({
  kpt_shape: z.tuple([z.int().min(1).max(limits.skeletonPoints), z.int().min(2).max(3)]).nullish(),
  kpt_names: z
    .union([z.array(z.string()), z.record(z.string(), z.array(z.string()))])
    .nullish()
    .catch(null),
})

async function headOf(from: From): Promise<Head> {
  const { classes, placesFor } = await yoloNamesIn(from)
  const names = classes?.map((name) => name.normalize('NFC')).slice(0, labelExchange.classes) ?? null
  return { names, placesFor, ...(await pointsIn(from)) }
}

async function pointsIn(from: From): Promise<Pick<Head, 'points' | 'pointNames'>> {
  const tables = from.paths.filter((one) => isTextName(one, ['yaml', 'yml']))
  for (const path of tables.slice(0, labelExchange.lists)) {
    const read = headSchema.safeParse(parsed((await from.read(path, labelExchange.textBytes)) ?? ''))
    const { kpt_shape: points = null, kpt_names: own = null } = read.success ? read.data : {}
    const pointNames = Array.isArray(own) ? own : (Object.values(own ?? {})[0] ?? null)
    if (points) return { points, pointNames }
  }
  return { points: null, pointNames: null }
}

function parsed(text: string): unknown {
  try {
    // Aliases that multiply are refused by the library.
    return parse(text)
  } catch {
    return null
  }
}

const skeletonOf = ({ points, pointNames }: Head): FoundClass['skeleton'] =>
  points && pointNames && pointNames.length === points[0] ? { points: pointNames, joins: [] } : null

/** How many classes its numbers ask for. */
function readRows(
  gathered: Gathered,
  text: string,
  head: Head & { places: readonly number[] | null },
): number {
  let most = 0
  const rows = text.split('\n').map((row) => row.trim().split(/\s+/))
  const numbers = rows.map((words) => words.map(Number))
  const isPixels = numbers.some((row) => row.slice(1, 5).some((value) => value > 2))
  for (const [index, row] of numbers.entries()) {
    if (rows[index]?.[0] === '') continue
    const at = { line: index + 1 }
    const [told = -1] = row
    const kind = head.places ? (head.places[told] ?? -1) : told
    if (!row.every(Number.isFinite)) gathered.refuse('unreadable', at)
    else if (!Number.isInteger(kind) || kind < 0 || kind >= (head.names?.length ?? labelExchange.classes))
      gathered.refuse('class_unknown', { ...at, class: told })
    else {
      most = Math.max(most, kind + 1)
      addRow(gathered, row.slice(1), { name: head.names?.[kind] ?? `class ${kind}`, head, isPixels, at })
    }
  }
  return most
}

type Row = { name: string; head: Head; isPixels: boolean; at: { line: number } }

function addRow(gathered: Gathered, values: readonly number[], { name, head, isPixels, at }: Row): void {
  const [width, height] = isPixels ? [1, 1] : gathered.target.size
  const about = { class: name, at }
  const flat = (shares: readonly number[]): number[] =>
    shares.map((share, index) => share * (index % 2 === 0 ? width : height))
  const [count, each] = head.points ?? [0, 0]
  if (head.points && values.length >= 4 + count * each) {
    const points = Array.from({ length: count }, (_, index) =>
      values.slice(4 + index * each, 4 + (index + 1) * each),
    )
    const seen = points.map(([x = 0, y = 0, state = x === 0 && y === 0 ? 0 : 2]) =>
      Math.min(2, Math.max(0, state)),
    )
    gathered.thing({ kind: 'points', points: flat(points.flatMap(([x = 0, y = 0]) => [x, y])), seen }, about)
  } else if (values.length === 4 || values.length === 5) {
    // A fifth number is how sure a network was.
    const [x = 0, y = 0, across = 0, down = 0] = flat(values)
    const box = { x: x - across / 2, y: y - down / 2, width: across, height: down }
    gathered.thing({ kind: 'box', ...box, angle: 0 }, about)
  } else if (values.length === 8 || values.length === 9) {
    const corners = pairs(flat(values.slice(0, 8)))
    const box = boxOfCorners(corners)
    gathered.thing(box ?? { kind: 'outline', rings: [corners.flat()] }, about)
  } else if (values.length >= 6 && values.length % 2 === 0) {
    gathered.thing({ kind: 'outline', rings: [flat(values)] }, about)
  } else gathered.refuse('unreadable', at)
}

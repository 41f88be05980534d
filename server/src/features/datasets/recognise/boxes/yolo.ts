/** Boxes as YOLO writes them: a text an image, a line a box, in shares of the image's width and height. */
import type { Problem } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { parse } from 'yaml'
import * as z from 'zod'
import { imageFinder, lackOf } from '../find-image.ts'
import { baseOf, folderOf, isTextName } from '../folder-names.ts'
import { readTexts } from '../read-texts.ts'
import type { Boxed, BoxedItem, Folder, ToldBox } from '../shapes.ts'
import { around, type Point, type Wanted } from './outlines.ts'
import { saysNothingNew, setAside } from './set-aside.ts'

/** Null when no text is called like an image. */
export async function yoloBoxes(
  folder: Folder,
  images: readonly string[],
  { withOutlines = false }: Wanted = {},
): Promise<Boxed | null> {
  const all = folder.paths.filter((path) => isTextName(path, ['txt']))
  const find = imageFinder(images).among(all.map(imagePath))
  const imageOf = (path: string): string | null => find(imagePath(path))
  const texts = all.filter((path) => isBoxText(path, imageOf))
  if (!texts.some((path) => imageOf(path) !== null)) return null
  const said = { ...(await describedIn(folder)), withOutlines }
  const { names } = said
  const items = new Map<string, BoxedItem>()
  const problems: Problem[] = []
  const named = new Set<string>()
  const spoilt = new Set<string>()
  for await (const { path, text } of readTexts(folder, texts, limits.textBytes)) {
    const image = imageOf(path)
    const params = { name: baseOf(path), line: 0 }
    if (image === null) problems.push({ path, reason: lackOf(imagePath(path), find), params })
    else if (named.has(image)) {
      problems.push({ path, reason: 'duplicate_entry', params })
      const { boxes, wrong } = readBoxes({ path, text, ...said })
      if (wrong || !saysNothingNew(items.get(image)?.boxes ?? [], boxes)) spoilt.add(image)
    } else {
      named.add(image)
      const { boxes, wrong } = readBoxes({ path, text, ...said })
      // Without one of its boxes an image would teach that there is nothing.
      if (wrong) problems.push(wrong)
      else items.set(image, { path: image, source: path, part: null, size: null, unit: 'shares', boxes })
    }
  }
  setAside({ items, problems, spoilt })
  return {
    layout: 'yolo',
    task: 'detection',
    classes: names ?? numbered(items),
    items: [...items.values()].sort((one, other) => (one.path < other.path ? -1 : 1)),
    problems,
    unlabelled: images.filter((path) => !named.has(path)),
  }
}

/** What lies in `labels`, and elsewhere what is called like an image. */
const isBoxText = (path: string, imageOf: (path: string) => string | null): boolean =>
  !isNamesText(path) && (isLabelFolder(folderOf(path)) || imageOf(path) !== null)

const isLabelFolder = (folder: string): boolean => folder.split('/').some((part) => /^labels$/i.test(part))

/** `labels/train/7.txt` belongs to `images/train/7.png`. */
function imagePath(path: string): string {
  const bare = path.replace(/\.[^.]*$/, '')
  return bare.replace(/(^|\/)labels\//i, '$1images/')
}

const isNamesText = (path: string): boolean => /(^|\/)(classes\.txt|[^/]+\.names)$/i.test(path)

const namesSchema = z.object({
  names: z.union([z.array(z.coerce.string()), z.record(z.string(), z.coerce.string())]),
})

type Described = {
  /** Null where nothing says how the classes are called. */
  names: string[] | null
  /** Numbers of key points after each box; 0 = none. */
  points: number
}

/** From `data.yaml` or a list. */
async function describedIn(folder: Folder): Promise<Described> {
  let points = 0
  for (const path of folder.paths.filter((one) => isTextName(one, ['yaml', 'yml'])).slice(0, limits.tables)) {
    const text = await folder.read(path, limits.textBytes)
    points ||= readPoints(text)
    const names = readYamlNames(text)
    if (names) return { names, points }
  }
  const list = folder.paths.find(isNamesText)
  const text = list === undefined ? null : await folder.read(list, limits.textBytes)
  const lines = text?.split(/\r?\n/).map((line) => line.trim()) ?? []
  const names = lines.filter((line) => line !== '').slice(0, limits.classes)
  return { names: names.length > 0 ? names : null, points }
}

const pointsSchema = z.object({ kpt_shape: z.tuple([z.int().min(1), z.int().min(2).max(3)]) })

/** `kpt_shape: [17, 3]` */
function readPoints(text: string | null): number {
  try {
    const [count, numbers] = pointsSchema.parse(parse(text ?? '')).kpt_shape
    return count * numbers
  } catch {
    return 0
  }
}

export function readYamlNames(text: string | null): string[] | null {
  if (text === null) return null
  try {
    // Aliases that multiply are refused by the library.
    const { names } = namesSchema.parse(parse(text))
    if (Array.isArray(names)) return names.slice(0, limits.classes)
    const last = Math.max(...Object.keys(names).map(Number))
    if (!(last < limits.classes)) return null
    return Array.from({ length: last + 1 }, (_, index) => names[String(index)] ?? `class ${index}`)
  } catch {
    return null
  }
}

type Text = Described & Required<Wanted> & { path: string; text: string | null }

function readBoxes({ path, text, names, points, withOutlines }: Text): {
  boxes: ToldBox[]
  wrong: Problem | null
} {
  const boxes: ToldBox[] = []
  const refused = (reason: Problem['reason'], params: Problem['params']) => ({
    boxes: [],
    wrong: { path, reason, params },
  })
  if (text === null) return refused('annotation_unreadable', { line: 0 })
  const rows = text.split('\n').map((row) => row.trim().split(/\s+/))
  const beyond = rows.findIndex((words) => words.slice(1).some((word) => isBeyond(Number(word))))
  // One cause for all lines: whoever writes pixels writes them everywhere.
  if (beyond >= 0 && points === 0) return refused('box_not_in_shares', { line: beyond + 1 })
  for (const [index, words] of rows.entries()) {
    const line = index + 1
    if (words[0] === '') continue
    const numbers = words.map(Number)
    if (!numbers.every(Number.isFinite)) return refused('annotation_unreadable', { line })
    const [kind = -1, ...sides] = numbers
    const box = boxOf(sides, points)
    if (box === null || boxes.length >= limits.boxes) return refused('annotation_unreadable', { line })
    if (!Number.isInteger(kind) || kind < 0 || kind >= (names?.length ?? limits.classes)) {
      return refused('class_unknown', { class: kind, line })
    }
    if ([box.x0 + box.x1, box.y0 + box.y1].some((double) => isBeyond(double / 2)))
      return refused('box_not_in_shares', { line })
    const isBorder = withOutlines && !isBox(sides, points)
    const outline = isBorder ? { outline: { polygons: [[pairsOf(sides)] as const] } } : {}
    boxes.push({ class: kind, ...box, number: line, ...outline })
  }
  return { boxes, wrong: null }
}

/** Shares are rounded, and drawn a little over the edge. */
const isBeyond = (share: number): boolean => share > 1.05 || share < -0.05

/** Middle and sides, also in front of key points; or the box round an outline or a turned box: pairs of coordinates. */
function boxOf(numbers: readonly number[], points: number): ReturnType<typeof around> | null {
  const [x = 0, y = 0, width = 0, height = 0] = numbers
  if (isBox(numbers, points))
    return { x0: x - width / 2, y0: y - height / 2, x1: x + width / 2, y1: y + height / 2 }
  if (numbers.length < 6 || numbers.length % 2 === 1 || arePoints(numbers)) return null
  return around(pairsOf(numbers))
}

const isBox = (numbers: readonly number[], points: number): boolean =>
  numbers.length === 4 || (points > 0 && numbers.length === 4 + points)

const pairsOf = (numbers: readonly number[]): Point[] =>
  numbers.flatMap((across, at): Point[] => (at % 2 === 0 ? [[across, numbers[at + 1] ?? 0]] : []))

/** Key points say after each whether it is seen; how many numbers they have, nothing has told. */
const arePoints = (numbers: readonly number[]): boolean =>
  numbers.length % 3 === 1 &&
  numbers.every((number, at) => at < 6 || at % 3 !== 0 || [0, 1, 2].includes(number))

function numbered(items: Map<string, BoxedItem>): string[] {
  let last = -1
  for (const { boxes } of items.values()) for (const box of boxes) last = Math.max(last, box.class)
  return Array.from({ length: last + 1 }, (_, index) => `class ${index}`)
}

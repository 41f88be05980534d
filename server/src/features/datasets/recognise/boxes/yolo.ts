/** Boxes as YOLO writes them: a text an image, a line a box, in shares of the image's width and height. */
import type { Problem } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { imageFinder, lackOf } from '../find-image.ts'
import { baseOf, folderOf, isTextName } from '../folder-names.ts'
import { readTexts } from '../read-texts.ts'
import type { Boxed, BoxedItem, Folder, ToldBox } from '../shapes.ts'
import { around, type Point, type Wanted } from './outlines.ts'
import { saysNothingNew, setAside } from './set-aside.ts'
import { asCorners, codeOf } from './units.ts'
import { isNamesText, yoloNamesIn } from './yolo-names.ts'

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
  const { classes, placesFor, points } = await yoloNamesIn(folder)
  const read = (path: string, text: string | null): Read =>
    readBoxes({ path, text, places: placesFor(path), points, withOutlines })
  const items = new Map<string, BoxedItem>()
  // Outlines and key points have a code of their own.
  let areBoxes = points === 0
  const problems: Problem[] = []
  const named = new Set<string>()
  const spoilt = new Set<string>()
  for await (const { path, text } of readTexts(folder, texts, limits.textBytes)) {
    const image = imageOf(path)
    const params = { name: baseOf(path), line: 0 }
    if (image === null) problems.push({ path, reason: lackOf(imagePath(path), find), params })
    else if (named.has(image)) {
      problems.push({ path, reason: 'duplicate_entry', params })
      const { boxes, wrong } = read(path, text)
      if (wrong || !saysNothingNew(items.get(image)?.boxes ?? [], boxes)) spoilt.add(image)
    } else {
      named.add(image)
      const { boxes, wrong, isPlain } = read(path, text)
      areBoxes &&= isPlain
      // Without one of its boxes an image would teach that there is nothing.
      if (wrong) problems.push(wrong)
      else items.set(image, { path: image, source: path, part: null, size: null, unit: 'shares', boxes })
    }
  }
  if (areBoxes) readAnew(items, problems)
  setAside({ items, problems, spoilt })
  return {
    layout: 'yolo',
    task: 'detection',
    classes: classes ?? numbered(items),
    items: [...items.values()].sort((one, other) => (one.path < other.path ? -1 : 1)),
    problems,
    unlabelled: images.filter((path) => !named.has(path)),
  }
}

/** All of a set that has other numbers than YOLO: read as what they are, or named where that could not be known for sure. */
function readAnew(items: Map<string, BoxedItem>, problems: Problem[]): void {
  const code = codeOf([...items.values()].flatMap(({ boxes }) => boxes))
  if (code === 'middles') return
  for (const [image, item] of items) {
    if (code === 'corners') items.set(image, { ...item, boxes: item.boxes.map(asCorners) })
    else if (item.boxes.length > 0) {
      problems.push({ path: item.source, reason: 'box_corner_first', params: {} })
      items.delete(image)
    }
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

type Text = Required<Wanted> & {
  path: string
  text: string | null
  places: readonly number[] | null
  points: number
}
/** `isPlain`: four numbers a box. */
type Read = { boxes: ToldBox[]; wrong: Problem | null; isPlain: boolean }

function readBoxes({ path, text, places, points, withOutlines }: Text): Read {
  const boxes: ToldBox[] = []
  let isPlain = true
  const refused = (reason: Problem['reason'], params: Problem['params']) => ({
    ...{ boxes: [], isPlain: true },
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
    const place = places ? places[kind] : kind
    if (place === undefined || !Number.isInteger(kind) || kind < 0 || kind >= limits.classes) {
      return refused('class_unknown', { class: kind, line })
    }
    if ([box.x0 + box.x1, box.y0 + box.y1].some((double) => isBeyond(double / 2)))
      return refused('box_not_in_shares', { line })
    const isBorder = withOutlines && !isBox(sides, points)
    const outline = isBorder ? { outline: { polygons: [[pairsOf(sides)] as const] } } : {}
    isPlain &&= sides.length === 4
    boxes.push({ class: place, ...box, number: line, ...outline })
  }
  return { boxes, wrong: null, isPlain }
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

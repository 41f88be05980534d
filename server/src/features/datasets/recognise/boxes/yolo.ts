/** Boxes as YOLO writes them: a text an image, a line a box, in shares of the image's width and height. */
import type { Problem } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { parse } from 'yaml'
import * as z from 'zod'
import { imageFinder } from '../find-image.ts'
import { baseOf, folderOf, isTextName } from '../folder-names.ts'
import { readTexts } from '../read-texts.ts'
import type { Boxed, BoxedItem, Folder, ToldBox } from '../shapes.ts'

/** Null when no text is called like an image. */
export async function yoloBoxes(folder: Folder, images: readonly string[]): Promise<Boxed | null> {
  const find = imageFinder(images)
  const imageOf = (path: string): string | null => find(imagePath(path))
  const texts = folder.paths.filter((path) => isTextName(path, ['txt']) && isBoxText(path, imageOf))
  if (!texts.some((path) => imageOf(path) !== null)) return null
  const names = await namesOf(folder)
  const items = new Map<string, BoxedItem>()
  const problems: Problem[] = []
  const named = new Set<string>()
  for await (const { path, text } of readTexts(folder, texts, limits.textBytes)) {
    const image = imageOf(path)
    const params = { name: baseOf(path), line: 0 }
    if (image === null) problems.push({ path, reason: 'image_missing', params })
    else if (named.has(image)) problems.push({ path, reason: 'duplicate_entry', params })
    else {
      named.add(image)
      const { boxes, wrong } = readBoxes({ path, text, names })
      // Without one of its boxes an image would teach that there is nothing.
      if (wrong) problems.push(wrong)
      else items.set(image, { path: image, source: path, part: null, size: null, unit: 'shares', boxes })
    }
  }
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

/** From `data.yaml` or a list; null where none says how the classes are called. */
async function namesOf(folder: Folder): Promise<string[] | null> {
  for (const path of folder.paths.filter((one) => isTextName(one, ['yaml', 'yml'])).slice(0, limits.tables)) {
    const names = readYamlNames(await folder.read(path, limits.textBytes))
    if (names) return names
  }
  const list = folder.paths.find(isNamesText)
  const text = list === undefined ? null : await folder.read(list, limits.textBytes)
  const lines = text?.split(/\r?\n/).map((line) => line.trim()) ?? []
  const names = lines.filter((line) => line !== '').slice(0, limits.classes)
  return names.length > 0 ? names : null
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

type Text = { path: string; text: string | null; names: string[] | null }

function readBoxes({ path, text, names }: Text): { boxes: ToldBox[]; wrong: Problem | null } {
  const boxes: ToldBox[] = []
  const refused = (reason: Problem['reason'], params: Problem['params']) => ({
    boxes: [],
    wrong: { path, reason, params },
  })
  if (text === null) return refused('annotation_unreadable', { line: 0 })
  for (const [index, row] of text.split('\n').entries()) {
    const line = index + 1
    const words = row.trim().split(/\s+/)
    if (words[0] === '') continue
    const numbers = words.map(Number)
    if (!numbers.every(Number.isFinite)) return refused('annotation_unreadable', { line })
    const [kind = -1, x = 0, y = 0, width = 0, height = 0] = numbers
    // A class and pairs of coordinates: an outline.
    if (numbers.length >= 7 && numbers.length % 2 === 1) return refused('segments_not_boxes', { line })
    if (numbers.length !== 5 || boxes.length >= limits.boxes)
      return refused('annotation_unreadable', { line })
    if (!Number.isInteger(kind) || kind < 0 || kind >= (names?.length ?? limits.classes)) {
      return refused('class_unknown', { class: kind, line })
    }
    const [x0, y0] = [x - width / 2, y - height / 2]
    boxes.push({ class: kind, x0, y0, x1: x0 + width, y1: y0 + height, number: line })
  }
  return { boxes, wrong: null }
}

function numbered(items: Map<string, BoxedItem>): string[] {
  let last = -1
  for (const { boxes } of items.values()) for (const box of boxes) last = Math.max(last, box.class)
  return Array.from({ length: last + 1 }, (_, index) => `class ${index}`)
}

/** Boxes as COCO writes them: one JSON for all images. */
import type { Problem } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import * as z from 'zod'
import { imageFinder } from '../find-image.ts'
import { baseOf, isTextName, partOf } from '../folder-names.ts'
import type { Boxed, BoxedItem, Folder, NoLayout } from '../shapes.ts'
import { around, type Point } from './outlines.ts'

/** Each entry is looked at by itself: one that is wrong does not spoil the others. */
const list = z.custom<unknown[]>(Array.isArray)
const listSchema = z.object({ images: list, annotations: list, categories: list })
const key = z.union([z.number(), z.string()])
const side = z.number().nullish()
const imageSchema = z.object({ id: key, file_name: z.string(), width: side, height: side })
const categorySchema = z.object({ id: key, name: z.string().trim().min(1) })
const annotationSchema = z.object({
  image_id: key,
  category_id: key,
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullish(),
  /** Outlines, where no box is said. */
  segmentation: z.array(z.array(z.number()).min(6)).min(1).nullish().catch(null),
  iscrowd: z.union([z.number(), z.boolean()]).nullish(),
})
type List = z.infer<typeof listSchema>
type Gathered = { classes: string[]; items: Map<string, BoxedItem>; problems: Problem[]; spoilt: Set<string> }

/** Null when no JSON is such a list. */
export async function cocoBoxes(folder: Folder, images: readonly string[]): Promise<Boxed | NoLayout | null> {
  const gathered: Gathered = { classes: [], items: new Map(), problems: [], spoilt: new Set() }
  const find = imageFinder(images)
  for (const path of listsIn(folder.paths)) {
    const list = readCocoList(await folder.read(path, limits.tableBytes))
    if (list === 'other') continue
    if (typeof list === 'number') {
      gathered.problems.push({ path, reason: 'annotation_unreadable', params: { line: list } })
    } else addList(gathered, { path, list, find })
  }
  const { classes, items, problems, spoilt } = gathered
  if (items.size === 0)
    return problems.length > 0 ? { layout: null, failure: 'nothing_matches', problems } : null
  for (const path of spoilt) items.delete(path)
  return {
    layout: 'coco',
    task: 'detection',
    classes,
    items: [...items.values()].sort((one, other) => (one.path < other.path ? -1 : 1)),
    problems,
    unlabelled: images.filter((path) => !items.has(path) && !spoilt.has(path)),
  }
}

/** The list; the line where it cannot be read; `other` for a JSON about something else. */
export function readCocoList(text: string | null): List | number | 'other' {
  if (text === null || isTooMuch(text)) return 0
  try {
    const read = listSchema.safeParse(JSON.parse(text))
    return read.success ? read.data : 'other'
  } catch (error) {
    const [, position] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? []
    return position === undefined ? 0 : text.slice(0, Number(position)).split('\n').length
  }
}

/** Objects and lists in a text for so many boxes: each with its place and its outline. */
const BRACKETS_A_BOX = 4

/** Counted before it is parsed: millions of empty objects would hold up everything else for minutes. */
function isTooMuch(text: string): boolean {
  let brackets = 0
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at)
    if (letter === OBJECT || letter === LIST) brackets += 1
  }
  return brackets > limits.tableRows * BRACKETS_A_BOX
}
const OBJECT = '{'.charCodeAt(0)
const LIST = '['.charCodeAt(0)

type Source = { path: string; list: List; find: (name: string) => string | null }

function addList(gathered: Gathered, { path, list, find }: Source): void {
  const classOf = addClasses(gathered, list)
  const imageOf = addImages(gathered, { path, list, find })
  list.annotations.forEach((entry, index) => {
    const number = index + 1
    const read = annotationSchema.safeParse(entry)
    if (!read.success) {
      gathered.problems.push({ path, reason: 'annotation_unreadable', params: { line: 0, number } })
      const owner = z.object({ image_id: key }).safeParse(entry)
      // Without one of its boxes an image would teach that there is nothing.
      if (owner.success) gathered.spoilt.add(imageOf.get(owner.data.image_id)?.path ?? '')
      return
    }
    const { image_id: id, category_id: category, iscrowd } = read.data
    const image = imageOf.get(id)
    // Of an image that was named already, or is not there.
    if (!image) return
    const index0 = classOf.get(category)
    if (index0 === undefined) {
      gathered.problems.push({ path, reason: 'class_unknown', params: { class: String(category), number } })
      gathered.spoilt.add(image.path)
    } else if (iscrowd) {
      const params = { class: gathered.classes[index0] ?? '', number }
      gathered.problems.push({ path, reason: 'box_crowd', params })
    } else {
      const box = boxOf(read.data)
      if (box) image.boxes.push({ class: index0, ...box, number })
      else {
        gathered.problems.push({ path, reason: 'annotation_unreadable', params: { line: 0, number } })
        gathered.spoilt.add(image.path)
      }
    }
  })
}

/** As it is said, else round the outlines. */
function boxOf({ bbox, segmentation }: z.infer<typeof annotationSchema>): ReturnType<typeof around> | null {
  if (bbox) {
    const [x0, y0, width, height] = bbox
    return { x0, y0, x1: x0 + width, y1: y0 + height }
  }
  if (!segmentation) return null
  const points = segmentation.flatMap((outline) =>
    outline.flatMap((x, at): Point[] => (at % 2 === 0 ? [[x, outline[at + 1] ?? x]] : [])),
  )
  return around(points)
}

/** Beside the boxes COCO says other things of the same images. */
function listsIn(paths: readonly string[]): string[] {
  const all = paths.filter((path) => isTextName(path, ['json']))
  const ofBoxes = all.filter((path) => !/keypoints|captions|panoptic|stuff_/i.test(baseOf(path)))
  return (ofBoxes.length > 0 ? ofBoxes : all).slice(0, limits.tables)
}

/** Categories of the same name in several lists are one class. */
function addClasses({ classes }: Gathered, { categories }: List): Map<string | number, number> {
  const indexes = new Map<string | number, number>()
  for (const entry of categories) {
    const read = categorySchema.safeParse(entry)
    if (!read.success) continue
    const { id, name } = read.data
    if (!classes.includes(name)) classes.push(name)
    indexes.set(id, classes.indexOf(name))
  }
  return indexes
}

function addImages(
  { items, problems }: Gathered,
  { path, list, find }: Source,
): Map<string | number, BoxedItem> {
  const part = partInName(path)
  const byId = new Map<string | number, BoxedItem>()
  for (const entry of list.images) {
    const read = imageSchema.safeParse(entry)
    if (!read.success) {
      problems.push({ path, reason: 'annotation_unreadable', params: { line: 0 } })
      continue
    }
    const { id, file_name: name, width, height } = read.data
    const image = find(name)
    const params = { name, line: 0 }
    if (image === null) problems.push({ path, reason: 'image_missing', params })
    else if (items.has(image)) problems.push({ path, reason: 'duplicate_entry', params })
    else {
      const size = width && height ? { width, height } : null
      const item: BoxedItem = { path: image, source: path, part, size, unit: 'pixels', boxes: [] }
      items.set(image, item)
      byId.set(id, item)
    }
  }
  return byId
}

/** `instances_val2017.json` */
function partInName(path: string): BoxedItem['part'] {
  const words = baseOf(path).split(/[\s_.\d-]+/)
  return words.map(partOf).find((part) => part !== null) ?? null
}

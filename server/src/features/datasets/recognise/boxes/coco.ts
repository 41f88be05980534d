/** Boxes as COCO writes them: one JSON for all images. */
import type { Problem } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import * as z from 'zod'
import { type FindImage, imageFinder, lackOf } from '../find-image.ts'
import { baseOf, isTextName, partOf } from '../folder-names.ts'
import type { Boxed, BoxedItem, Folder, NoLayout, Outline, ToldBox } from '../shapes.ts'
import { boxedOf, emptyGathered, type Gathered } from './gathered.ts'
import { around, type Point, type Wanted } from './outlines.ts'
import { boxOfRuns, countsOf, runLengthsSchema } from './run-lengths.ts'
import { isSameBox, setAside } from './set-aside.ts'

/** Each entry is looked at by itself: one that is wrong does not spoil the others. */
const list = z.custom<unknown[]>(Array.isArray)
const listSchema = z.object({ images: list, annotations: list, categories: list })
/** Some programs write the same id as a number in one place and as a text in another. */
const key = z.union([z.number(), z.string()]).transform((id) => String(id).trim())
const side = z.number().nullish()
const imageSchema = z.object({ id: key, file_name: z.string(), width: side, height: side })
const categorySchema = z.object({ id: key, name: z.string().trim().min(1) })
/** Pairs of coordinates. */
const border = z
  .array(z.number())
  .min(6)
  .refine(({ length }) => length % 2 === 0)
const four = z.tuple([z.number(), z.number(), z.number(), z.number()])
const boxSchema = z.object({ image_id: key, bbox: four })
const annotationSchema = z.object({
  image_id: key,
  category_id: key,
  bbox: four.nullish(),
  /** Outlines or a mask, where no box is said. */
  segmentation: z
    .union([z.array(border).min(1), runLengthsSchema])
    .nullish()
    .catch(null),
  iscrowd: z.union([z.number(), z.boolean()]).nullish(),
  /** CVAT and Datumaro write these, and mark whatever was drawn with the brush as a crowd. */
  attributes: z.record(z.string(), z.unknown()).nullish().catch(null),
})
type List = z.infer<typeof listSchema>

/** Null when no JSON is such a list. */
export async function cocoBoxes(
  folder: Folder,
  images: readonly string[],
  wanted: Wanted = {},
): Promise<Boxed | NoLayout | null> {
  const gathered = emptyGathered(wanted)
  const find = imageFinder(images)
  for (const path of listsIn(folder.paths)) {
    const list = readCocoList(await folder.read(path, limits.tableBytes))
    if (list === 'other') continue
    if (typeof list === 'number') {
      gathered.problems.push({ path, reason: 'annotation_unreadable', params: { line: list } })
    } else addList(gathered, { path, list, find })
  }
  const { items, problems } = gathered
  if (items.size === 0)
    return problems.length > 0 ? { layout: null, failure: 'nothing_matches', problems } : null
  setAside(gathered)
  return boxedOf(gathered, 'coco', images)
}

/** The list; the line where it cannot be read; `other` for a JSON about something else. */
export function readCocoList(text: string | null): List | number | 'other' {
  if (text === null || isTooMuch(text)) return 0
  try {
    const read = listSchema.safeParse(parsed(text))
    return read.success ? read.data : 'other'
  } catch (error) {
    const [, position] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? []
    return position === undefined ? 0 : text.slice(0, Number(position)).split('\n').length
  }
}

/** Python writes numbers that are none as `NaN`, which JSON does not know: as good as unsaid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!/\b(NaN|Infinity)\b/.test(text)) throw error
    return JSON.parse(text.replace(/([:,[]\s*)(?:NaN|-?Infinity)(?=\s*[,\]}])/g, '$1null'))
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

type Source = { path: string; list: List; find: FindImage }

function addList(gathered: Gathered, { path, list, find }: Source): void {
  const classOf = addClasses(gathered, list)
  const listed = addImages(gathered, { path, list, find })
  const unlisted: string[] = []
  const areCorners = sayCorners(list)
  list.annotations.forEach((entry, index) => {
    const number = index + 1
    const owner = z.object({ image_id: key }).safeParse(entry).data?.image_id
    const image = owner === undefined ? undefined : listed.get(owner)
    const refuse = (reason: Problem['reason'], params: Problem['params']): void => {
      gathered.problems.push({ path, reason, params: { ...params, number } })
      // Without one of its boxes an image would teach that there is nothing.
      if (image) gathered.spoilt.add(image.path)
    }
    const read = annotationSchema.safeParse(entry)
    if (!read.success) {
      refuse('annotation_unreadable', { line: 0 })
      // It could be of any image that nothing else is said of.
      if (owner === undefined) unlisted.push('')
      return
    }
    const { category_id: category } = read.data
    if (image === undefined) {
      unlisted.push(owner ?? '')
      return
    }
    // Of an image that is not there, which was named already.
    if (image === null) return
    const index0 = classOf.get(category)
    const box = boxOf(read.data, areCorners)
    const outline = gathered.withOutlines ? outlineOf(read.data) : null
    if (index0 === undefined) refuse('class_unknown', { class: category })
    // A crowd is no single thing, but what is drawn round it is marked.
    else if (isCrowd(read.data) && !outline) refuse('box_crowd', { class: gathered.classes[index0] ?? '' })
    else if (!box) refuse('annotation_unreadable', { line: 0 })
    else if (outline && !fits(outline, image.item)) refuse('annotation_unreadable', { line: 0 })
    else addBox(gathered, image, { class: index0, ...box, number, ...(outline ? { outline } : {}) })
  })
  setEmptyAside(gathered, { path, listed, unlisted })
}

type Listed = {
  path: string
  /** Whether the image was named before, in this list or in another one. */
  isAgain: boolean
  item: BoxedItem
}

/** A second list may say of an image what the first one says; what it says beyond that is not taken. */
function addBox({ spoilt }: Gathered, { isAgain, item }: Listed, box: ToldBox): void {
  if (!isAgain) item.boxes.push(box)
  else if (!item.boxes.some((known) => isSameBox(known, box))) spoilt.add(item.path)
}

/** What is marked as a crowd is one, except where a program marks all masks so. */
const isCrowd = ({ iscrowd, attributes }: z.infer<typeof annotationSchema>): boolean =>
  Boolean(iscrowd) && !attributes

type Counted = {
  path: string
  listed: ReadonlyMap<string, Listed | null>
  /** What annotations of no listed image call theirs. */
  unlisted: readonly string[]
}

/** Where boxes are of images that are not on the list, an image without any may be the one that they are of. */
function setEmptyAside({ problems, spoilt }: Gathered, { path, listed, unlisted }: Counted): void {
  if (unlisted.length === 0) return
  const [name = ''] = unlisted.filter((id) => id !== '')
  const count = unlisted.filter((id) => id !== '').length
  if (count > 0) problems.push({ path, reason: 'image_unlisted', params: { name, count } })
  for (const image of listed.values()) if (image?.item.boxes.length === 0) spoilt.add(image.path)
}

/** Null where a box alone is said. */
function outlineOf({ segmentation }: z.infer<typeof annotationSchema>): Outline | null {
  if (!segmentation) return null
  if (Array.isArray(segmentation)) return { polygons: segmentation.map((outline) => [pointsOf(outline)]) }
  const [height, width] = segmentation.size
  return { runs: { counts: countsOf(segmentation), along: 'columns', left: 0, top: 0, width, height } }
}

/** Runs through a picture of another size would mark something else. */
const fits = (outline: Outline, { size }: BoxedItem): boolean =>
  !('runs' in outline) ||
  size === null ||
  (outline.runs.width === size.width && outline.runs.height === size.height)

/** Pairs of coordinates. */
const pointsOf = (outline: readonly number[]): Point[] =>
  outline.flatMap((x, at): Point[] => (at % 2 === 0 ? [[x, outline[at + 1] ?? x]] : []))

/** As it is said, else round the outlines. */
function boxOf(
  { bbox, segmentation }: z.infer<typeof annotationSchema>,
  areCorners: boolean,
): ReturnType<typeof around> | null {
  if (bbox) {
    const [x0, y0, one, other] = bbox
    return areCorners ? { x0, y0, x1: one, y1: other } : { x0, y0, x1: x0 + one, y1: y0 + other }
  }
  if (!segmentation) return null
  if (!Array.isArray(segmentation)) return boxOfRuns(segmentation)
  return around(segmentation.flatMap(pointsOf))
}

/** Fewer boxes than this cannot tell by their numbers alone that they are corners. */
const TELLING = 5
/** Boxes are drawn a little over the edge. */
const OVER = 1.05

/**
 * Programs that know VOC write two corners where COCO has a corner and two sides: then some boxes would lie outside of
 * their images, and none of them does as corners.
 */
function sayCorners({ images, annotations }: List): boolean {
  const sizes = new Map(
    images.flatMap((entry) => {
      const { id, width, height } = imageSchema.safeParse(entry).data ?? {}
      return id !== undefined && width && height ? [[id, { width, height }] as const] : []
    }),
  )
  let [told, outside] = [0, 0]
  for (const entry of annotations) {
    const { image_id: id, bbox } = boxSchema.safeParse(entry).data ?? {}
    const size = sizes.get(id ?? '')
    if (!bbox || !size) continue
    const [x, y, one, other] = bbox
    if (!(one > x && other > y && one <= size.width * OVER && other <= size.height * OVER)) return false
    told += 1
    if (x + one > size.width * OVER || y + other > size.height * OVER) outside += 1
  }
  return told >= TELLING && outside > 0
}

/** Beside the boxes COCO says other things of the same images. */
function listsIn(paths: readonly string[]): string[] {
  const all = paths.filter((path) => isTextName(path, ['json']))
  const ofBoxes = all.filter((path) => !/keypoints|captions|panoptic|stuff_/i.test(baseOf(path)))
  return (ofBoxes.length > 0 ? ofBoxes : all).slice(0, limits.tables)
}

/** Categories of the same name in several lists are one class. */
function addClasses({ classes }: Gathered, { categories }: List): Map<string, number> {
  const indexes = new Map<string, number>()
  for (const entry of categories) {
    const read = categorySchema.safeParse(entry)
    if (!read.success) continue
    const { id, name } = read.data
    if (!classes.includes(name)) classes.push(name)
    indexes.set(id, classes.indexOf(name))
  }
  return indexes
}

/** Of each id the image; null where that is not there. */
function addImages(
  { items, problems, spoilt }: Gathered,
  { path, list, find: findAny }: Source,
): Map<string, Listed | null> {
  const part = partInName(path)
  const byId = new Map<string, Listed | null>()
  const find = findAny.among(
    list.images.flatMap((entry) => imageSchema.safeParse(entry).data?.file_name ?? []),
  )
  for (const entry of list.images) {
    const read = imageSchema.safeParse(entry)
    if (!read.success) {
      problems.push({ path, reason: 'annotation_unreadable', params: { line: 0 } })
      continue
    }
    const { id, file_name: name, width, height } = read.data
    const image = find(name)
    const params = { name, line: 0 }
    const known = image === null ? undefined : items.get(image)
    const before = byId.get(id)
    if (byId.has(id) && before?.path !== image) {
      // Nothing tells which of the two the boxes with this id are of.
      problems.push({ path, reason: 'duplicate_entry', params: { name: id, line: 0 } })
      for (const one of [before?.path, image]) if (typeof one === 'string') spoilt.add(one)
    }
    if (image === null) {
      problems.push({ path, reason: lackOf(name, find), params })
      if (!byId.has(id)) byId.set(id, null)
    } else if (known) {
      problems.push({ path, reason: 'duplicate_entry', params })
      if (!byId.has(id)) byId.set(id, { path: image, isAgain: true, item: known })
    } else {
      const size = width && height ? { width, height } : null
      const item: BoxedItem = { path: image, source: path, part, size, unit: 'pixels', boxes: [] }
      items.set(image, item)
      if (!byId.has(id)) byId.set(id, { path: image, isAgain: false, item })
    }
  }
  return byId
}

/** `instances_val2017.json` */
function partInName(path: string): BoxedItem['part'] {
  const words = baseOf(path).split(/[\s_.\d-]+/)
  return words.map(partOf).find((part) => part !== null) ?? null
}

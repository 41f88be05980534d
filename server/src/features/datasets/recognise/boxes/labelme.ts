/** Boxes round what LabelMe drew: a JSON an image, with outlines, rectangles and circles. */
import type { Problem } from '@neuroloom/contract/datasets'
import { images as imageLimits, datasets as limits } from '@neuroloom/contract/limits'
import * as z from 'zod'
import { inNaturalOrder } from '../class-folders.ts'
import { type FindImage, imageFinder, lackOf } from '../find-image.ts'
import { baseOf, isTextName } from '../folder-names.ts'
import type { Boxed, BoxedItem, Folder, Outline, ToldBox } from '../shapes.ts'
import { runsOfMask } from './labelme-mask.ts'
import { around, ellipse, type Point } from './outlines.ts'
import { setAside } from './set-aside.ts'

const fileSchema = z.object({
  shapes: z.array(z.unknown()),
  imagePath: z.string().default(''),
  imageWidth: z.number().positive().nullish(),
  imageHeight: z.number().positive().nullish(),
})
const shapeSchema = z.object({
  label: z.string().trim().min(1),
  points: z.array(z.tuple([z.number(), z.number()])).min(2),
  shape_type: z
    .enum(['polygon', 'rectangle', 'circle', 'mask', 'rotation', 'oriented_rectangle'])
    .default('polygon'),
  /** Parts of one thing have the same. */
  group_id: z.union([z.number(), z.string()]).nullish().catch(null),
  /** Of a mask. */
  mask: z.string().nullish().catch(null),
})
type Shape = z.infer<typeof shapeSchema>
type Named = Omit<ToldBox, 'class'> & { name: string }

type Texted<Marks> = Omit<BoxedItem, 'boxes'> & { named: Marks }
type Wrong = { number: number; reason: 'annotation_unreadable' | 'shape_without_area'; shape: string }
type Taken<Marks> = { named: Marks; wrong: Wrong | null }
type Take<Marks> = (shapes: readonly unknown[]) => Taken<Marks> | Promise<Taken<Marks>>
type Read<Marks> = { told: Map<string, Texted<Marks>>; problems: Problem[]; spoilt: Set<string> }

/** Null when no JSON holds shapes of an image. */
export async function labelmeBoxes(folder: Folder, images: readonly string[]): Promise<Boxed | null> {
  const read = await readAll(folder, images, boxesOf)
  return read && toLayout(read.told, { ...read, images })
}

/** The outlines that boxes would be drawn round, for masks. */
export async function labelmeOutlines(folder: Folder, images: readonly string[]): Promise<Boxed | null> {
  const read = await readAll(folder, images, outlinesOf)
  return read && toLayout(read.told, { ...read, images })
}

async function readAll<Marks>(
  folder: Folder,
  images: readonly string[],
  take: Take<Marks>,
): Promise<Read<Marks> | null> {
  const texts = folder.paths.filter((path) => isTextName(path, ['json']))
  const find = imageFinder(images).among(texts)
  const problems: Problem[] = []
  const told = new Map<string, Texted<Marks>>()
  const spoilt = new Set<string>()
  let isAny = false
  // One after the other: each may hold its picture too.
  for (const path of texts) {
    const ofName = imageOf(path, find)
    const read = readFileOf(await folder.read(path, limits.tableBytes))
    if (read === 'other' || (read === 'broken' && ofName === null)) continue
    if (read === 'broken') {
      problems.push({ path, reason: 'annotation_unreadable', params: { line: 0 } })
      spoilt.add(ofName ?? '')
      continue
    }
    // The file's own name first: what stands inside is often that of an earlier copy.
    const image = ofName ?? (read.imagePath === '' ? null : find(read.imagePath))
    if (image === null) {
      const name = read.imagePath || stem(path)
      if (read.shapes.length > 0)
        problems.push({ path, reason: lackOf(name, find), params: { name, line: 0 } })
      continue
    }
    isAny = true
    const { named, wrong } = await take(read.shapes)
    const { imageWidth: width, imageHeight: height } = read
    const size = width && height ? { width, height } : null
    const known = told.get(image)
    if (wrong !== null) {
      // Without one of its boxes an image would teach that there is nothing.
      const { reason, shape, number } = wrong
      const params = reason === 'shape_without_area' ? { shape, number } : { line: 0, number }
      problems.push({ path, reason, params })
      spoilt.add(image)
    } else if (known) {
      problems.push({ path, reason: 'duplicate_entry', params: { name: baseOf(image), line: 0 } })
      if (JSON.stringify(known.named) !== JSON.stringify(named)) spoilt.add(image)
    } else told.set(image, { path: image, source: path, part: null, size, unit: 'pixels', named })
  }
  if (!isAny) return null
  setAside({ items: told, problems, spoilt })
  return { told, problems, spoilt }
}

type Found = { problems: Problem[]; spoilt: ReadonlySet<string>; images: readonly string[] }

function toLayout(told: ReadonlyMap<string, Texted<Named[]>>, { problems, spoilt, images }: Found): Boxed {
  const all = [...told.values()].flatMap(({ named }) => named.map(({ name }) => name))
  const classes = [...new Set(all)].sort(inNaturalOrder)
  const indexes = new Map(classes.map((name, index) => [name, index]))
  const items = [...told.values()].map(({ named, ...item }) => ({
    ...item,
    boxes: named.map(({ name, ...box }) => ({ ...box, class: indexes.get(name) ?? 0 })),
  }))
  return {
    layout: 'labelme',
    task: 'detection',
    classes,
    items: items.sort((one, other) => (one.path < other.path ? -1 : 1)),
    problems,
    unlabelled: images.filter((path) => !told.has(path) && !spoilt.has(path)),
  }
}

const imageOf = (path: string, find: FindImage): string | null => find(path.slice(0, -'.json'.length))
const stem = (path: string): string => baseOf(path).slice(0, -'.json'.length)

function readFileOf(text: string | null): z.infer<typeof fileSchema> | 'other' | 'broken' {
  if (text === null) return 'broken'
  try {
    const read = fileSchema.safeParse(JSON.parse(text))
    return read.success ? read.data : 'other'
  } catch {
    return 'broken'
  }
}

/** A box a thing; `wrong`: the first shape that is none with an area. */
function boxesOf(shapes: readonly unknown[]): Taken<Named[]> {
  const things = new Map<string, Named>()
  for (const [index, shape] of shapes.entries()) {
    const number = index + 1
    const read = shapeSchema.safeParse(shape)
    if (!read.success || things.size >= limits.boxes)
      return { named: [...things.values()], wrong: wrongOf(shape, number) }
    const { label, points, shape_type: kind, group_id: group } = read.data
    const name = label.normalize('NFC')
    const box = kind === 'mask' ? aroundMask(points) : around(kind === 'circle' ? circle(points) : points)
    const key = group === null || group === undefined ? `#${number}` : `${group}\0${name}`
    const known = things.get(key)
    things.set(key, { name, number: known?.number ?? number, ...(known ? joined(known, box) : box) })
  }
  return { named: [...things.values()], wrong: null }
}

const flatSchema = z.object({ shape_type: z.enum(['point', 'points', 'line', 'linestrip']) })

/** Points and lines are read well; they mark no area. */
function wrongOf(shape: unknown, number: number): Wrong {
  const { data } = flatSchema.safeParse(shape)
  return {
    number,
    reason: data ? 'shape_without_area' : 'annotation_unreadable',
    shape: data?.shape_type ?? '',
  }
}

/** Pixels of all masks of one text: as many as of a few of the largest images that are read. */
const MOST_MASK_PIXELS = 4 * imageLimits.maxPixels

/** Each with its area; `wrong` is the first shape that has none. */
async function outlinesOf(shapes: readonly unknown[]): Promise<Taken<Named[]>> {
  const named: Named[] = []
  let pixelsLeft = MOST_MASK_PIXELS
  for (const [index, shape] of shapes.entries()) {
    const number = index + 1
    const { data } = shapeSchema.safeParse(shape)
    const outline = data && named.length < limits.boxes ? await outlineOf(data, pixelsLeft) : null
    if (!data || !outline) return { named, wrong: wrongOf(shape, number) }
    if ('runs' in outline) pixelsLeft -= outline.runs.width * outline.runs.height
    const sides = 'runs' in outline ? aroundMask(data.points) : around(outline.polygons.flat(2))
    named.push({ name: data.label.normalize('NFC'), number, ...sides, outline })
  }
  return { named, wrong: null }
}

/** Null of what has no area, or cannot be read. */
async function outlineOf(
  { shape_type: kind, points, mask }: Shape,
  mostPixels: number,
): Promise<Outline | null> {
  if (kind === 'mask') {
    const runs = await runsOfMask(mask ?? '', { corners: points, mostPixels })
    return runs && { runs }
  }
  const border = polygonOf(kind, points)
  return border.length < 3 ? null : { polygons: [[border]] }
}

function polygonOf(kind: Shape['shape_type'], points: Point[]): Point[] {
  const [first, second] = points
  if (!first || !second) return []
  // Some programs write all four corners.
  if (kind === 'rectangle' && points.length === 2)
    return [first, [second[0], first[1]], second, [first[0], second[1]]]
  if (kind !== 'circle') return points
  const radius = Math.hypot(second[0] - first[0], second[1] - first[1])
  return ellipse({ x: first[0], y: first[1], across: radius, down: radius })
}

/** The corners are the first and the last pixel. */
function aroundMask(corners: readonly Point[]): Sides {
  const { x0, y0, x1, y1 } = around(corners)
  return { x0, y0, x1: x1 + 1, y1: y1 + 1 }
}

type Sides = ReturnType<typeof around>

const joined = (one: Sides, other: Sides): Sides => ({
  x0: Math.min(one.x0, other.x0),
  y0: Math.min(one.y0, other.y0),
  x1: Math.max(one.x1, other.x1),
  y1: Math.max(one.y1, other.y1),
})

/** From the middle to a point of the rim. */
function circle([middle, rim]: readonly Point[]): Point[] {
  if (!middle || !rim) return []
  const radius = Math.hypot(rim[0] - middle[0], rim[1] - middle[1])
  return [
    [middle[0] - radius, middle[1] - radius],
    [middle[0] + radius, middle[1] + radius],
  ]
}

/** COCO: boxes, outlines, runs, key points; what belongs to crowds is ignored. */
import { labelExchange, labelling as limits } from '@neuroloom/contract/limits'
import * as z from 'zod'
import { baseOf, isTextName, readCocoList } from '../../../datasets/service.ts'
import { boundsOf, pairs } from '../geometry.ts'
import { type Crop, fromColumnRuns, unpackRuns } from '../rle.ts'
import { unionOf } from '../segments.ts'
import type { Found, Target } from '../shapes.ts'
import type { From } from './from.ts'
import { type About, type Gathered, gather } from './gather.ts'

/** Some programs write the number of an image as a text in one place and as a number in another. */
const key = z.union([z.number(), z.string()]).transform(String)
const imageSchema = z.object({
  id: key,
  file_name: z.string(),
  width: z.number().nullish(),
  height: z.number().nullish(),
})
const categorySchema = z.object({
  id: key,
  name: z.string().trim().min(1).max(200),
  keypoints: z.array(z.coerce.string()).max(limits.skeletonPoints).nullish(),
  skeleton: z
    .array(z.tuple([z.int().min(1), z.int().min(1)]))
    .nullish()
    .catch(null),
})
const runsSchema = z.object({
  size: z.tuple([z.int(), z.int()]),
  counts: z.union([z.string(), z.array(z.int())]),
})
const annotationSchema = z.object({
  image_id: key,
  category_id: key,
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullish(),
  segmentation: z.union([z.array(z.array(z.number())), runsSchema]).nullish(),
  keypoints: z.array(z.number()).nullish(),
  iscrowd: z.union([z.number(), z.boolean()]).nullish(),
  attributes: z.record(z.string(), z.unknown()).nullish().catch(null),
})
const ownerSchema = z.object({ image_id: key })
const crowdSchema = z.object({ category_id: key, iscrowd: z.unknown() })
type Category = z.infer<typeof categorySchema>
type Annotation = z.infer<typeof annotationSchema>

/** What COCO says of crowds belongs to a class of its own that counts nowhere. */
export const crowdOf = (name: string): string => `${name} (crowd)`

export async function* readCoco(from: From): AsyncIterable<Found> {
  const seen = new Set<string>()
  let isCoco = false
  for (const [index, path] of from.paths.filter((one) => isTextName(one, ['json'])).entries()) {
    // So many that are about something else: so will be the others.
    if (!isCoco && index >= labelExchange.lists) return
    const text = await from.read(path, labelExchange.listBytes)
    const list = readCocoList(text)
    if (list === 'other') continue
    if (typeof list === 'number') {
      if (/coco|annotation|instances|keypoints/i.test(`${baseOf(path)} ${text?.slice(0, HEAD) ?? ''}`))
        yield { kind: 'problem', path, reason: 'file_unreadable', params: { line: list } }
      continue
    }
    isCoco = true
    yield* readList(from, { path, list, seen })
  }
}

/** Enough of a broken list to tell what it would be about. */
const HEAD = 100_000

type Source = {
  path: string
  list: { images: unknown[]; annotations: unknown[]; categories: unknown[] }
  seen: Set<string>
}

function* readList(from: From, { path, list, seen }: Source): Iterable<Found> {
  const categories = new Map<string, Category>()
  for (const entry of list.categories) {
    const read = categorySchema.safeParse(entry)
    if (!read.success) continue
    const category = { ...read.data, name: read.data.name.normalize('NFC') }
    categories.set(category.id, category)
  }
  const ignored = onlyCrowds(list.annotations)
  for (const { id, name, keypoints, skeleton } of categories.values()) {
    // Numbers stand for the points of a class without names for them.
    const isNamed = keypoints?.some((point, index) => point !== String(index + 1)) ?? false
    const joins = (skeleton ?? []).map(([one, other]): [number, number] => [one - 1, other - 1])
    const count = keypoints?.length ?? 0
    yield {
      kind: 'class',
      class: {
        name,
        colour: null,
        use: ignored.has(id) ? 'ignore' : 'class',
        skeleton:
          keypoints && isNamed
            ? { points: keypoints, joins: joins.filter(([a, b]) => a < count && b < count && a !== b) }
            : null,
      },
    }
  }
  const images = new Map<string, Target>()
  const listed = new Set<string>()
  for (const entry of list.images) {
    const read = imageSchema.safeParse(entry)
    if (!read.success) {
      yield { kind: 'problem', path, reason: 'unreadable', params: { line: 0 } }
      continue
    }
    const { id, file_name: name, width, height } = read.data
    listed.add(id)
    const target = from.find(name)
    if (!target) yield { kind: 'problem', path, reason: 'image_missing', params: { name } }
    else if (seen.has(target.name))
      yield { kind: 'problem', path, reason: 'duplicate_entry', params: { name } }
    else if (width && height && (width !== target.size[0] || height !== target.size[1]))
      yield { kind: 'problem', path, reason: 'size_differs', params: sizes(target, [width, height]) }
    else {
      seen.add(target.name)
      images.set(id, target)
    }
  }
  yield* byImage({ path, list, images, listed, categories, ignored })
}

export const sizes = (
  { name, size: [width, height] }: Target,
  [maskWidth, maskHeight]: readonly number[],
) => ({
  ...{ name, width, height, maskWidth: maskWidth ?? 0, maskHeight: maskHeight ?? 0 },
})

/** Classes of which every entry is a crowd were written so because they count nowhere. */
function onlyCrowds(annotations: readonly unknown[]): Set<string> {
  const crowds = new Set<string>()
  const others = new Set<string>()
  for (const entry of annotations) {
    const { success, data } = crowdSchema.safeParse(entry)
    if (success) (data.iscrowd ? crowds : others).add(data.category_id)
  }
  for (const id of others) crowds.delete(id)
  return crowds
}

type Sorted = Omit<Source, 'seen'> & {
  images: Map<string, Target>
  /** Numbers of all images of the list, also of those that are not here. */
  listed: Set<string>
  categories: Map<string, Category>
  ignored: Set<string>
}

function* byImage({ path, list, images, listed, categories, ignored }: Sorted): Iterable<Found> {
  const owned = new Map<string, number[]>()
  for (const [index, entry] of list.annotations.entries()) {
    const owner = ownerSchema.safeParse(entry)
    if (!owner.success) yield { kind: 'problem', path, reason: 'unreadable', params: { number: index + 1 } }
    else {
      const own = owned.get(owner.data.image_id)
      if (own) own.push(index)
      else owned.set(owner.data.image_id, [index])
    }
  }
  for (const [id, [first = 0]] of owned)
    if (!listed.has(id)) {
      const params = { name: `image_id ${id}`, number: first + 1 }
      yield { kind: 'problem', path, reason: 'image_missing', params }
    }
  const crowds = new Set<string>()
  for (const [id, target] of images) {
    const gathered = gather(path, target)
    for (const index of owned.get(id) ?? []) {
      const at = { number: index + 1 }
      const read = annotationSchema.safeParse(list.annotations[index])
      if (!read.success) gathered.refuse('unreadable', at)
      else {
        const category = categories.get(read.data.category_id)
        if (!category) gathered.refuse('class_unknown', { ...at, class: String(read.data.category_id) })
        else {
          const isCrowd = Boolean(read.data.iscrowd) && !ignored.has(category.id)
          const name = isCrowd ? crowdOf(category.name) : category.name
          if (isCrowd) crowds.add(name)
          add(gathered, read.data, { class: name, at, attributes: attributesOf(read.data.attributes) })
        }
      }
    }
    yield* gathered.found()
  }
  for (const name of crowds)
    yield { kind: 'class', class: { name, colour: null, use: 'ignore', skeleton: null } }
}

/** Those that are plain: lists and objects say nothing to a reader. */
export function attributesOf(
  given: Readonly<Record<string, unknown>> | null | undefined,
): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(given ?? {})) {
    if (Object.keys(kept).length >= limits.attributes) break
    if (name === '' || name.length > 60) continue
    if (typeof value === 'number' || typeof value === 'boolean') kept[name] = value
    else if (typeof value === 'string') kept[name] = value.slice(0, 200)
  }
  return kept
}

function add(gathered: Gathered, { bbox, segmentation, keypoints }: Annotation, about: About): void {
  if (keypoints && keypoints.length >= 3 && keypoints.some((value, index) => index % 3 === 2 && value > 0)) {
    addPoints(gathered, { bbox, keypoints }, about)
    return
  }
  if (segmentation && !Array.isArray(segmentation)) {
    const [height, width] = segmentation.size
    const [ownWidth, ownHeight] = gathered.target.size
    if (width !== ownWidth || height !== ownHeight)
      gathered.refuse('size_differs', { ...about.at, ...sizes(gathered.target, [width, height]) })
    else gathered.mask(cropOf(segmentation), about)
  } else if (segmentation && segmentation.length > 0) addOutline(gathered, segmentation, about)
  else if (bbox) {
    const [x, y, width, height] = bbox
    const { rotation = 0, ...attributes } = about.attributes ?? {}
    const angle = typeof rotation === 'number' ? rotation % 360 : 0
    gathered.thing({ kind: 'box', x, y, width, height, angle }, { ...about, attributes })
  } else gathered.refuse('unreadable', about.at)
}

/** Null where the runs do not fill it. */
function cropOf({ size: [height, width], counts }: z.infer<typeof runsSchema>): Crop | null {
  const runs = typeof counts === 'string' ? unpackRuns(counts) : counts
  return runs && fromColumnRuns(runs, height, width)
}

/** COCO fills each part: where parts lie on each other, what is enclosed twice is in, unlike with our rings. */
function addOutline(gathered: Gathered, parts: readonly (readonly number[])[], about: About): void {
  const rings = parts
    .filter(({ length }) => length > 0)
    .map((ring) => (ring.length % 2 === 0 ? [...ring] : []))
  if (rings.length > limits.rings) {
    gathered.refuse('too_many', { ...about.at, limit: limits.rings })
    return
  }
  const filled = rings.length > 1 ? unionOf(rings, gathered.target.size) : null
  if (filled) gathered.mask(filled, about)
  else gathered.thing({ kind: 'outline', rings }, about)
}

function addPoints(
  gathered: Gathered,
  { bbox, keypoints }: { bbox: Annotation['bbox']; keypoints: readonly number[] },
  about: About,
): void {
  const count = Math.floor(keypoints.length / 3)
  const three = Array.from({ length: count }, (_, index) => keypoints.slice(3 * index, 3 * index + 3))
  const points = three.flatMap(([x = 0, y = 0]) => [x, y])
  const seen = three.map(([, , state = 0]) => Math.min(2, Math.max(0, Math.round(state))))
  const shape = { kind: 'points' as const, points, seen }
  gathered.thing(shape, about)
  if (!bbox || pairs(points).length === 0) return
  const [x, y, width, height] = bbox
  const own = boundsOf(shape)
  const isOwn = Math.abs(x - own.x0) + Math.abs(y - own.y0) < 1 && Math.abs(x + width - own.x1) < 1
  // A box that says more than the points do.
  if (!isOwn && width > 0 && height > 0) gathered.thing({ kind: 'box', x, y, width, height, angle: 0 }, about)
}

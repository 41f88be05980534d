/** LabelMe: a JSON an image with outlines, rectangles, circles, lines, points and masks; its flags are labels of the whole image. */

import { segmentAt } from '@neuroloom/contract/labelling/pixels'
import type { Shape } from '@neuroloom/contract/labelling/things'
import { labelExchange } from '@neuroloom/contract/limits'
import * as z from 'zod'
import { baseOf, isTextName } from '../../../datasets/service.ts'
import { boxOfCorners, type Point } from '../geometry.ts'
import type { Found } from '../shapes.ts'
import { attributesOf, sizes } from './coco.ts'
import type { Decoded, From } from './from.ts'
import { type About, type Gathered, gather } from './gather.ts'

const fileSchema = z.object({
  shapes: z.array(z.unknown()),
  flags: z.record(z.string(), z.unknown()).nullish().catch(null),
  imagePath: z.string().nullish(),
  imageWidth: z.number().nullish(),
  imageHeight: z.number().nullish(),
})
const shapeSchema = z.object({
  label: z.string().trim().min(1),
  points: z.array(z.tuple([z.number(), z.number()])).min(1),
  shape_type: z.string().default('polygon'),
  flags: z.record(z.string(), z.unknown()).nullish().catch(null),
  attributes: z.record(z.string(), z.unknown()).nullish().catch(null),
  seen: z.array(z.int().min(0).max(2)).nullish().catch(null),
  mask: z.string().nullish(),
})
type Read = z.infer<typeof shapeSchema>

export async function* readLabelme(from: From): AsyncIterable<Found> {
  const seen = new Set<string>()
  // One after the other: each may hold its picture too.
  for (const path of from.paths.filter((one) => isTextName(one, ['json']))) {
    const text = await from.read(path, labelExchange.listBytes)
    const read = text === null ? null : parsed(text)
    if (read === 'other') continue
    const name = path.slice(0, -'.json'.length)
    const said = read?.imagePath?.replaceAll('\\', '/') ?? ''
    const target =
      from.find(name) ?? from.find(baseOf(name)) ?? (said === '' ? null : from.find(baseOf(said)))
    if (!read) {
      if (target) yield { kind: 'problem', path, reason: 'file_unreadable', params: { line: 0 } }
    } else if (!target)
      yield { kind: 'problem', path, reason: 'image_missing', params: { name: said || name } }
    else if (seen.has(target.name))
      yield { kind: 'problem', path, reason: 'duplicate_entry', params: { name: target.name } }
    else {
      const { imageWidth: width, imageHeight: height } = read
      seen.add(target.name)
      if (width && height && (width !== target.size[0] || height !== target.size[1]))
        yield { kind: 'problem', path, reason: 'size_differs', params: sizes(target, [width, height]) }
      else {
        const gathered = gather(path, target)
        for (const [flag, isSet] of Object.entries(read.flags ?? {}))
          if (isSet === true) gathered.tag(flag.normalize('NFC'))
        await addAll(gathered, read.shapes, from)
        yield* gathered.found()
      }
    }
  }
}

function parsed(text: string): z.infer<typeof fileSchema> | 'other' | null {
  try {
    const read = fileSchema.safeParse(JSON.parse(text))
    return read.success ? read.data : 'other'
  } catch {
    return null
  }
}

async function addAll(gathered: Gathered, shapes: readonly unknown[], from: From): Promise<void> {
  const masks: { shape: Read; about: About }[] = []
  for (const [index, entry] of shapes.entries()) {
    const at = { number: index + 1 }
    const read = shapeSchema.safeParse(entry)
    if (!read.success) {
      gathered.refuse('unreadable', at)
      continue
    }
    const shape = read.data
    const attributes = attributesOf({ ...shape.flags, ...shape.attributes })
    const about = { class: shape.label.normalize('NFC'), at, attributes }
    if (shape.shape_type === 'mask') masks.push({ shape, about })
    else add(gathered, shape, about)
  }
  if (masks.length === 0) return
  const files = masks.map(({ shape }) => Buffer.from(shape.mask ?? '', 'base64'))
  for (const [index, decoded] of (await from.inside(files)).entries()) {
    const one = masks[index]
    if (one) addMask(gathered, one, decoded)
  }
}

type Inside = Awaited<ReturnType<From['inside']>>[number]

function addMask(gathered: Gathered, { shape, about }: { shape: Read; about: About }, decoded: Inside): void {
  const [corner] = shape.points
  if ('refused' in decoded || !corner) {
    gathered.refuse('unreadable', about.at)
    return
  }
  gathered.mask({ x: Math.round(corner[0]), y: Math.round(corner[1]), ...planeOf(decoded) }, about)
}

/** Whatever is not 0 is marked. */
function planeOf({ size: [width, height], layers: [map] }: Decoded) {
  const values = new Uint8Array(width * height)
  for (let y = 0; map && y < height; y++)
    for (let x = 0; x < width; x++) values[y * width + x] = segmentAt(map, x, y, 0) === 0 ? 0 : 1
  return { width, height, values }
}

function add(gathered: Gathered, read: Read, about: About): void {
  const shape = shapeOf(read)
  if (shape) gathered.thing(shape, about)
  else gathered.refuse('shape_unknown', { ...about.at, kind: read.shape_type.slice(0, 40) })
}

function shapeOf({ shape_type: kind, points, seen }: Read): Shape | null {
  const [first = [0, 0], second = first] = points
  switch (kind) {
    case 'rectangle': {
      // Some programs write all four corners.
      const [[ax, ay] = [0, 0], [bx, by] = [0, 0]] =
        points.length === 4 ? [points[0], points[2]] : [first, second]
      const [x, y] = [Math.min(ax, bx), Math.min(ay, by)]
      return { kind: 'box', x, y, width: Math.abs(bx - ax), height: Math.abs(by - ay), angle: 0 }
    }
    case 'rotation':
    case 'oriented_rectangle':
      return boxOfCorners(points) ?? { kind: 'outline', rings: [points.flat()] }
    case 'polygon':
      return { kind: 'outline', rings: [points.flat()] }
    case 'circle':
      return { kind: 'outline', rings: [circle(first, second)] }
    case 'line':
    case 'linestrip':
      return { kind: 'line', points: points.flat() }
    case 'point':
    case 'points':
      return { kind: 'points', points: points.flat(), seen: points.map((_, index) => seen?.[index] ?? 2) }
    default:
      return null
  }
}

/** As a ring of 64 corners: about a thousandth of the radius away. */
function circle([x, y]: Point, [rimX, rimY]: Point): number[] {
  const radius = Math.hypot(rimX - x, rimY - y)
  return Array.from({ length: 64 }, (_, index) => (index * Math.PI) / 32).flatMap((turn) => [
    x + radius * Math.cos(turn),
    y + radius * Math.sin(turn),
  ])
}

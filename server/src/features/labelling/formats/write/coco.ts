/**
 * COCO (https://cocodataset.org/#format-data): one JSON for all images. Pixels as packed runs, angles in `attributes.rotation` as
 * CVAT has them.
 */
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import type { Thing } from '@neuroloom/contract/labelling/things'
import { boundsOf, pairs } from '../geometry.ts'
import { type Crop, columnRuns, packRuns } from '../rle.ts'
import { cropOf, cropOfRings, extentsOf } from '../segments.ts'
import { type LabelledImage, type LabelledSet, type Piece, text } from '../shapes.ts'

const PATH = 'annotations.json'

/** The list of images stands behind that of annotations: it is short, and known when all of them were seen. */
export async function* writeCoco({ name, classes, images, now }: LabelledSet): AsyncIterable<Piece> {
  const named = classes.filter(({ use }) => use !== 'background')
  const ids = new Map(named.map(({ id }, index) => [id, index + 1]))
  const ignored = new Set(named.flatMap(({ id, use }) => (use === 'ignore' ? [id] : [])))
  const info = {
    description: name,
    version: '1.0',
    year: now.getUTCFullYear(),
    date_created: now.toISOString(),
  }
  yield text(PATH, `{"info":${JSON.stringify(info)},"licenses":[],"annotations":[`)
  const seen: object[] = []
  const mostPoints = new Map<string, number>()
  let number = 0
  for await (const image of images) {
    const [width, height, slices] = image.size
    if (slices > 1) continue
    seen.push({ id: seen.length + 1, file_name: image.name, width, height })
    const lines: string[] = []
    for (const { owner, body } of annotationsOf(image, mostPoints)) {
      number += 1
      const iscrowd = ignored.has(owner) ? 1 : 0
      const head = { id: number, image_id: seen.length, category_id: ids.get(owner) ?? 0, iscrowd }
      lines.push(`${number === 1 ? '' : ','}\n${JSON.stringify({ ...head, ...body })}`)
    }
    if (lines.length > 0) yield text(PATH, lines.join(''))
  }
  const categories = named.map((one, index) => categoryOf(one, index + 1, mostPoints.get(one.id) ?? 0))
  yield text(PATH, `\n],"categories":${JSON.stringify(categories)},"images":${JSON.stringify(seen)}}\n`)
}

/** A class without a skeleton whose points are used: they are called by their numbers. */
function categoryOf({ name, skeleton }: LabelClass, id: number, points: number): object {
  const keypoints = skeleton?.points ?? Array.from({ length: points }, (_, index) => String(index + 1))
  const joins = skeleton?.joins.map(([from, to]) => [from + 1, to + 1]) ?? []
  return { id, name, supercategory: '', ...(keypoints.length > 0 ? { keypoints, skeleton: joins } : {}) }
}

type Annotation = { owner: string; body: object }

function* annotationsOf(image: LabelledImage, mostPoints: Map<string, number>): Iterable<Annotation> {
  const [width, height] = image.size
  for (const thing of image.marks.things.values()) {
    if (thing.shape.kind === 'points')
      mostPoints.set(thing.class, Math.max(mostPoints.get(thing.class) ?? 0, thing.shape.seen.length))
    const body = bodyOf(thing, [width, height])
    if (!body) continue
    const rotation =
      thing.shape.kind === 'box' && thing.shape.angle !== 0 ? { rotation: thing.shape.angle } : {}
    const attributes = { ...thing.attributes, ...rotation }
    const isAny = Object.keys(attributes).length > 0
    yield { owner: thing.class, body: { ...body, ...(isAny ? { attributes } : {}) } }
  }
  for (const extent of extentsOf(image.marks.pixels)) {
    const owner = image.marks.segments.get(extent.number)?.class
    if (owner === undefined) continue
    const crop = cropOf(image.marks.pixels, extent)
    yield { owner, body: maskBody(crop, [width, height]) }
  }
}

function bodyOf({ shape }: Thing, plane: readonly [number, number]): object | null {
  switch (shape.kind) {
    case 'box': {
      const { x, y, width, height } = shape
      return { bbox: [x, y, width, height], area: width * height, segmentation: [] }
    }
    case 'outline': {
      const [ring, ...more] = shape.rings
      if (!ring) return null
      if (more.length === 0)
        return { bbox: bboxOf(boundsOf(shape)), area: areaOf(ring), segmentation: [ring] }
      const crop = cropOfRings(shape.rings, plane)
      return crop ? maskBody(crop, plane) : null
    }
    case 'points': {
      const keypoints = pairs(shape.points).flatMap(([x, y], index) => [x, y, shape.seen[index] ?? 0])
      const { x0, y0, x1, y1 } = boundsOf(shape)
      const isSeen = x1 >= x0
      return {
        bbox: isSeen ? [x0, y0, x1 - x0, y1 - y0] : [0, 0, 0, 0],
        area: isSeen ? (x1 - x0) * (y1 - y0) : 0,
        segmentation: [],
        keypoints,
        num_keypoints: shape.seen.filter((one) => one > 0).length,
      }
    }
    case 'line':
      return null
  }
}

function maskBody(crop: Crop, [width, height]: readonly [number, number]): object {
  const runs = columnRuns(crop, height, width)
  let area = 0
  for (const value of crop.values) area += value
  return {
    bbox: [crop.x, crop.y, crop.width, crop.height],
    area,
    segmentation: { size: [height, width], counts: packRuns(runs) },
  }
}

const bboxOf = ({ x0, y0, x1, y1 }: ReturnType<typeof boundsOf>): number[] => [x0, y0, x1 - x0, y1 - y0]

/** Gauss's trapezoid formula. */
function areaOf(ring: readonly number[]): number {
  const points = pairs(ring)
  let [x1, y1] = points.at(-1) ?? [0, 0]
  let twice = 0
  for (const [x2, y2] of points) {
    twice += x1 * y2 - x2 * y1
    ;[x1, y1] = [x2, y2]
  }
  return Math.abs(twice) / 2
}

/** Gathers what a file says of one image: sound things and masks go into its marks, all else is named. */
import type { ExchangeProblem, ExchangeReason } from '@neuroloom/contract/labelling/exchange'
import { makePixels } from '@neuroloom/contract/labelling/pixels'
import type { Marks } from '@neuroloom/contract/labelling/steps'
import type { Shape, Thing } from '@neuroloom/contract/labelling/things'
import { labelling as limits } from '@neuroloom/contract/limits'
import { boundsOf, type Point, pairs } from '../geometry.ts'
import type { Crop } from '../rle.ts'
import { freeNumber, isTaken, isWithin, lay, ringsOf } from '../segments.ts'
import type { Found, Target } from '../shapes.ts'

type Params = ExchangeProblem['params']
export type About = {
  class: string
  slice?: number
  attributes?: Thing['attributes']
  track?: string | null
  isLast?: boolean
  /** Where it stands in the file. */
  at: Params
}

export type Gathered = {
  target: Target
  marks: Marks
  problems: ExchangeProblem[]
  thing: (shape: Shape, about: About) => void
  /** `segment`: more pixels of a segment that was begun; answers with its number. */
  mask: (crop: Crop | null, about: About, segment?: number) => number | null
  tag: (name: string) => void
  refuse: (reason: ExchangeReason, params: Params) => void
  /** What came of it, once. */
  found: () => Iterable<Found>
}

export function gather(source: string, target: Target): Gathered {
  const marks: Marks = { tags: [], things: new Map(), segments: new Map(), pixels: makePixels(target.size) }
  const problems: ExchangeProblem[] = []
  const refuse = (reason: ExchangeReason, params: Params): void => {
    problems.push({ path: source, reason, params: { name: target.name, ...params } })
  }
  const thing: Gathered['thing'] = (shape, about) => {
    const wrong = wrongIn(shape, target)
    if (wrong) return refuse(wrong, about.at)
    if (marks.things.size >= limits.things) return refuse('too_many', { ...about.at, limit: limits.things })
    const id = `f${marks.things.size + 1}`
    const { class: owner, slice = 0, attributes = {}, track = null, isLast = false } = about
    if (!isSound(shape) || !(slice >= 0 && slice < target.size[2])) return refuse('unreadable', about.at)
    if (shape.kind === 'outline' && shape.rings.some((ring) => crossesItself(pairs(ring))))
      refuse('crosses_itself', about.at)
    const place = { axis: 2 as const, slice }
    marks.things.set(id, { id, class: owner, place, shape, by: 'file', attributes, track, isLast })
  }
  const mask: Gathered['mask'] = (crop, about, segment) => {
    const { slice = 0, class: owner } = about
    if (!crop || !isWithin(crop, target.size) || slice >= target.size[2]) {
      refuse('unreadable', about.at)
      return null
    }
    if (!crop.values.includes(1)) {
      refuse('shape_empty', about.at)
      return null
    }
    const number = segment ?? freeNumber(marks)
    if (number === null || isTaken(marks.pixels, crop, slice)) {
      // Pixels belong to one segment alone: what lies on others is kept by its outline, to the pixel.
      refuse('overlap', about.at)
      thing({ kind: 'outline', rings: ringsOf(crop) }, about)
      return null
    }
    if (segment === undefined) marks.segments.set(number, { number, class: owner, by: 'file' })
    lay(marks.pixels, crop, { slice, segment: number })
    return number
  }
  return {
    ...{ target, marks, problems, thing, mask, refuse },
    tag: (name) => {
      if (!marks.tags.includes(name)) marks.tags = [...marks.tags, name]
    },
    *found() {
      for (const problem of problems) yield { kind: 'problem', ...problem }
      yield { kind: 'image', source, target, marks }
    },
  }
}

function wrongIn(shape: Shape, { size: [width, height, depth] }: Target): ExchangeReason | null {
  const side = depth > 1 ? Math.max(width, height, depth) : 0
  switch (shape.kind) {
    case 'box':
      if (!(shape.width > 0 && shape.height > 0)) return 'shape_empty'
      break
    case 'outline':
      if (shape.rings.some((ring) => new Set(pairs(ring).map(([x, y]) => `${x} ${y}`)).size < 3))
        return 'shape_empty'
      break
    case 'line':
      if (shape.points.length < 4) return 'shape_empty'
      break
    case 'points':
      if (shape.points.length === 0 || !shape.seen.some((seen) => seen > 0)) return 'shape_empty'
      break
  }
  const { x0, y0, x1, y1 } = boundsOf(shape)
  if (![x0, y0, x1, y1].every(Number.isFinite)) return 'unreadable'
  return x1 < 0 || y1 < 0 || x0 > Math.max(width, side) || y0 > Math.max(height, side)
    ? 'shape_outside'
    : null
}

/** As `shapeSchema` asks, which takes too long for 100,000 of them. */
function isSound(shape: Shape): boolean {
  const isNear = (value: number): boolean => value >= -limits.side && value <= 2 * limits.side
  switch (shape.kind) {
    case 'box':
      return [shape.x, shape.y].every(isNear) && Math.max(shape.width, shape.height) <= limits.side
    case 'outline':
      return (
        shape.rings.length <= limits.rings &&
        shape.rings.every((ring) => ring.length <= 2 * limits.thingPoints && ring.every(isNear))
      )
    case 'line':
      return shape.points.length <= 2 * limits.thingPoints && shape.points.every(isNear)
    case 'points':
      return shape.seen.length <= limits.skeletonPoints && shape.points.every(isNear)
  }
}

/** Rings with more corners are not looked at: each side is held against each other one. */
const MOST_SIDES = 1000

function crossesItself(ring: readonly Point[]): boolean {
  const count = ring.length
  if (count > MOST_SIDES) return false
  for (let one = 0; one < count; one++)
    for (let other = one + 2; other < count; other++) {
      if (one === 0 && other === count - 1) continue
      if (cross(ring[one], ring[one + 1], ring[other], ring[(other + 1) % count])) return true
    }
  return false
}

/** Two sides that cross within both; those that only touch do not. */
function cross(
  a: Point | undefined,
  b: Point | undefined,
  c: Point | undefined,
  d: Point | undefined,
): boolean {
  if (!a || !b || !c || !d) return false
  const side = (p: Point, q: Point, r: Point): number =>
    Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

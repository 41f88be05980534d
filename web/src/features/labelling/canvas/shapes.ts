/** Outlines as paths: their points, bounds, and what lies under the pointer. Pure. */
import { type Box, cornersOf as boxCorners, ringsOf } from '@neuroloom/contract/labelling/corners'
import type { Shape } from '@neuroloom/contract/labelling/things'
import type { Point, Rect } from './view.ts'

/** From the left upper one on, clockwise. */
export const cornersOf = (box: Box): Point[] => boxCorners(box).map(([x, y]) => ({ x, y }))

export function turned({ x, y }: Point, about: Point, degrees: number): Point {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const [dx, dy] = [x - about.x, y - about.y]
  return { x: about.x + dx * cos - dy * sin, y: about.y + dx * sin + dy * cos }
}

export const isClosed = ({ kind }: Shape): boolean => kind === 'box' || kind === 'outline'

export function boundsOf(shape: Shape): Rect {
  const bounds = {
    left: Number.POSITIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  }
  for (const ring of ringsOf(shape))
    for (let at = 0; at + 1 < ring.length; at += 2) {
      const [x = 0, y = 0] = [ring[at], ring[at + 1]]
      if (x < bounds.left) bounds.left = x
      if (x > bounds.right) bounds.right = x
      if (y < bounds.top) bounds.top = y
      if (y > bounds.bottom) bounds.bottom = y
    }
  return bounds
}

/** Inside by the even-odd rule, or on the line, or at a point; `reach` in image pixels. */
export function isHit(shape: Shape, { x, y }: Point, reach: number): boolean {
  const rings = ringsOf(shape)
  if (shape.kind === 'points')
    return shape.points.some(
      (value, at) => at % 2 === 0 && Math.hypot(value - x, (shape.points[at + 1] ?? 0) - y) <= reach,
    )
  if (isClosed(shape) && isInside(rings, { x, y })) return true
  return rings.some((ring) => distanceTo(ring, { x, y }, isClosed(shape)) <= reach)
}

export function isInside(rings: readonly (readonly number[])[], { x, y }: Point): boolean {
  let isIn = false
  for (const ring of rings)
    for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2) {
      const [ax = 0, ay = 0, bx = 0, by = 0] = [ring[at], ring[at + 1], ring[before], ring[before + 1]]
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn
    }
  return isIn
}

export function distanceTo(ring: readonly number[], point: Point, isRing: boolean): number {
  let least = Number.POSITIVE_INFINITY
  for (let at = isRing ? 0 : 2; at < ring.length; at += 2) {
    const before = (at + ring.length - 2) % ring.length
    const from = { x: ring[before] ?? 0, y: ring[before + 1] ?? 0 }
    const to = { x: ring[at] ?? 0, y: ring[at + 1] ?? 0 }
    least = Math.min(least, nearestOn(from, to, point).distance)
  }
  return least
}

export function nearestOn(from: Point, to: Point, point: Point): Point & { distance: number } {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const part = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length
  const within = Math.min(Math.max(part, 0), 1)
  const [x, y] = [from.x + within * dx, from.y + within * dy]
  return { x, y, distance: Math.hypot(point.x - x, point.y - y) }
}

export function moved(shape: Shape, by: Point): Shape {
  const shift = (points: readonly number[]) => points.map((value, at) => value + (at % 2 === 0 ? by.x : by.y))
  switch (shape.kind) {
    case 'box':
      return { ...shape, x: shape.x + by.x, y: shape.y + by.y }
    case 'outline':
      return { ...shape, rings: shape.rings.map(shift) }
    case 'line':
    case 'points':
      return { ...shape, points: shift(shape.points) }
  }
}

/**
 * Without the points that lie nearer than so much to the straight way between their neighbours (D. H. Douglas and T. K. Peucker,
 * The Canadian Cartographer 10, 1973).
 */
export function simplified(points: readonly Point[], tolerance: number): Point[] {
  const isKept = new Uint8Array(points.length)
  isKept.fill(1, 0, 1).fill(1, -1)
  const spans: [number, number][] = [[0, points.length - 1]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [first, last] = span
    const [from, to] = [points[first], points[last]]
    let [most, middle] = [tolerance, -1]
    for (let at = first + 1; at < last; at++) {
      const point = points[at]
      const away = point && from && to ? nearestOn(from, to, point).distance : 0
      if (away > most) [most, middle] = [away, at]
    }
    if (middle < 0) continue
    isKept[middle] = 1
    spans.push([first, middle], [middle, last])
  }
  return points.filter((_, at) => isKept[at] === 1)
}

/** Boxes and shapes as corners: what formats without an angle or without an outline get of them. */
import { type Box, cornersOf } from '@neuroloom/contract/labelling/corners'
import type { Corner } from '@neuroloom/contract/labelling/outline'
import type { Shape } from '@neuroloom/contract/labelling/things'

export type Point = Corner

/** The box of which these are the corners, in the order of `cornersOf`; null where they are of none. */
export function boxOfCorners(corners: readonly Point[]): Box | null {
  const [one, two, three, four] = corners
  if (!one || !two || !three || !four || corners.length > 4) return null
  const [width, height] = [distance(one, two), distance(one, four)]
  const tolerance = 1e-3 * Math.max(width, height, 1)
  const isEven = distance(between(one, three), between(two, four)) < tolerance
  const isRight = Math.abs(distance(one, three) - distance(two, four)) < tolerance
  if (!isEven || !isRight || width === 0 || height === 0) return null
  const [middleX, middleY] = between(one, three)
  // Seen on a screen, where y leads down: clockwise.
  const isTurned = (two[0] - one[0]) * (four[1] - one[1]) - (two[1] - one[1]) * (four[0] - one[0]) < 0
  if (isTurned) return boxOfCorners([one, four, three, two])
  const degrees = (Math.atan2(two[1] - one[1], two[0] - one[0]) * 180) / Math.PI
  const angle = Math.abs(degrees) < 1e-9 ? 0 : degrees
  return { kind: 'box', x: middleX - width / 2, y: middleY - height / 2, width, height, angle }
}

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(bx - ax, by - ay)
const between = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2]

export type Bounds = { x0: number; y0: number; x1: number; y1: number }

/** The upright box round a shape. */
export const boundsOf = (shape: Shape): Bounds => {
  switch (shape.kind) {
    case 'box':
      return around(shape.angle === 0 ? straight(shape) : cornersOf(shape))
    case 'outline':
      return around(shape.rings.flatMap(pairs))
    case 'line':
      return around(pairs(shape.points))
    case 'points':
      return around(pairs(shape.points).filter((_, index) => shape.seen[index] !== 0))
  }
}

const straight = ({ x, y, width, height }: Box): Point[] => [[x, y], [x + width, y + height]] // biome-ignore format: two corners

export function around(points: Iterable<Point>): Bounds {
  const bounds = {
    ...{ x0: Number.POSITIVE_INFINITY, y0: Number.POSITIVE_INFINITY },
    ...{ x1: Number.NEGATIVE_INFINITY, y1: Number.NEGATIVE_INFINITY },
  }
  for (const [x, y] of points) {
    bounds.x0 = Math.min(bounds.x0, x)
    bounds.y0 = Math.min(bounds.y0, y)
    bounds.x1 = Math.max(bounds.x1, x)
    bounds.y1 = Math.max(bounds.y1, y)
  }
  return bounds
}

/** x, y, x, y … as points. */
export const pairs = (flat: readonly number[]): Point[] =>
  Array.from(
    { length: flat.length >> 1 },
    (_, index): Point => [flat[2 * index] ?? 0, flat[2 * index + 1] ?? 0],
  )

/** Several rings as one, joined by lines there and back that enclose nothing: by the even-odd rule the same pixels. */
export function joined(rings: readonly (readonly number[])[]): number[] {
  const [first = [], ...more] = rings
  const start = first.slice(0, 2)
  if (more.length === 0) return [...first]
  return [...first, ...start, ...more.flatMap((ring) => [...ring, ...ring.slice(0, 2), ...start])]
}

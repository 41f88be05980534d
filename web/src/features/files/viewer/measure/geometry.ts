/**
 * Lengths, angles, areas and values on a plane of pixels. Points are in pixels from the plane's corner, so that a pixel's
 * middle lies at a half; steps say how long a pixel is along a row and along a column. Pure.
 */
export type Point = readonly [x: number, y: number]
export type Steps = readonly [x: number, y: number]
export type Values = { count: number; mean: number; deviation: number; min: number; max: number }

/** As fine as a point is kept, in pixels: what an address holds is exactly what was measured. */
const FINE = 100
export const settled = ([x, y]: Point): Point => [Math.round(x * FINE) / FINE, Math.round(y * FINE) / FINE]

export const lengthOf = ([x0, y0]: Point, [x1, y1]: Point, [sx, sy]: Steps): number =>
  Math.hypot((x1 - x0) * sx, (y1 - y0) * sy)

/** How much longer a distance becomes when its end moves one pixel on along the line. */
export function resolutionOf(from: Point, to: Point, steps: Steps): number {
  const pixels = lengthOf(from, to, [1, 1])
  return pixels === 0 ? Math.max(...steps) : lengthOf(from, to, steps) / pixels
}

/** At the middle point, in degrees from 0 to 180. */
export function angleAt([one, corner, other]: readonly [Point, Point, Point], steps: Steps): number {
  return angleOf(way(corner, one, steps), way(corner, other, steps))
}

/** Between two lines, whichever way they were drawn: the smaller angle, as Cobb's method reads it from end plates. */
export function angleBetween([a, b, c, d]: readonly [Point, Point, Point, Point], steps: Steps): number {
  const angle = angleOf(way(a, b, steps), way(c, d, steps))
  return Math.min(angle, 180 - angle)
}

const way = ([x0, y0]: Point, [x1, y1]: Point, [sx, sy]: Steps): Point => [(x1 - x0) * sx, (y1 - y0) * sy]

/** By the arctangent, which stays exact where the cosine is flat. */
const angleOf = ([x0, y0]: Point, [x1, y1]: Point): number =>
  (Math.abs(Math.atan2(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1)) * 180) / Math.PI

/** Gauss's area formula. */
export function polygonArea(points: readonly Point[], [sx, sy]: Steps): number {
  const twice = edgesOf(points).reduce((sum, [[x0, y0], [x1, y1]]) => sum + x0 * y1 - x1 * y0, 0)
  return (Math.abs(twice) / 2) * sx * sy
}

export function ellipseArea([[x0, y0], [x1, y1]]: readonly [Point, Point], [sx, sy]: Steps): number {
  return (Math.PI / 4) * Math.abs((x1 - x0) * (y1 - y0)) * sx * sy
}

/** An outline that crosses itself has no area that two people would agree on. */
export function isCrossed(points: readonly Point[]): boolean {
  const edges = edgesOf(points)
  return edges.some((edge, index) =>
    edges.some(
      (other, at) => at > index + 1 && !(index === 0 && at === edges.length - 1) && cross(edge, other),
    ),
  )
}

type Edge = readonly [Point, Point]

const edgesOf = (points: readonly Point[]): Edge[] =>
  points.map((point, index) => [point, points[(index + 1) % points.length] ?? point])

function cross([a, b]: Edge, [c, d]: Edge): boolean {
  const side = ([x0, y0]: Point, [x1, y1]: Point, [x, y]: Point) =>
    Math.sign((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0))
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

export type Inside = { bounds: readonly [Point, Point]; has: (x: number, y: number) => boolean }

/** By even and odd crossings. */
export function insidePolygon(points: readonly Point[]): Inside {
  const edges = edgesOf(points)
  const has = (x: number, y: number): boolean =>
    edges.filter(([[x0, y0], [x1, y1]]) => y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0)
      .length %
      2 ===
    1
  return { bounds: boundsOf(points), has }
}

/** The ellipse between two corners. */
export function insideEllipse(corners: readonly [Point, Point]): Inside {
  const bounds = boundsOf(corners)
  const [[x0, y0], [x1, y1]] = bounds
  const has = (x: number, y: number): boolean =>
    ((2 * x - x0 - x1) / (x1 - x0)) ** 2 + ((2 * y - y0 - y1) / (y1 - y0)) ** 2 <= 1
  return { bounds, has }
}

function boundsOf(points: readonly Point[]): readonly [Point, Point] {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return [
    [Math.min(...xs), Math.min(...ys)],
    [Math.max(...xs), Math.max(...ys)],
  ]
}

/** What an image says of a place; null where it has no number. Whole columns and rows. */
export type ValueAt = (column: number, row: number) => number | null

/** Of all pixels whose middle lies inside; null where there is none. The deviation is that of a sample (n − 1). */
export function valuesInside(
  { bounds: [[left, top], [right, bottom]], has }: Inside,
  { size: [width, height], valueAt }: { size: Point; valueAt: ValueAt },
): Values | null {
  let [count, mean, squares] = [0, 0, 0]
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let row = Math.max(0, Math.floor(top)); row < Math.min(height, Math.ceil(bottom)); row += 1) {
    for (
      let column = Math.max(0, Math.floor(left));
      column < Math.min(width, Math.ceil(right));
      column += 1
    ) {
      if (!has(column + 0.5, row + 0.5)) continue
      const value = valueAt(column, row)
      if (value === null) continue
      // Welford 1962: exact also where values are large and differ little.
      count += 1
      const change = value - mean
      mean += change / count
      squares += change * (value - mean)
      min = Math.min(min, value)
      max = Math.max(max, value)
    }
  }
  return count === 0
    ? null
    : { count, mean, deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : 0, min, max }
}

export type Profile = { at: number[]; values: (number | null)[] }

/** Values along a line, twice a pixel, each between its four neighbours (bilinear); at = how far from the start. */
export function profileAlong(
  [from, to]: readonly [Point, Point],
  { size, steps, valueAt }: { size: Point; steps: Steps; valueAt: ValueAt },
): Profile {
  const count = Math.min(MOST_SAMPLES, Math.max(2, Math.ceil(2 * lengthOf(from, to, [1, 1])) + 1))
  const whole = lengthOf(from, to, steps)
  const shares = Array.from({ length: count }, (_, index) => index / (count - 1))
  return {
    at: shares.map((share) => share * whole),
    values: shares.map((share) => {
      const between = (axis: 0 | 1): number => from[axis] + share * (to[axis] - from[axis])
      return between4([between(0), between(1)], { size, valueAt })
    }),
  }
}

const MOST_SAMPLES = 1000

function between4(
  [x, y]: Point,
  { size: [width, height], valueAt }: { size: Point; valueAt: ValueAt },
): number | null {
  if (x < 0 || y < 0 || x > width || y > height) return null
  const inside = (at: number, side: number): number => Math.min(Math.max(at - 0.5, 0), side - 1)
  const [u, v] = [inside(x, width), inside(y, height)]
  const [column, row] = [
    Math.min(Math.floor(u), Math.max(width - 2, 0)),
    Math.min(Math.floor(v), Math.max(height - 2, 0)),
  ]
  let sum = 0
  for (const [dx, dy] of corners) {
    const weight = (dx === 1 ? u - column : 1 - u + column) * (dy === 1 ? v - row : 1 - v + row)
    if (weight === 0) continue
    const value = valueAt(column + dx, row + dy)
    if (value === null) return null
    sum += weight * value
  }
  return sum
}

const corners = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const

/** A line drawn by hand with fewer points: those that change its shape least go first (Visvalingam and Whyatt 1993). */
export function simplified(points: readonly Point[], most: number): Point[] {
  const kept = [...points]
  const weightOf = (at: number): number =>
    polygonArea([kept.at(at - 1), kept[at], kept[(at + 1) % kept.length]].filter(isPoint), [1, 1])
  const weights = kept.map((_, at) => weightOf(at))
  while (kept.length > 3) {
    const least = weights.reduce(
      (lightest, weight, at) => (weight < (weights[lightest] ?? 0) ? at : lightest),
      0,
    )
    if (kept.length <= most && (weights[least] ?? 0) >= STRAIGHT) break
    kept.splice(least, 1)
    weights.splice(least, 1)
    // Its neighbours have others beside them now.
    for (const at of [(least - 1 + kept.length) % kept.length, least % kept.length])
      weights[at] = weightOf(at)
  }
  return kept
}

/** Half a pixel wide along a few pixels: nobody sees it. */
const STRAIGHT = 0.5
const isPoint = (point: Point | undefined): point is Point => point !== undefined

/** How much of each cell of a lattice lies inside a polygon: exact areas, no sampling. Pure. */

export type Point = readonly [a: number, b: number]

/** Sample (i, j) is the middle of a cell of side `pitch`, at `first` + (i, j)·pitch. */
export type Lattice = { first: Point; pitch: number; width: number; height: number }

/** Of a polygon whose sides do not cross. */
export const areaOf = (polygon: readonly Point[]): number => Math.abs(signedArea(polygon))

function signedArea(polygon: readonly Point[]): number {
  let [sum, [a, b]] = [0, polygon.at(-1) ?? [0, 0]]
  for (const [c, d] of polygon) {
    sum += a * d - c * b
    ;[a, b] = [c, d]
  }
  return sum / 2
}

/** The smallest lattice around a polygon whose samples lie at whole multiples of the pitch from `origin`. */
export function latticeAround(
  polygon: readonly Point[],
  { origin, pitch }: { origin: Point; pitch: number },
): Lattice {
  const side = (axis: 0 | 1) => {
    const places = polygon.map((point) => (point[axis] - origin[axis]) / pitch)
    const low = Math.floor(Math.min(...places) + 0.5)
    return { low, count: Math.floor(Math.max(...places) + 0.5) - low + 1 }
  }
  const [a, b] = [side(0), side(1)]
  return {
    first: [origin[0] + a.low * pitch, origin[1] + b.low * pitch],
    pitch,
    width: a.count,
    height: b.count,
  }
}

/** From 0 to 1, row after row. */
export function coverage(polygon: readonly Point[], { first, pitch, width, height }: Lattice): Float64Array {
  const shares = new Float64Array(width * height)
  const cells = polygon.map(([a, b]): Point => [(a - first[0]) / pitch + 0.5, (b - first[1]) / pitch + 0.5])
  for (let row = 0; row < height; row++) {
    const strip = clip(clip(cells, { axis: 1, at: row, side: 1 }), { axis: 1, at: row + 1, side: -1 })
    if (strip.length === 0) continue
    for (let column = 0; column < width; column++) {
      const right = clip(strip, { axis: 0, at: column, side: 1 })
      shares[row * width + column] = areaOf(clip(right, { axis: 0, at: column + 1, side: -1 }))
    }
  }
  return shares
}

/**
 * What lies on one side of a line: I. Sutherland and G. Hodgman, "Reentrant Polygon Clipping" (1974). Parts of a polygon that is
 * not convex stay joined along the line, which adds no area.
 */
function clip(
  polygon: readonly Point[],
  { axis, at, side }: { axis: 0 | 1; at: number; side: 1 | -1 },
): Point[] {
  const kept: Point[] = []
  let before = polygon.at(-1)
  for (const point of polygon) {
    if (before === undefined) break
    const [was, is] = [side * (before[axis] - at), side * (point[axis] - at)]
    if (was < 0 !== is < 0) {
      const share = was / (was - is)
      kept.push([before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])])
    }
    if (is >= 0) kept.push(point)
    before = point
  }
  return kept
}

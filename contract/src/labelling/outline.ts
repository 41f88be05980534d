/**
 * The borders of a mask as polygons with holes, along the edges of its pixels: nothing is lost, and `rasterise` gives the same mask
 * back. Made simpler with fewer corners on wish (D. H. Douglas and T. K. Peucker, Cartographica 10, 1973). Knows no file format.
 */

/** Across and down, in pixels from the upper left corner of the first one: its middle is (0.5, 0.5). */
export type Corner = readonly [x: number, y: number]
/** Closed; the first corner is not repeated. */
export type Ring = readonly Corner[]
/** The border, then those of its holes. */
export type Polygon = readonly [border: Ring, ...holes: Ring[]]

type PlaneOfMask = { width: number; height: number; values: ArrayLike<number> }

/**
 * One polygon for each region of pixels that share sides, in the order of their first pixels; borders run clockwise as seen on a
 * screen, holes the other way. `tolerance`: how far, in pixels, a corner that is left out may lie from the line that remains; 0
 * keeps the mask to the pixel. A ring is never made simpler than a triangle, and rings that lie closer than the tolerance may then cross.
 */
export function outline(mask: PlaneOfMask, tolerance = 0): Polygon[] {
  const rings: Ring[] = []
  /** For each ring, the place of its polygon. */
  const owners: number[] = []
  const polygons: [Ring, ...Ring[]][] = []
  const { width, height } = mask
  const seen = new Int32Array((width + 1) * height)
  const isIn = inside(mask)
  for (let y = 0; y < height; y++) {
    let before = 0
    for (let x = 0; x <= width; x++) {
      const isBorder = isIn(x, y) && !isIn(x - 1, y)
      const isHole = !isIn(x, y) && isIn(x - 1, y)
      if (!isBorder && !isHole) continue
      const at = y * (width + 1) + x
      if (!seen[at]) {
        const traced = trace(
          { isIn, seen, width },
          { x, y: isBorder ? y + 1 : y, isDown: isHole },
          rings.length + 1,
        )
        const ring = tolerance > 0 ? simplified(traced, tolerance) : traced
        rings.push(ring)
        // What lies to the left of a hole's first edge belongs to the region around it, whose border was met before.
        const owner = isBorder ? polygons.push([ring]) - 1 : (owners[before - 1] ?? 0)
        if (isHole) polygons[owner]?.push(ring)
        owners.push(owner)
      }
      before = seen[at] ?? 0
    }
  }
  return polygons
}

type IsIn = (x: number, y: number) => boolean

const inside =
  ({ width, height, values }: PlaneOfMask): IsIn =>
  (x, y) =>
    x >= 0 && y >= 0 && x < width && y < height && (values[y * width + x] ?? 0) > 0

type Tracing = { isIn: IsIn; seen: Int32Array; width: number }

/** Right, down, left, up; the region is always on the right hand. */
// biome-ignore format: a table
const ways = [[1, 0], [0, 1], [-1, 0], [0, -1]] as const

/** Along the edges of pixels until the first one is met again; corners stand where the way turns. */
function trace(
  { isIn, seen, width }: Tracing,
  start: { x: number; y: number; isDown: boolean },
  number: number,
): Corner[] {
  const first = start.isDown ? 1 : 3
  let [x, y, way] = [start.x, start.y, first]
  const corners: Corner[] = []
  do {
    if (way === 3) seen[(y - 1) * (width + 1) + x] = number
    if (way === 1) seen[y * (width + 1) + x] = number
    const [dx, dy] = ways[way] ?? ways[0]
    x += dx
    y += dy
    const turn = turnAt(isIn, { x, y, dx, dy })
    if (turn !== 0) corners.push([x, y])
    way = (way + turn + 4) % 4
  } while (x !== start.x || y !== start.y || way !== first)
  return corners
}

/** 1 = right, −1 = left. Pixels that touch at a corner alone are parted there. */
function turnAt(isIn: IsIn, { x, y, dx, dy }: { x: number; y: number; dx: number; dy: number }): 1 | 0 | -1 {
  // The pixel ahead on the right hand and that on the left, as seen from the corner (x, y).
  const right = isIn(x + (dx - dy - 1) / 2, y + (dy + dx - 1) / 2)
  if (!right) return 1
  const left = isIn(x + (dx + dy - 1) / 2, y + (dy - dx - 1) / 2)
  return left ? -1 : 0
}

/** Keeps the corner that came first and the one farthest from it, and between them what the tolerance asks for. */
export function simplified(ring: Ring, tolerance: number): Ring {
  const [first] = ring
  if (!first || ring.length <= 3) return ring
  const away = ring.map((corner) => Math.hypot(corner[0] - first[0], corner[1] - first[1]))
  // Not by spreading them into Math.max: long rings are more than a call takes as arguments.
  const far = away.indexOf(away.reduce((most, value) => Math.max(most, value), 0))
  const isKept = new Uint8Array(ring.length + 1)
  for (const place of [0, far, ring.length]) isKept[place] = 1
  const waiting = [[0, far] as const, [far, ring.length] as const]
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    const { place, distance } = farthest(ring, part)
    if (distance <= tolerance) continue
    isKept[place] = 1
    waiting.push([part[0], place] as const, [place, part[1]] as const)
  }
  const kept = ring.filter((_, place) => isKept[place] === 1)
  if (kept.length >= 3) return kept
  const halves = [farthest(ring, [0, far]), farthest(ring, [far, ring.length])]
  const third = (halves[0]?.distance ?? 0) >= (halves[1]?.distance ?? 0) ? halves[0] : halves[1]
  return ring.filter((_, place) => isKept[place] === 1 || place === third?.place)
}

/** Of the corners strictly between two places; the ring's end is its first corner. */
function farthest(ring: Ring, [from, to]: readonly [number, number]): { place: number; distance: number } {
  const [ax, ay] = ring[from] ?? [0, 0]
  const [bx, by] = ring[to % ring.length] ?? [0, 0]
  const [dx, dy] = [bx - ax, by - ay]
  const square = dx ** 2 + dy ** 2
  let [place, distance] = [-1, -1]
  for (let at = from + 1; at < to; at++) {
    const [x, y] = ring[at] ?? [0, 0]
    const share = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square))
    const away = Math.hypot(x - ax - share * dx, y - ay - share * dy)
    if (away > distance) [place, distance] = [at, away]
  }
  return { place, distance }
}

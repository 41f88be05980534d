/** Polygons as a mask: which pixels have their middle inside. Knows no file format. */
import type { Corner, Polygon, Ring } from './outline.ts'

type Size = { width: number; height: number }

/**
 * 1 where the middle of a pixel lies in one of the polygons, by the even-odd rule within each: what its rings enclose twice is
 * out, so holes are further rings and a line that crosses itself leaves out what it goes around twice. A middle on a
 * left or upper edge is in, on a right or lower edge out, so polygons that share an edge share no pixel. A polygon
 * within the plane that holds no middle at all does not vanish: each pixel that its lines pass through is marked. What lies
 * outside the plane is left out, however far away.
 */
export function rasterise(polygons: readonly Polygon[], size: Size): Uint8Array {
  const mask = new Uint8Array(size.width * size.height)
  for (const polygon of polygons) {
    const isMarked = fill(mask, polygon, size)
    if (!isMarked && polygon.every((ring) => ring.every((corner) => isWithin(corner, size)))) {
      for (const ring of polygon) drawLines(mask, ring, size)
    }
  }
  return mask
}

const isWithin = ([x, y]: Corner, { width, height }: Size): boolean =>
  x >= 0 && y >= 0 && x <= width && y <= height

/** Whether the polygon holds the middle of a pixel of the plane. */
function fill(mask: Uint8Array, polygon: Polygon, { width, height }: Size): boolean {
  const column = (x: number) => Math.min(width, Math.max(0, Math.ceil(x - 0.5)))
  let isMarked = false
  for (const [row, crossings] of crossingsByRow(polygon, height)) {
    crossings.sort((a, b) => a - b)
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      const [from, to] = [column(crossings[pair] ?? 0), column(crossings[pair + 1] ?? 0)]
      if (to <= from) continue
      isMarked = true
      mask.fill(1, row * width + from, row * width + to)
    }
  }
  return isMarked
}

/** For each row of pixels that the rings reach: where they cross the line through its middles. */
function crossingsByRow(polygon: Polygon, height: number): Map<number, number[]> {
  const rows = new Map<number, number[]>()
  for (const ring of polygon) {
    let [x1, y1] = ring.at(-1) ?? [0, 0]
    for (const [x2, y2] of ring) {
      const end = Math.min(height, Math.ceil(Math.max(y1, y2) - 0.5))
      for (let row = Math.max(0, Math.ceil(Math.min(y1, y2) - 0.5)); row < end; row++) {
        const x = x1 + ((row + 0.5 - y1) / (y2 - y1)) * (x2 - x1)
        const crossings = rows.get(row)
        if (crossings) crossings.push(x)
        else rows.set(row, [x])
      }
      ;[x1, y1] = [x2, y2]
    }
  }
  return rows
}

function drawLines(mask: Uint8Array, ring: Ring, { width, height }: Size) {
  let [x1, y1] = ring.at(-1) ?? [0, 0]
  for (const [x2, y2] of ring) {
    // Twice a pixel, so that none along the way is stepped over but at its very corner.
    const steps = Math.max(1, Math.ceil(2 * Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1))))
    for (let step = 0; step <= steps; step++) {
      const x = Math.min(width - 1, Math.floor(x1 + ((x2 - x1) * step) / steps))
      const y = Math.min(height - 1, Math.floor(y1 + ((y2 - y1) * step) / steps))
      mask[y * width + x] = 1
    }
    ;[x1, y1] = [x2, y2]
  }
}

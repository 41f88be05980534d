/** Counts what a network found: connected regions of pixels. Cells that touch are one region. */

/** Smaller islands are noise: the smallest cell drawn has about 130 pixels. */
const MIN_PIXELS = 30

/** Regions of at least `MIN_PIXELS` pixels above `level`, neighbours sharing a side. */
export function countRegions(values: ArrayLike<number>, width: number, level = 0.5): number {
  const seen = new Uint8Array(values.length)
  let regions = 0
  for (let start = 0; start < values.length; start++) {
    if (seen[start] === 0 && (values[start] ?? 0) > level) {
      if (flood({ values, width, level, seen, start }) >= MIN_PIXELS) regions++
    }
  }
  return regions
}

type Flood = {
  values: ArrayLike<number>
  width: number
  level: number
  seen: Uint8Array
  start: number
}

/** Marks the whole region as seen; answers its size. */
function flood({ values, width, level, seen, start }: Flood): number {
  const waiting = [start]
  seen[start] = 1
  let pixels = 0
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    pixels++
    const column = index % width
    const neighbours = [index - width, index + width]
    if (column > 0) neighbours.push(index - 1)
    if (column < width - 1) neighbours.push(index + 1)
    for (const next of neighbours) {
      if (next < 0 || next >= values.length || seen[next] === 1 || (values[next] ?? 0) <= level) continue
      seen[next] = 1
      waiting.push(next)
    }
  }
  return pixels
}

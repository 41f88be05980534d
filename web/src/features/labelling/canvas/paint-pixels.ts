/** Colours of the marked pixels at the screen's own resolution, so that a map of 16,000² costs what is seen of it. Pure. */
import { type PixelMap, TILE } from '@neuroloom/contract/labelling/pixels'
import { addressing, type Plane } from './plane.ts'
import { type Rect, toImage, type View } from './view.ts'

type Paint = {
  map: PixelMap
  plane: Plane
  view: View
  /** In device pixels, within the screen. */
  rect: Rect
  /** By segment, as bytes red, green, blue, opacity lie in memory. */
  colours: Uint32Array
  /** The screen, row by row. */
  out: Uint32Array
  /** Of the screen. */
  width: number
}

export function paintPixels({ map, plane, view, rect, colours, out, width }: Paint): void {
  const { left, top, right, bottom } = rect
  const count = right - left
  if (count <= 0) return
  const { tileOfRow, tileOfColumn, insideOfRow, insideOfColumn } = addressing(map, plane)
  const runs = columns({ plane, view, left, right, tileOfColumn, insideOfColumn })
  let lastRow = -1
  let lastAt = -1
  for (let line = top; line < bottom; line++) {
    const at = line * width + left
    const v = Math.floor(toImage(view, plane, { x: 0, y: line + 0.5 }).y)
    if (v === lastRow) {
      out.copyWithin(at, lastAt, lastAt + count)
      continue
    }
    lastRow = v
    lastAt = at
    if (v < 0 || v >= plane.height) {
      out.fill(0, at, at + count)
      continue
    }
    const tiles = tileOfRow(v)
    const inside = insideOfRow(v)
    for (const { from, to, tile, columnsInside } of runs) {
      const pixels = tile < 0 ? 0 : (map.tiles.get(tiles + tile) ?? 0)
      if (typeof pixels === 'number') out.fill(colours[pixels] ?? 0, at + from, at + to)
      else paintRun(pixels, { inside, columnsInside, colours, out, at: at + from })
    }
  }
}

type RunPaint = {
  inside: number
  columnsInside: Uint16Array
  colours: Uint32Array
  out: Uint32Array
  at: number
}

/** The innermost loop, a function of its own so that engines compile it well. */
function paintRun(pixels: Uint16Array, { inside, columnsInside, colours, out, at }: RunPaint): void {
  const { length } = columnsInside
  for (let step = 0; step < length; step++)
    // Typed arrays read within their bounds give numbers; `as` because the checker cannot count.
    out[at + step] = colours[pixels[inside + (columnsInside[step] as number)] as number] as number
}

type Run = { from: number; to: number; tile: number; columnsInside: Uint16Array }
type Columns = {
  plane: Plane
  view: View
  left: number
  right: number
  tileOfColumn: (u: number) => number
  insideOfColumn: (u: number) => number
}

/** Columns of the screen that lie in the same tile, one after the other; tile -1 = beside the image. */
function columns({ plane, view, left, right, tileOfColumn, insideOfColumn }: Columns): Run[] {
  const runs: Run[] = []
  let inside: number[] = []
  let tile = Number.NaN
  let from = 0
  const close = (to: number) => {
    if (to > from) runs.push({ from, to, tile, columnsInside: Uint16Array.from(inside) })
    from = to
    inside = []
  }
  for (let column = left; column < right; column++) {
    const u = Math.floor(toImage(view, plane, { x: column + 0.5, y: 0 }).x)
    const isOutside = u < 0 || u >= plane.width
    const here = isOutside ? -1 : tileOfColumn(u)
    if (here !== tile) {
      close(column - left)
      tile = here
    }
    inside.push(isOutside ? 0 : insideOfColumn(u))
  }
  close(right - left)
  return runs
}

/** As `ImageData` holds it in memory; all computers that show pages are little-endian. */
export function packed(colour: string, opacity: number): number {
  const value = Number.parseInt(colour.slice(1), 16)
  const [red, green, blue] = [value >> 16, (value >> 8) & 255, value & 255]
  return ((Math.round(opacity * 255) << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

/** Of the tiles that a change touched, in pixels of the plane. */
export function rectOfTile(
  place: { x: number; y: number; z: number; width: number; height: number },
  plane: Plane,
): Rect | null {
  const { x, y, z } = place
  const [right, bottom] = [x + TILE, y + TILE]
  if (plane.axis === 2) return z === plane.slice ? { left: x, top: y, right, bottom } : null
  if (plane.axis === 1)
    return y <= plane.slice && plane.slice < bottom ? { left: x, top: z, right, bottom: z + 1 } : null
  return x <= plane.slice && plane.slice < right ? { left: y, top: z, right: bottom, bottom: z + 1 } : null
}

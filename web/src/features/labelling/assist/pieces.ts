/** Superpixels as the editor uses them: where each lies, its pixels alone, and where borders run on the screen. Pure. */
import type { Mask, Plane } from './plane.ts'

/** Numbers of the pieces, from 0 on. */
export type Pieces = Plane<Uint32Array> & {
  /** Of each piece: first column and row, and one past the last ones. */
  bounds: Int32Array
}

export function piecesOf({ width, height, values }: Plane<Uint32Array>): Pieces {
  const count = values.reduce((most, number) => Math.max(most, number), 0) + 1
  const bounds = new Int32Array(4 * count)
  for (let piece = 0; piece < count; piece++) bounds.set([width, height, 0, 0], 4 * piece)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const from = 4 * (values[at] ?? 0)
      if (x < (bounds[from] ?? 0)) bounds[from] = x
      if (y < (bounds[from + 1] ?? 0)) bounds[from + 1] = y
      if (x >= (bounds[from + 2] ?? 0)) bounds[from + 2] = x + 1
      if (y >= (bounds[from + 3] ?? 0)) bounds[from + 3] = y + 1
    }
  return { width, height, values, bounds }
}

/** Where it begins, and its pixels. */
export function pieceOf(
  { width, values, bounds }: Pieces,
  piece: number,
): Mask & { left: number; top: number } {
  const [left = 0, top = 0, right = 0, bottom = 0] = bounds.subarray(4 * piece, 4 * piece + 4)
  const part = new Uint8Array((right - left) * (bottom - top))
  for (let y = top, to = 0; y < bottom; y++)
    for (let x = left; x < right; x++, to++) part[to] = values[y * width + x] === piece ? 1 : 0
  return { left, top, width: right - left, height: bottom - top, values: part }
}

/**
 * Lines one screen pixel wide between pieces, however near one looks. `columnAt` and `rowAt`: the column and the row of the
 * pieces below each one of the screen, −1 beside them.
 */
export function borders(
  { width, values }: Pieces,
  { columnAt, rowAt, colour }: { columnAt: Int32Array; rowAt: Int32Array; colour: number },
  out: Uint32Array,
): void {
  const across = columnAt.length
  for (let y = 0; y + 1 < rowAt.length; y++) {
    const [row, below] = [rowAt[y] ?? -1, rowAt[y + 1] ?? -1]
    if (row < 0 || below < 0) continue
    for (let x = 0; x + 1 < across; x++) {
      const [column, right] = [columnAt[x] ?? -1, columnAt[x + 1] ?? -1]
      if (column < 0 || right < 0) continue
      const here = values[row * width + column]
      if (here !== values[row * width + right] || here !== values[below * width + column])
        out[y * across + x] = colour
    }
  }
}

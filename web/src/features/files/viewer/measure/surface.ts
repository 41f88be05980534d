/** Where the slices of an image lie on the screen: from pixels of a slice to those of the page and back. Pure. */
import type { Point } from './geometry.ts'
import { isSamePlace, type Place } from './marks.ts'
import type { Grid } from './measured.ts'

/** One slice as it is shown. Screen points are in CSS pixels from the stage's corner. */
export type Pane = {
  place: Place
  /** Columns and rows. */
  size: Point
  /** Where the corner of the first pixel lies, and how far the next column and row are from there. */
  origin: Point
  step: Point
  /** What of the stage belongs to it. */
  clip: { left: number; top: number; width: number; height: number }
}

/** Where the values of a slice stand in the file's own order: the first, the next column, the next row. */
export type Order = { start: number; column: number; row: number; size: Point }

export type Surface = {
  panes: readonly Pane[]
  gridOf: (place: Place) => Grid
  orderOf: (place: Place) => Order
}

export const toScreen = ({ origin, step }: Pane, [x, y]: Point): Point => [
  origin[0] + x * step[0],
  origin[1] + y * step[1],
]

export const toImage = ({ origin, step }: Pane, [x, y]: Point): Point => [
  (x - origin[0]) / step[0],
  (y - origin[1]) / step[1],
]

/** Inside of the image, for points that were dragged beyond. */
export const held = ({ size }: Pane, [x, y]: Point): Point => [
  Math.min(Math.max(x, 0), size[0]),
  Math.min(Math.max(y, 0), size[1]),
]

/** Whose part of the stage this is, if the point lies on the image there. */
export const paneAt = (panes: readonly Pane[], [x, y]: Point): Pane | undefined =>
  panes.find((pane) => {
    const { left, top, width, height } = pane.clip
    if (x < left || y < top || x > left + width || y > top + height) return false
    const [column, row] = toImage(pane, [x, y])
    return column >= 0 && row >= 0 && column <= pane.size[0] && row <= pane.size[1]
  })

export const paneOf = (panes: readonly Pane[], place: Place): Pane | undefined =>
  panes.find((pane) => isSamePlace(pane.place, place))

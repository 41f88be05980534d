/** Where the samples of a slice lie on the picture, and how the picture is divided. CSS pixels; pure. */
import type { Shown } from '../numbers/view-plane.ts'

export type Box = { x: number; y: number; width: number; height: number }
/** How the slice is looked at: 1 = all of it fits; the place in the middle, in samples. */
export type View = { zoom: number; column: number; row: number }

export const MOST_ZOOM = 24
const MARGIN = 22
const BAR = 78
const FOOT = 24
/** Narrower pictures have their bars below. */
const NARROW = 520
const FLAT_BAR = 54

export type Layout = { image: Box; bars: Box; areBarsBelow: boolean; foot: Box }

/** `bars`: how many colour bars there are. */
export function layoutOf({ width, height }: { width: number; height: number }, bars: number): Layout {
  const foot = { x: 0, y: height - FOOT, width, height: FOOT }
  const areBarsBelow = width < NARROW
  if (areBarsBelow) {
    const tall = bars * FLAT_BAR
    const image = { x: 0, y: 0, width, height: height - FOOT - tall }
    return { image, bars: { x: 0, y: image.height, width, height: tall }, areBarsBelow, foot }
  }
  const wide = bars * BAR
  const image = { x: 0, y: 0, width: width - wide, height: height - FOOT }
  return { image, bars: { x: image.width, y: 0, width: wide, height: image.height }, areBarsBelow, foot }
}

export const wholeView = ({ width, height }: Shown): View => ({
  zoom: 1,
  column: (width - 1) / 2,
  row: (height - 1) / 2,
})

export type Placing = {
  image: Box
  /** Of a sample, in CSS pixels. */
  across: number
  down: number
  x: (column: number) => number
  y: (row: number) => number
  column: (x: number) => number
  row: (y: number) => number
}

/** The middle of sample (i, j) lies at (x(i), y(j)); pixels keep the shape of the voxels. */
export function placingOf(image: Box, { width, height, spacing: [hx, hy] }: Shown, view: View): Placing {
  const fit = Math.min((image.width - 2 * MARGIN) / (width * hx), (image.height - 2 * MARGIN) / (height * hy))
  const scale = Math.max(fit, 1e-6) * view.zoom
  const [across, down] = [hx * scale, hy * scale]
  const [left, top] = [image.x + image.width / 2, image.y + image.height / 2]
  return {
    image,
    across,
    down,
    x: (column) => left + (column - view.column) * across,
    y: (row) => top + (row - view.row) * down,
    column: (x) => view.column + (x - left) / across,
    row: (y) => view.row + (y - top) / down,
  }
}

/** What lies under `at` stays there; something of the slice always stays in the picture. */
export function zoomed(
  view: View,
  placing: Placing,
  { by, at }: { by: number; at: { x: number; y: number } },
): View {
  const zoom = Math.min(MOST_ZOOM, Math.max(1, view.zoom * by))
  const share = 1 - view.zoom / zoom
  const column = placing.column(at.x)
  const row = placing.row(at.y)
  return {
    zoom,
    column: view.column + (column - view.column) * share,
    row: view.row + (row - view.row) * share,
  }
}

export function panned(
  view: View,
  placing: Placing,
  by: { x: number; y: number },
  { width, height }: Shown,
): View {
  const kept = (value: number, side: number) => Math.min(side - 1, Math.max(0, value))
  return {
    zoom: view.zoom,
    column: kept(view.column - by.x / placing.across, width),
    row: kept(view.row - by.y / placing.down, height),
  }
}

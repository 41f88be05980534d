/** Fills outlines in: class numbers as pixels. */
import type { Corner, Polygon } from '@neuroloom/contract/labelling/outline'
import { rasterise } from '@neuroloom/contract/labelling/rasterise'
import sharp from 'sharp'
import type { Drawn, Outline, OutlineReason, Runs } from './recognise/shapes.ts'

type Size = { width: number; height: number }
type Filled = { pixels: Uint8Array; refused: OutlineReason | null }

/**
 * What was outlined later lies above. From the last one to the first, so that it is seen whether one of another class hides
 * all of an earlier one, which would be lost without a word.
 */
export function fillIn({ size, unit, outlines }: Drawn & { size: Size }): Filled {
  const pixels = new Uint8Array(size.width * size.height)
  let refused: OutlineReason | null = null
  for (const { value, ...outline } of outlines.toReversed()) {
    const { left, top, width, height, marked } = areaOf(outline, { size, unit })
    let [count, seen] = [0, 0]
    for (let row = 0; row < height; row += 1)
      for (let column = 0; column < width; column += 1) {
        if (!marked[row * width + column]) continue
        const at = (top + row) * size.width + left + column
        count += 1
        if (pixels[at] === 0) pixels[at] = value
        if (pixels[at] === value) seen += 1
      }
    if (count === 0) refused = 'outline_outside'
    else if (seen === 0) refused ??= 'outline_covered'
  }
  return { pixels, refused }
}

/** Grey, without loss. */
export const asPng = (pixels: Uint8Array, { width, height }: Size): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()

/** The part of the image that an outline reaches, a byte a pixel. */
type Area = Size & { left: number; top: number; marked: Uint8Array }

function areaOf(outline: Outline, { size, unit }: Pick<Drawn, 'unit'> & { size: Size }): Area {
  if ('runs' in outline) return areaOfRuns(outline.runs, size)
  const [across, down] = unit === 'shares' ? [size.width, size.height] : [1, 1]
  const polygons = outline.polygons.map(
    ([border, ...holes]): Polygon => [
      scaled(border, across, down),
      ...holes.map((hole) => scaled(hole, across, down)),
    ],
  )
  const corners = polygons.flatMap(([border]) => border)
  const [left, right] = spanIn(corners, { axis: 0, end: size.width })
  const [top, bottom] = spanIn(corners, { axis: 1, end: size.height })
  const area = { left, top, width: right - left, height: bottom - top }
  const moved = polygons.map(
    ([border, ...holes]): Polygon => [movedBy(border, area), ...holes.map((hole) => movedBy(hole, area))],
  )
  return { ...area, marked: rasterise(moved, area) }
}

const scaled = (ring: readonly Corner[], across: number, down: number): Corner[] =>
  ring.map(([x, y]): Corner => [x * across, y * down])
const movedBy = (ring: readonly Corner[], { left, top }: { left: number; top: number }): Corner[] =>
  ring.map(([x, y]): Corner => [x - left, y - top])

/** From the first pixel that is reached to the one after the last. */
function spanIn(corners: readonly Corner[], { axis, end }: { axis: 0 | 1; end: number }): [number, number] {
  let [least, most] = [end, 0]
  for (const corner of corners) {
    least = Math.min(least, corner[axis])
    most = Math.max(most, corner[axis])
  }
  const from = Math.min(end, Math.max(0, Math.floor(least)))
  return [from, Math.max(from, Math.min(end, Math.ceil(most)))]
}

function areaOfRuns({ counts, along, left, top, width, height }: Runs, size: Size): Area {
  const [right, bottom] = [Math.min(size.width, left + width), Math.min(size.height, top + height)]
  const area = { left, top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }
  const marked = new Uint8Array(area.width * area.height)
  let at = 0
  for (const [index, count] of counts.entries()) {
    const end = index % 2 === 1 ? Math.min(at + count, width * height) : at
    for (let pixel = at; pixel < end; pixel += 1) {
      const [column, row] =
        along === 'rows'
          ? [pixel % width, Math.floor(pixel / width)]
          : [Math.floor(pixel / height), pixel % height]
      if (column < area.width && row < area.height) marked[row * area.width + column] = 1
    }
    at += count
  }
  return { ...area, marked }
}

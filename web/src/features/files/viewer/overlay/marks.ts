/** Marks of labels over a slice: which lie on it, where, and their pixels as bytes of labels. Pure. */
import { fromBase64 } from '@neuroloom/contract/labelling/base64'
import { ringsOf } from '@neuroloom/contract/labelling/corners'
import { mapFrom } from '@neuroloom/contract/labelling/patch'
import { readRow } from '@neuroloom/contract/labelling/pixels'
import type { Thing } from '@neuroloom/contract/labelling/things'
import type { Overlay } from '@neuroloom/contract/reading/overlays'
import type { Point } from '../measure/geometry.ts'
import type { Order } from '../measure/surface.ts'
import type { LabelBytes } from './labels.ts'

type Marks = NonNullable<Overlay['marks']>

/** Null where no pixel is marked. Throws `RangeError` where they do not fit the image. */
export function bytesOfMarks({ size, segments, pixels }: Marks): LabelBytes | null {
  if (pixels === '') return null
  const map = mapFrom(size, fromBase64(pixels))
  const labelOf = new Map(segments.map(({ number, class: key }) => [number, Number(key)]))
  const [width, height, depth] = size
  const bytes = new Uint8Array(width * height * depth)
  const row = new Uint16Array(width)
  for (let line = 0; line < height * depth; line += 1) {
    readRow(map, { x: 0, y: line % height, z: Math.floor(line / height) }, row)
    for (const [x, number] of row.entries())
      if (number > 0) bytes[line * width + x] = labelOf.get(number) ?? 0
  }
  return bytes
}

/** A thing as it lies on a slice, in pixels of the slice. */
export type Drawn = { label: number; kind: Thing['shape']['kind']; rings: Point[][] }

/** What lies on the slice, whichever way it is stored; `sides` are those of the file. */
export function drawnOn(things: readonly Thing[], order: Order, sides: Marks['size']): Drawn[] {
  const { axis, slice, place } = placingOf(order, sides)
  return things
    .filter((thing) => thing.place.axis === axis && thing.place.slice === slice)
    .map(({ class: key, shape }) => ({
      label: Number(key),
      kind: shape.kind,
      rings: ringsOf(shape).map((flat) => {
        const points = Array.from(
          { length: Math.floor(flat.length / 2) },
          (_, at): Point => [flat[2 * at] ?? 0, flat[2 * at + 1] ?? 0],
        )
        const seen = shape.kind === 'points' ? points.filter((__, at) => shape.seen[at] !== 0) : points
        return seen.map(place)
      }),
    }))
}

/** Across which axis of the file the slice lies, which one it is, and the way from the plane of a mark into it. */
function placingOf({ start, column, row, size }: Order, sides: Marks['size']) {
  const strides = [1, sides[0], sides[0] * sides[1]]
  const axisOf = (step: number, side: number): number =>
    strides.findIndex((stride, axis) => stride === Math.abs(step) && sides[axis] === side)
  const [across, down] = [axisOf(column, size[0]), axisOf(row, size[1])]
  const axis = [0, 1, 2].find((one) => one !== across && one !== down) ?? 2
  const slice = Math.floor(start / (strides[axis] ?? 1)) % (sides[axis] ?? 1)
  // Marks count along the two other axes in their order.
  const isTurned = across > down
  const along = (at: number, step: number, side: number): number => (step < 0 ? side - at : at)
  return {
    axis,
    slice,
    place: ([u, v]: Point): Point => [
      along(isTurned ? v : u, column, size[0]),
      along(isTurned ? u : v, row, size[1]),
    ],
  }
}

/** Marks of one slice as class numbers: what a mask of a data set holds. Knows no file format. */

import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import { cornersOf } from '@neuroloom/contract/labelling/corners'
import type { Polygon, Ring } from '@neuroloom/contract/labelling/outline'
import { readRow } from '@neuroloom/contract/labelling/pixels'
import { rasterise } from '@neuroloom/contract/labelling/rasterise'
import type { Marks } from '@neuroloom/contract/labelling/steps'
import type { Shape, Thing } from '@neuroloom/contract/labelling/things'
import { around, type Bounds, pairs } from './formats/geometry.ts'
import { IGNORED } from './formats/values.ts'

/** The value of each class by its id: 0 the background, 255 what does not count, the others from 1 on in their order. */
export function valuesOf(classes: readonly LabelClass[]): Map<string, number> {
  let last = 0
  return new Map(
    classes.map(({ id, use }) => {
      if (use === 'background') return [id, 0]
      return [id, use === 'ignore' ? IGNORED : ++last]
    }),
  )
}

/** Columns × rows of slice `z`: boxes and outlines first, what was painted lies over them, and what does not count over all. */
export function slicePixels(marks: Marks, z: number, values: ReadonlyMap<string, number>): Uint8Array {
  const [width, height] = marks.pixels.size
  const pixels = new Uint8Array(width * height)
  const own = [...marks.things.values()].filter(({ place }) => place.axis === 2 && place.slice === z)
  const [counted, ignored] = [own.filter(isOf(values, false)), own.filter(isOf(values, true))]
  for (const thing of counted) drawThing(pixels, thing, { width, height, values })
  const ofSegment = new Uint8Array(65_536)
  for (const { number, class: id } of marks.segments.values()) ofSegment[number] = values.get(id) ?? 0
  const row = new Uint16Array(width)
  for (let y = 0; y < height; y++) {
    readRow(marks.pixels, { x: 0, y, z }, row)
    for (let x = 0; x < width; x++) if (row[x]) pixels[y * width + x] = ofSegment[row[x] ?? 0] ?? 0
  }
  for (const thing of ignored) drawThing(pixels, thing, { width, height, values })
  return pixels
}

const isOf =
  (values: ReadonlyMap<string, number>, isIgnored: boolean) =>
  ({ class: id }: Thing): boolean =>
    (values.get(id) === IGNORED) === isIgnored

type Drawn = { width: number; height: number; values: ReadonlyMap<string, number> }

/** Within its own bounds: of many things on a large picture none looks at all of it. */
function drawThing(pixels: Uint8Array, { shape, class: id }: Thing, { width, height, values }: Drawn): void {
  const rings = ringsOf(shape)
  const value = values.get(id)
  if (rings === null || value === undefined) return
  const bounds = around(rings.flat())
  const [left, top] = [clamp(Math.floor(bounds.x0), width), clamp(Math.floor(bounds.y0), height)]
  const [right, bottom] = [clamp(Math.ceil(bounds.x1), width), clamp(Math.ceil(bounds.y1), height)]
  const size = { width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
  const [border, ...holes] = rings
  const mask = rasterise([[moved(border, left, top), ...holes.map((ring) => moved(ring, left, top))]], size)
  for (const [index, isIn] of mask.entries()) {
    const [x, y] = [left + (index % size.width), top + Math.floor(index / size.width)]
    if (isIn && x < width && y < height) pixels[y * width + x] = value
  }
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value))
const moved = (ring: Ring, x: number, y: number): Ring => ring.map((corner) => [corner[0] - x, corner[1] - y])

/** Null for lines and points, which have no area. */
export function ringsOf(shape: Shape): Polygon | null {
  if (shape.kind === 'box') return [cornersOf(shape)]
  if (shape.kind !== 'outline') return null
  const [border = [], ...holes] = shape.rings.map(pairs)
  return [border, ...holes]
}

export type Upright = Bounds & { class: string }

/** Boxes around boxes and outlines of a picture; where none is drawn, around each painted body. */
export function uprightBoxes(marks: Marks, bodies: (marks: Marks) => Upright[]): Upright[] {
  const drawn = [...marks.things.values()].flatMap((thing) => uprightOf(thing) ?? [])
  return drawn.length > 0 ? drawn : bodies(marks)
}

/** Null for lines and points. */
export function uprightOf({ shape, class: id }: Thing): Upright | null {
  const rings = ringsOf(shape)
  return rings ? { class: id, ...around(rings.flat()) } : null
}

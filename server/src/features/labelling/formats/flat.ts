/** Pixels and outlines of an image as one map of numbers, as formats of masks hold them. */
import { fillRow, type PixelMap, segmentAt } from '@neuroloom/contract/labelling/pixels'
import type { Place, Segment, Shape, Thing } from '@neuroloom/contract/labelling/things'
import type { Crop } from './rle.ts'
import { cropOfRings } from './segments.ts'
import type { LabelledImage, Size } from './shapes.ts'

export type Flat = {
  pixels: PixelMap
  segments: ReadonlyMap<number, Segment>
  /** Outlines that lie on what was marked before. */
  covered: number
}

/** Outlines lie on the pixels, the later on the earlier; without outlines the map is the image's own. */
export function flat({ marks, size }: Pick<LabelledImage, 'marks' | 'size'>): Flat {
  const outlines = [...marks.things.values()].filter(isOutline)
  if (outlines.length === 0) return { pixels: marks.pixels, segments: marks.segments, covered: 0 }
  const segments = new Map(marks.segments)
  const pixels: PixelMap = {
    size: marks.pixels.size,
    tiles: new Map(
      [...marks.pixels.tiles].map(([at, tile]) => [at, typeof tile === 'number' ? tile : tile.slice()]),
    ),
  }
  let covered = 0
  let number = 1
  for (const { shape, place, class: owner, by } of outlines) {
    const crop = cropOfRings(shape.rings, planeOf(size, place))
    if (!crop) continue
    while (segments.has(number)) number += 1
    segments.set(number, { number, class: owner, by })
    if (layAt(pixels, crop, { place, segment: number })) covered += 1
  }
  return { pixels, segments, covered }
}

type Outline = Thing & { shape: Extract<Shape, { kind: 'outline' }> }
const isOutline = (thing: Thing): thing is Outline => thing.shape.kind === 'outline'

/** Width and height of the plane that a thing lies in. */
function planeOf([x, y, z]: Size, { axis }: Place): [number, number] {
  if (axis === 2) return [x, y]
  return axis === 1 ? [x, z] : [y, z]
}

/** Whether something else lay there. */
function layAt(map: PixelMap, crop: Crop, { place, segment }: { place: Place; segment: number }): boolean {
  let isCovering = false
  for (let row = 0; row < crop.height; row++)
    for (let column = 0; column < crop.width; column++) {
      if (crop.values[row * crop.width + column] === 0) continue
      const [x, y, z] = pixelAt(place, crop.x + column, crop.y + row)
      isCovering ||= segmentAt(map, x, y, z) !== 0
      fillRow(map, { y, z, from: x, to: x + 1, segment })
    }
  return isCovering
}

function pixelAt({ axis, slice }: Place, across: number, down: number): [number, number, number] {
  if (axis === 2) return [across, down, slice]
  return axis === 1 ? [across, slice, down] : [slice, across, down]
}

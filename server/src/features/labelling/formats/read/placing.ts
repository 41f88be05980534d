/** Lays the numbers of a mask into the voxels of its image, also where its axes run otherwise or it holds a part of it. */

import type { ExchangeReason } from '@neuroloom/contract/labelling/exchange'
import { fillRow, makePixels, type PixelMap, placeOfTile, TILE } from '@neuroloom/contract/labelling/pixels'
import { dot, type Geometry, type Triple } from '../../../../infra/reader/model.ts'
import type { Size, Target } from '../shapes.ts'

/** For each axis of the mask: along which axis of the image it runs, whether backwards, and where it begins. */
type Way = { axis: 0 | 1 | 2; isBack: boolean }
export type Placing = { ways: [Way, Way, Way]; start: Triple } | 'same'

type Placed = { size: Size; geometry: Geometry | null }

/** Voxels may be off by this share of one: headers round. */
const TOLERANCE = 0.1

export function placingOf(mask: Placed, { size, geometry }: Target): Placing | { reason: ExchangeReason } {
  const isSameSize = mask.size.every((side, axis) => side === size[axis])
  const [from, to] = [mask.geometry, geometry]
  if (!from?.axes || !from.origin || !to?.axes || !to.origin)
    return isSameSize ? 'same' : { reason: size[2] === mask.size[2] ? 'size_differs' : 'slices_differ' }
  const ways = from.axes.map((axis, index) => wayOf(axis, { from, to, index }))
  const [i, j, k] = ways
  if (!i || !j || !k || new Set([i.axis, j.axis, k.axis]).size < 3)
    // A single slice lies as its image does, whatever is said of its third axis.
    return isSameSize && size[2] === 1 ? 'same' : { reason: 'place_differs' }
  const start = to.axes.map((axis, index) => {
    const way = from.origin?.map((part, at) => part - (to.origin?.[at] ?? 0)) ?? []
    return dot([way[0] ?? 0, way[1] ?? 0, way[2] ?? 0], axis) / (to.spacing[index] ?? 1)
  })
  const whole = start.map(Math.round)
  const [x = 0, y = 0, z = 0] = whole
  if (start.some((at, axis) => Math.abs(at - (whole[axis] ?? 0)) > TOLERANCE))
    return { reason: 'place_differs' }
  if (!isNearAtCorners(mask.size, { from, to, ways: [i, j, k], start: [x, y, z] }))
    return { reason: 'place_differs' }
  const isSame = [i, j, k].every(({ axis, isBack }, index) => axis === index && !isBack) && !x && !y && !z
  return isSame && isSameSize ? 'same' : { ways: [i, j, k], start: [x, y, z] }
}

/** A mask that lies less than half a voxel beside marks the same voxels. */
const HALF_VOXEL = 0.5

type Laid = { from: Geometry; to: Geometry; ways: [Way, Way, Way]; start: Triple }

/** Directions that differ a little lie far apart at the other end of a large volume. */
function isNearAtCorners(size: Size, { from, to, ways, start }: Laid): boolean {
  return Array.from({ length: 8 }, (_, corner) => corner).every((corner) => {
    const voxel: Triple = [0, 0, 0]
    const laid: Triple = [...start]
    for (const [index, { axis, isBack }] of ways.entries()) {
      const at = (corner >> index) & 1 ? (size[index] ?? 1) - 1 : 0
      voxel[index] = at
      laid[axis] += isBack ? -at : at
    }
    const [one, other] = [pointOf(from, voxel), pointOf(to, laid)]
    const way: Triple = [one[0] - other[0], one[1] - other[1], one[2] - other[2]]
    return (to.axes ?? []).every(
      (axis, index) => Math.abs(dot(way, axis)) <= HALF_VOXEL * (to.spacing[index] ?? 1),
    )
  })
}

function pointOf({ origin, axes, spacing }: Geometry, voxel: Triple): Triple {
  const part = (index: number): number =>
    (axes ?? []).reduce(
      (sum, axis, at) => sum + (axis[index] ?? 0) * (spacing[at] ?? 1) * (voxel[at] ?? 0),
      origin?.[index] ?? 0,
    )
  return [part(0), part(1), part(2)]
}

type Axes = { from: Geometry; to: Geometry; index: number }

/** Null where the axis runs along none of the image's with steps of the same length. */
function wayOf(direction: Triple, { from, to, index }: Axes): Way | null {
  for (const axis of [0, 1, 2] as const) {
    const along = dot(direction, to.axes?.[axis] ?? [0, 0, 0])
    if (Math.abs(along) < 0.999) continue
    const ratio = (from.spacing[index] ?? 1) / (to.spacing[axis] ?? 1)
    return Math.abs(ratio - 1) < 0.01 ? { axis, isBack: along < 0 } : null
  }
  return null
}

/** The map in the image's voxels; what lies outside is left out, and `isCut` tells of it. */
export function laidInto(map: PixelMap, placing: Placing, size: Size): { map: PixelMap; isCut: boolean } {
  if (placing === 'same') return { map, isCut: false }
  const placed = makePixels(size)
  let isCut = false
  const { ways, start } = placing
  for (const [index, tile] of map.tiles) {
    const { x, y, z, width, height } = placeOfTile(map, index)
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        const segment = typeof tile === 'number' ? tile : (tile[row * TILE + column] ?? 0)
        if (segment === 0) continue
        const at: Triple = [...start]
        for (const [from, way] of [x + column, y + row, z].entries()) {
          const step = ways[from]
          if (step) at[step.axis] += step.isBack ? -way : way
        }
        isCut ||= at.some((place, axis) => place < 0 || place >= (size[axis] ?? 0))
        fillRow(placed, { y: at[1], z: at[2], from: at[0], to: at[0] + 1, segment })
      }
  }
  return { map: placed, isCut }
}

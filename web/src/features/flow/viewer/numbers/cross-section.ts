/** Planes across vessels: which region of one belongs to the vessel, and what flows through it. Pure. */
import { contoursOf } from '@neuroloom/contract/flow/contours'
import { axesOf, type ObliquePlane } from '@neuroloom/contract/flow/plane'
import { areaOf, type Point } from '@neuroloom/contract/flow/region'
import type { Three } from '@neuroloom/contract/flow/slice'
import { type FrameFlow, flowThrough, type RegionRule } from '@neuroloom/contract/flow/through'
import { type Measured, metresOf } from './measured.ts'
import { fieldOfMeasured } from './measured-field.ts'

export type Section = {
  plane: ObliquePlane
  /** Radius of a circle in metres; `vessel`: what of the mask hangs together with the centre. */
  region: 'vessel' | number
  rule: RegionRule
}
export type SectionFlow = {
  frames: FrameFlow[]
  /** m², of the outline. */
  area: number
  /** Voxels along the diameter of a circle of that area. */
  across: number
  /** Corners in voxels of the grid. */
  outline: Three[]
}
export type SectionFault = 'no_vessel' | 'too_small'

/** Samples along a voxel's side when the mask is cut. */
const FINER = 4
const CORNERS = 64

export function flowOf(
  measured: Measured,
  mask: Uint8Array | null,
  { plane, region, rule }: Section,
): SectionFlow | SectionFault {
  const spacing = metresOf(measured.head)
  const polygon = region === 'vessel' ? vesselOutline(measured, mask, plane) : circle(Math.max(region, 0))
  if (polygon === null) return 'no_vessel'
  const smallest = Math.min(...spacing)
  const area = areaOf(polygon)
  if (!(area > smallest * smallest)) return 'too_small'
  const field = (frame: number) => fieldOfMeasured(measured, frame, null)
  const [first, ...others] = Array.from({ length: measured.head.frames }, (_, frame) => field(frame))
  if (!first) throw new Error('a study without frames')
  const flows = flowThrough(
    { frames: [first, ...others], frameSeconds: 1 },
    { plane, polygons: [polygon], rule },
  )
  const outline = polygon.map((point) => inGrid(plane, point, spacing))
  return { frames: flows, area, across: (2 * Math.sqrt(area / Math.PI)) / pitchOf(plane, spacing), outline }
}

/** Of a voxel along the plane, in metres: the larger of both directions. */
function pitchOf(plane: ObliquePlane, spacing: Three): number {
  const { along, across } = axesOf(plane)
  return Math.max(
    ...[along, across].map((way) => Math.hypot(...way.map((part, axis) => part * (spacing[axis] ?? 0)))),
  )
}

const circle = (radius: number): Point[] =>
  Array.from({ length: CORNERS }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / CORNERS
    return [radius * Math.cos(angle), radius * Math.sin(angle)]
  })

function inGrid({ centre, normal }: ObliquePlane, [a, b]: Point, spacing: Three): Three {
  const { along, across } = axesOf({ centre, normal })
  const place = (axis: 0 | 1 | 2) => (centre[axis] + a * along[axis] + b * across[axis]) / spacing[axis]
  return [place(0), place(1), place(2)]
}

/** The part of the mask around the centre, cut by the plane; holes are filled. Null where the centre lies outside. */
function vesselOutline(measured: Measured, mask: Uint8Array | null, plane: ObliquePlane): Point[] | null {
  if (mask === null) return null
  const { size } = measured.head
  const spacing = metresOf(measured.head)
  const pitch = Math.min(...spacing) / FINER
  const reach = Math.hypot(size[0] * spacing[0], size[1] * spacing[1], size[2] * spacing[2])
  const half = Math.ceil(reach / pitch)
  const side = 2 * half + 1
  const inside = new Uint8Array(side * side)
  const stack = [half * side + half]
  // Half a step beside the centre: on the border of two voxels rounding would decide.
  const isInside = (at: number) => {
    const point: Point = [((at % side) - half + 0.5) * pitch, (Math.floor(at / side) - half + 0.5) * pitch]
    const [x, y, z] = inGrid(plane, point, spacing).map((value) => Math.floor(value + 0.5))
    if (x === undefined || y === undefined || z === undefined) return false
    if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2]) return false
    return mask[(z * size[1] + y) * size[0] + x] === 1
  }
  if (!isInside(stack[0] ?? 0)) return null
  inside[stack[0] ?? 0] = 1
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    for (const next of [at - 1, at + 1, at - side, at + side]) {
      if (inside[next] !== 0 || !isInside(next)) continue
      inside[next] = 1
      stack.push(next)
    }
  }
  const rings = contoursOf({ values: Float32Array.from(inside), width: side, height: side }).above(0.5)
  const polygons = rings.map((ring) => pointsOf(ring, { half, pitch }))
  // Of one part the ring around it is the largest; the others are its holes.
  return polygons.reduce<Point[] | null>(
    (best, ring) => (best === null || areaOf(ring) > areaOf(best) ? ring : best),
    null,
  )
}

function pointsOf(ring: Float64Array, { half, pitch }: { half: number; pitch: number }): Point[] {
  const points: Point[] = []
  for (let at = 0; at + 1 < ring.length - 2; at += 2) {
    points.push([((ring[at] ?? 0) - half + 0.5) * pitch, ((ring[at + 1] ?? 0) - half + 0.5) * pitch])
  }
  return points
}

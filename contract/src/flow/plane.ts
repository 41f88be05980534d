/** A plane at any angle through a volume, read by trilinear interpolation. Metres; voxel (0, 0, 0) has its middle at 0. Pure. */
import type { Field } from './field.ts'
import type { Lattice } from './region.ts'
import type { Slice, Three } from './slice.ts'

export type ObliquePlane = {
  centre: Three
  /** Flow along it counts as forward; of any length but 0. */
  normal: Three
  /** Where the first direction in the plane leads, as far as the plane lets it; left out: along the grid. */
  along?: Three
}

/** Two directions in the plane and its normal, each of length 1, right-handed; of a plane along the grid they are the grid's own. */
export type PlaneAxes = { along: Three; across: Three; normal: Three }

/** Unless told, the first lies as near as possible to the grid axis that the plane is least tilted against. Throws a RangeError at a normal of 0. */
export function axesOf({ normal: given, along: wanted }: ObliquePlane): PlaneAxes {
  const normal = unit(given)
  const [x, y, z] = wanted ?? leastTilted(normal)
  const tilt = dot([x, y, z], normal)
  const along = unit([x - tilt * normal[0], y - tilt * normal[1], z - tilt * normal[2]])
  return { along, across: cross(normal, along), normal }
}

function leastTilted(normal: Three): Three {
  const tilts = normal.map(Math.abs)
  const axis = tilts.indexOf(Math.min(...tilts))
  return [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0]
}

function unit([x, y, z]: Three): Three {
  const length = Math.hypot(x, y, z)
  if (!(length > 0)) throw new RangeError('a normal without direction')
  return [x / length, y / length, z / length]
}

const cross = ([a, b, c]: Three, [x, y, z]: Three): Three => [b * z - c * y, c * x - a * z, a * y - b * x]
const dot = ([a, b, c]: Three, [x, y, z]: Three): number => a * x + b * y + c * z

/** In the plane, where the middle of voxel (0, 0, 0) is seen: lattices that count from there meet voxels in planes along the grid. */
export function gridOrigin(plane: ObliquePlane): readonly [number, number] {
  const { along, across } = axesOf(plane)
  return [-dot(plane.centre, along), -dot(plane.centre, across)]
}

/**
 * Velocities at the places of a lattice, which counts metres along the plane's two directions from its centre: u and v along them,
 * w along the normal. Where there is no value all three are NaN.
 */
export function sliceThrough(field: Field, plane: ObliquePlane, lattice: Lattice): Slice {
  const { along, across, normal } = axesOf(plane)
  const { first, pitch, width, height } = lattice
  const make = () => new Float32Array(width * height)
  const [u, v, w] = [make(), make(), make()]
  const out = new Float64Array(3)
  const place = (axis: 0 | 1 | 2, a: number, b: number) =>
    (plane.centre[axis] + a * along[axis] + b * across[axis]) / field.spacing[axis]
  for (let at = 0; at < width * height; at++) {
    const a = first[0] + (at % width) * pitch
    const b = first[1] + Math.floor(at / width) * pitch
    if (!field.at(place(0, a, b), place(1, a, b), place(2, a, b), out)) out.fill(Number.NaN)
    const velocity: Three = [out[0] ?? 0, out[1] ?? 0, out[2] ?? 0]
    u[at] = dot(velocity, along)
    v[at] = dot(velocity, across)
    w[at] = dot(velocity, normal)
  }
  return { width, height, spacing: [pitch, pitch], u, v, w, mask: null }
}

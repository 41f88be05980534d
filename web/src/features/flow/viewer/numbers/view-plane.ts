/**
 * The three planes in which a study is looked at, the way radiologists look: the left of the patient on the right, the front above,
 * the head above. Where files told nothing of the patient the planes are those of the grid. Pure.
 */
import type { Slice, Three } from '@neuroloom/contract/flow/slice'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { type Measured, velocityAt } from './measured.ts'

/** Patient planes, or across an axis of the grid. */
export const placedPlanes = ['transversal', 'coronal', 'sagittal'] as const
export const gridPlanes = ['z', 'y', 'x'] as const
export type PlaneName = (typeof placedPlanes)[number] | (typeof gridPlanes)[number]

/** An axis of the grid and which way along it. */
export type Side = { axis: 0 | 1 | 2; sign: 1 | -1 }
export type ViewPlane = {
  name: PlaneName
  right: Side
  down: Side
  /** Away from who looks. */
  away: Side
}

/** What the slice's samples are, as they are shown: columns to the right, rows down. */
export type Shown = Pick<Slice, 'width' | 'height' | 'spacing'>

export const planesOf = ({ isPlaced }: Pick<FlowStudy, 'isPlaced'>): readonly PlaneName[] =>
  isPlaced ? placedPlanes : gridPlanes

/** Which way right and down are, in the patient (R, A, S) or in the grid. */
const wanted: Record<PlaneName, [right: Side, down: Side]> = {
  transversal: [
    { axis: 0, sign: -1 },
    { axis: 1, sign: -1 },
  ],
  coronal: [
    { axis: 0, sign: -1 },
    { axis: 2, sign: -1 },
  ],
  sagittal: [
    { axis: 1, sign: -1 },
    { axis: 2, sign: -1 },
  ],
  z: [
    { axis: 0, sign: 1 },
    { axis: 1, sign: 1 },
  ],
  y: [
    { axis: 0, sign: 1 },
    { axis: 2, sign: 1 },
  ],
  x: [
    { axis: 1, sign: 1 },
    { axis: 2, sign: 1 },
  ],
}

export function viewPlane(head: FlowStudy, name: PlaneName): ViewPlane {
  const along = nearestAxes(head)
  const inGrid = ({ axis, sign }: Side): Side => {
    const own = along[axis]
    return { axis: own.axis, sign: own.sign === sign ? 1 : -1 }
  }
  const [right, down] = wanted[name].map(inGrid)
  if (!right || !down) throw new Error('two sides')
  const axis = ([0, 1, 2] as const).find((one) => one !== right.axis && one !== down.axis) ?? 2
  // x × y = z and its turns; the other order is the other way.
  const isTurn = (right.axis + 1) % 3 === down.axis
  const sign = (right.sign === down.sign) === isTurn ? 1 : -1
  return { name, right, down, away: { axis, sign } }
}

/** Of each axis of the patient (R, A, S) the axis of the grid that is least tilted against it; no axis twice. */
function nearestAxes({ affine, isPlaced, spacing }: FlowStudy): [Side, Side, Side] {
  const plain: [Side, Side, Side] = [
    { axis: 0, sign: 1 },
    { axis: 1, sign: 1 },
    { axis: 2, sign: 1 },
  ]
  if (!isPlaced) return plain
  const share = (patient: 0 | 1 | 2, grid: 0 | 1 | 2) => affine[patient][grid] / spacing[grid]
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ] as const
  const agreement = ([a, b, c]: (typeof orders)[number]) =>
    Math.abs(share(0, a)) + Math.abs(share(1, b)) + Math.abs(share(2, c))
  const best = orders.reduce((one, other) => (agreement(other) > agreement(one) ? other : one))
  const side = (patient: 0 | 1 | 2): Side => ({
    axis: best[patient],
    sign: share(patient, best[patient]) < 0 ? -1 : 1,
  })
  return [side(0), side(1), side(2)]
}

/** Letters of the patient at the ends of an axis: R, A, H where it grows. Of the grid: x, y, z with a sign. */
export function letterOf(head: FlowStudy, { axis, sign }: Side): string {
  if (!head.isPlaced) return `${sign > 0 ? '+' : '−'}${'xyz'[axis]}`
  const column = [0, 1, 2].map((row) => (head.affine[row]?.[axis] ?? 0) * sign)
  const main = column.reduce(
    (best, value, row) => (Math.abs(value) > Math.abs(column[best] ?? 0) ? row : best),
    0,
  )
  return (column[main] ?? 0) > 0 ? ('RAH'[main] ?? '') : ('LPF'[main] ?? '')
}

export const opposite = ({ axis, sign }: Side): Side => ({ axis, sign: sign > 0 ? -1 : 1 })

export function shownOf({ size, spacing }: FlowStudy, { right, down }: ViewPlane): Shown {
  return {
    width: size[right.axis],
    height: size[down.axis],
    spacing: [spacing[right.axis] / 1000, spacing[down.axis] / 1000],
  }
}

export const slicesOf = ({ size }: FlowStudy, { away }: ViewPlane): number => size[away.axis]

/** A place on the picture (samples; need not be whole) in voxels of the grid. */
export function gridPlace(
  { size }: FlowStudy,
  { right, down, away }: ViewPlane,
  { column, row, slice }: { column: number; row: number; slice: number },
): Three {
  const place: [number, number, number] = [0, 0, 0]
  place[right.axis] = right.sign > 0 ? column : size[right.axis] - 1 - column
  place[down.axis] = down.sign > 0 ? row : size[down.axis] - 1 - row
  place[away.axis] = slice
  return place
}

/** The other way round. */
export function shownPlace(
  { size }: FlowStudy,
  { right, down, away }: ViewPlane,
  place: Three,
): { column: number; row: number; slice: number } {
  const along = ({ axis, sign }: Side) => (sign > 0 ? place[axis] : size[axis] - 1 - place[axis])
  return { column: along(right), row: along(down), slice: place[away.axis] }
}

/** mm in the patient, or from the first voxel. */
export function patientPlace({ affine }: FlowStudy, [x, y, z]: Three): Three {
  const along = ([a, b, c, d]: FlowStudy['affine'][0]) => a * x + b * y + c * z + d
  return [along(affine[0]), along(affine[1]), along(affine[2])]
}

/** A vector of the grid in the axes of the patient, or as it is. */
export function patientVector({ affine, spacing, isPlaced }: FlowStudy, vector: Three): Three {
  if (!isPlaced) return vector
  const along = (row: FlowStudy['affine'][0]) =>
    (row[0] * vector[0]) / spacing[0] + (row[1] * vector[1]) / spacing[1] + (row[2] * vector[2]) / spacing[2]
  return [along(affine[0]), along(affine[1]), along(affine[2])]
}

/** Numbers of the voxels of a slice, row after row as they are shown. */
export function voxelsIn(head: FlowStudy, plane: ViewPlane, slice: number): Int32Array {
  const { width, height } = shownOf(head, plane)
  const [x, y] = head.size
  const voxels = new Int32Array(width * height)
  for (let at = 0; at < voxels.length; at++) {
    const place = gridPlace(head, plane, { column: at % width, row: Math.floor(at / width), slice })
    voxels[at] = (place[2] * y + place[1]) * x + place[0]
  }
  return voxels
}

type Cut = { plane: ViewPlane; slice: number; frame: number; mask: Uint8Array | null }

/** Velocities of one slice and frame as they are shown: u to the right, v down, w away. */
export function cutSlice(measured: Measured, { plane, slice, frame, mask }: Cut): Slice {
  const { head } = measured
  const voxels = voxelsIn(head, plane, slice)
  const make = () => new Float32Array(voxels.length)
  const [u, v, w] = [make(), make(), make()]
  const inside = mask === null ? null : new Uint8Array(voxels.length)
  const out = new Float64Array(3)
  for (const [at, voxel] of voxels.entries()) {
    velocityAt(measured, { voxel, frame }, out)
    u[at] = plane.right.sign * (out[plane.right.axis] ?? 0)
    v[at] = plane.down.sign * (out[plane.down.axis] ?? 0)
    w[at] = plane.away.sign * (out[plane.away.axis] ?? 0)
    if (inside !== null) inside[at] = mask?.[voxel] ?? 0
  }
  return { ...shownOf(head, plane), u, v, w, mask: inside }
}

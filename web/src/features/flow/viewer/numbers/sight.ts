/**
 * A plane that a study is looked at in: one of the grid's, or an oblique one through its middle or elsewhere. Samples have columns to
 * the right, rows down and slices away from who looks; places are in voxels of the grid. Pure.
 */
import type { Three } from '@neuroloom/contract/flow/slice'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { metresOf } from './measured.ts'
import {
  gridPlace,
  letterOf,
  opposite,
  type PlaneName,
  patientVector,
  type Shown,
  type Side,
  shownOf,
  shownPlace,
  slicesOf,
  type ViewPlane,
  viewPlane,
} from './view-plane.ts'

export type SightName = PlaneName | 'oblique'

/**
 * Degrees. Turn and tilt 0 look at the patient from the front, turn 90 from the left, tilt 90 from the feet: between them are all
 * planes, and right and down turn on evenly.
 */
export type Angles = { turn: number; tilt: number }
export type Looked = { plane: SightName; angles: Angles | null }

export type Sample = { column: number; row: number; slice: number }
export type Sight = {
  name: SightName
  /** Null of an oblique one. */
  grid: ViewPlane | null
  shown: Shown
  slices: number
  /** Unit vectors along the grid: right × down = away. */
  right: Three
  down: Three
  away: Three
  letters: Record<'right' | 'left' | 'bottom' | 'top' | 'away' | 'towards', string>
  toGrid: (sample: Sample) => Three
  toShown: (place: Three) => Sample
}

export function sightOf(head: FlowStudy, { plane, angles }: Looked): Sight {
  return plane === 'oblique' ? obliqueSight(head, angles ?? FRONT) : gridSight(head, plane)
}

const FRONT: Angles = { turn: 0, tilt: 0 }

function gridSight(head: FlowStudy, name: PlaneName): Sight {
  const grid = viewPlane(head, name)
  const { right, down, away } = grid
  const pair = (side: Side) => [letterOf(head, side), letterOf(head, opposite(side))] as const
  const [[r, l], [b, t], [a, w]] = [pair(right), pair(down), pair(away)]
  return {
    ...{ name, grid, shown: shownOf(head, grid), slices: slicesOf(head, grid) },
    ...{ right: unitOf(right), down: unitOf(down), away: unitOf(away) },
    letters: { right: r, left: l, bottom: b, top: t, away: a, towards: w },
    toGrid: (sample) => gridPlace(head, grid, sample),
    toShown: (place) => shownPlace(head, grid, place),
  }
}

function unitOf({ axis, sign }: Side): Three {
  const unit: [number, number, number] = [0, 0, 0]
  unit[axis] = sign
  return unit
}

/** As fine as the smallest side of a voxel, and as large as the whole volume at that angle, wherever along it the plane lies. */
function obliqueSight(head: FlowStudy, angles: Angles): Sight {
  const { right, down, away } = waysOf(head, angles)
  const metres = metresOf(head)
  const pitch = Math.min(...metres)
  const along = (way: Three) =>
    metres.reduce((sum, side, axis) => sum + Math.abs(way[axis] ?? 0) * side * (head.size[axis] ?? 1), 0)
  const count = (way: Three) => Math.max(1, Math.floor(along(way) / pitch + 1e-6))
  const [width, height, slices] = [count(right), count(down), count(away)]
  const middle = { column: (width - 1) / 2, row: (height - 1) / 2, slice: (slices - 1) / 2 }
  const voxel = (axis: 0 | 1 | 2, { column, row, slice }: Sample) => {
    const way =
      (column - middle.column) * right[axis] +
      (row - middle.row) * down[axis] +
      (slice - middle.slice) * away[axis]
    return (head.size[axis] - 1) / 2 + (pitch * way) / metres[axis]
  }
  const far = (way: Three, place: Three) =>
    metres.reduce((sum, side, axis) => {
      const from = (place[axis] ?? 0) - ((head.size[axis] ?? 1) - 1) / 2
      return sum + (way[axis] ?? 0) * from * side
    }, 0) / pitch
  const back = (way: Three): Three => [-way[0], -way[1], -way[2]]
  const letters = (way: Three) => [lettersOf(head, way), lettersOf(head, back(way))] as const
  const [[r, l], [b, t], [a, w]] = [letters(right), letters(down), letters(away)]
  return {
    ...{ name: 'oblique', grid: null, shown: { width, height, spacing: [pitch, pitch] }, slices },
    ...{ right, down, away },
    letters: { right: r, left: l, bottom: b, top: t, away: a, towards: w },
    toGrid: (sample) => [voxel(0, sample), voxel(1, sample), voxel(2, sample)],
    toShown: (place) => ({
      column: middle.column + far(right, place),
      row: middle.row + far(down, place),
      slice: middle.slice + far(away, place),
    }),
  }
}

const RADIANS = Math.PI / 180

function waysOf(head: FlowStudy, { turn, tilt }: Angles): Pick<Sight, 'right' | 'down' | 'away'> {
  const [sin, cos] = [Math.sin(turn * RADIANS), Math.cos(turn * RADIANS)]
  const [up, flat] = [Math.sin(tilt * RADIANS), Math.cos(tilt * RADIANS)]
  // To the right, the front and the head of the patient.
  return {
    right: inGrid(head, [-cos, -sin, 0]),
    down: inGrid(head, [sin * up, -cos * up, -flat]),
    away: inGrid(head, [sin * flat, -cos * flat, up]),
  }
}

/** The angles at which this way (along the grid) leads away from who looks. */
export function anglesAlong(head: FlowStudy, away: Three): Angles {
  const [x, y, z] = inPatient(head, away)
  const length = Math.hypot(x, y, z)
  const tilt = Math.asin(Math.min(1, Math.max(-1, z / length))) / RADIANS
  const isFlat = Math.hypot(x, y) < 1e-6 * length
  return { turn: isFlat ? 0 : Math.atan2(x, -y) / RADIANS, tilt }
}

/** The same of a plane, seen from whichever side is nearer to the front, the left or the feet. */
export function anglesAcross(head: FlowStudy, normal: Three): Angles {
  const [x, y, z] = inPatient(head, normal)
  const [a, b, c] = normal
  return anglesAlong(head, x - y + z < 0 ? [-a, -b, -c] : normal)
}

/** Without a place in the patient, x stands for the left, y for the front and z for the feet. */
function inPatient(head: FlowStudy, vector: Three): Three {
  return head.isPlaced ? patientVector(head, vector) : [-vector[0], vector[1], -vector[2]]
}

/** The other way round: axes of a grid stand upright on each other. */
function inGrid(head: FlowStudy, [x, y, z]: Three): Three {
  if (!head.isPlaced) return [-x, y, -z]
  const { affine, spacing } = head
  const along = (axis: 0 | 1 | 2) =>
    (affine[0][axis] * x + affine[1][axis] * y + affine[2][axis] * z) / spacing[axis]
  const [a, b, c] = [along(0), along(1), along(2)]
  const length = Math.hypot(a, b, c)
  return [a / length, b / length, c / length]
}

/** A direction shares the letter of an axis from this cosine on. */
const SHARED = 0.38

/** One letter, or two with the stronger one first. */
function lettersOf(head: FlowStudy, way: Three): string {
  const parts = [...(head.isPlaced ? patientVector(head, way) : way)]
  return parts
    .map((share, axis) => ({ share, axis }))
    .filter(({ share }) => Math.abs(share) >= SHARED)
    .toSorted((one, other) => Math.abs(other.share) - Math.abs(one.share))
    .slice(0, 2)
    .map(({ share, axis }) =>
      head.isPlaced ? (share > 0 ? 'RAH' : 'LPF')[axis] : `${share > 0 ? '+' : '−'}${'xyz'[axis]}`,
    )
    .join('')
}

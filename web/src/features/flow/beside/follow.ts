/** Two studies looked at together: what is chosen in one, carried over to the other. Pure. */
import type { Three } from '@neuroloom/contract/flow/slice'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { isPeriodic } from '../viewer/beat.ts'
import { type Choice, nearestVoxel, settled, sightIn, sliceOf } from '../viewer/choice.ts'
import { wholeView } from '../viewer/draw/frame.ts'
import type { SightName } from '../viewer/numbers/sight.ts'
import { patientPlace, planesOf } from '../viewer/numbers/view-plane.ts'

export type Looker = { head: FlowStudy; choice: Choice }
/** What goes along: layers always do. */
export type Link = { isPlaceLinked: boolean; isTimeLinked: boolean }

/** How places of two studies are matched. */
export type Matched = 'sameGrid' | 'body' | 'grid'

export function matchOf(one: FlowStudy, other: FlowStudy): Matched {
  if (isSameGrid(one, other)) return 'sameGrid'
  return one.isPlaced && other.isPlaced ? 'body' : 'grid'
}

/** Voxels lie at the same places. */
export function isSameGrid(one: FlowStudy, other: FlowStudy): boolean {
  const isNear = (a: readonly number[], b: readonly number[]) =>
    a.every((value, at) => Math.abs(value - (b[at] ?? Number.NaN)) < SAME_MM)
  if (String(one.size) !== String(other.size) || !isNear(one.spacing, other.spacing)) return false
  if (one.isPlaced !== other.isPlaced) return false
  return !one.isPlaced || isNear(one.affine.flat(), other.affine.flat())
}

/** A thousandth of a voxel. */
const SAME_MM = 1e-3

/** `to` as it is seen beside `from`: with the same layers, and as far as they are linked at the same place and moment. */
export function followed(from: Looker, to: Looker, { isPlaceLinked, isTimeLinked }: Link): Choice {
  const { kinds, hasMagnitude, hasArrows, colours, window, settings, order } = from.choice
  let next: Choice = { ...to.choice, kinds, hasMagnitude, hasArrows, colours, window, settings, order }
  if (isTimeLinked) next = { ...next, frame: frameIn(from, to.head) }
  if (isPlaceLinked) next = placed(from, to.head, next)
  return settled(to.head, next)
}

/** The frame at the same share of the beat where both fill one, else at the same time after the R wave. */
export function frameIn({ head, choice: { frame } }: Looker, to: FlowStudy): number {
  const isOfBeat = isPeriodic(head) && isPeriodic(to) && head.period !== null && to.period !== null
  const [own, its] = isOfBeat ? [head.period ?? 1, to.period ?? 1] : [1, 1]
  const wanted = (head.times[frame] ?? 0) / own
  const apart = (time: number) => {
    const gap = Math.abs(time / its - wanted)
    // The end of a beat is next to its beginning.
    return isOfBeat ? Math.min(gap % 1, 1 - (gap % 1)) : gap
  }
  return to.times.reduce((best, time, at) => (apart(time) < apart(to.times[best] ?? 0) ? at : best), 0)
}

function placed(from: Looker, head: FlowStudy, choice: Choice): Choice {
  const { plane: name, angles, hasCursor, view } = from.choice
  const plane = planeIn(from.head, head, name)
  const carry = (place: Three) => carried(from.head, head, place)
  const there = carry(from.choice.place)
  const place = plane === 'oblique' ? there : nearestVoxel(head, there)
  const next: Choice = { ...choice, plane, angles, hasCursor, place }
  const [sight, own] = [sightIn(head, next), sightIn(from.head, from.choice)]
  if (view.zoom === 1) return { ...next, view: wholeView(sight.shown) }
  const { column, row } = view
  const middle = own.toGrid({ column, row, slice: sliceOf(from.head, from.choice) })
  const shown = sight.toShown(carry(middle))
  const kept = (value: number, side: number) => Math.min(side - 1, Math.max(0, value))
  return {
    ...next,
    view: {
      zoom: view.zoom,
      column: kept(shown.column, sight.shown.width),
      row: kept(shown.row, sight.shown.height),
    },
  }
}

/** Planes of the patient and of a grid are called differently: the first stands for the first. */
function planeIn(from: FlowStudy, to: FlowStudy, name: SightName): SightName {
  if (name === 'oblique') return name
  return planesOf(to)[planesOf(from).indexOf(name)] ?? name
}

/** Voxels of one grid in voxels of another: by millimetres in the body where both are placed, else by those from the first voxel. */
export function carried(from: FlowStudy, to: FlowStudy, place: Three): Three {
  if (matchOf(from, to) === 'body') return voxelOf(to, patientPlace(from, place))
  const along = (axis: 0 | 1 | 2) => (place[axis] * from.spacing[axis]) / to.spacing[axis]
  return [along(0), along(1), along(2)]
}

/** The other way round than `patientPlace`, whose axes need not stand upright: by Cramer's rule. */
function voxelOf({ affine }: FlowStudy, millimetres: Three): Three {
  const column = (axis: 0 | 1 | 2): Three => [affine[0][axis], affine[1][axis], affine[2][axis]]
  const [a, b, c] = [column(0), column(1), column(2)]
  const far: Three = [
    millimetres[0] - affine[0][3],
    millimetres[1] - affine[1][3],
    millimetres[2] - affine[2][3],
  ]
  const whole = volume(a, b, c)
  return [volume(far, b, c) / whole, volume(a, far, c) / whole, volume(a, b, far) / whole]
}

const volume = ([a, b, c]: Three, [d, e, f]: Three, [g, h, i]: Three): number =>
  a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)

/** What a person chose to see, and the question to the worker that follows from it. Pure. */
import {
  type FlowKind,
  type FlowProblem,
  type FlowSettings,
  flowProblems,
  startSettings,
} from '@neuroloom/contract/flow/options'
import type { Three } from '@neuroloom/contract/flow/slice'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { FitOrder } from '@neuroloom/contract/flow/window-weights'
import type { Colours } from './draw/figure.ts'
import { type View, wholeView } from './draw/frame.ts'
import type { Facts, MaskChoice, PictureAsk, Tops } from './numbers/asks.ts'
import {
  type Angles,
  anglesAcross,
  anglesAlong,
  type Sight,
  type SightName,
  sightOf,
} from './numbers/sight.ts'
import { planesOf } from './numbers/view-plane.ts'

export type Choice = {
  plane: SightName
  /** At which the oblique plane and the volume are seen. */
  angles: Angles
  /** In voxels: each plane goes through it, and the probe reads there. Between voxels, or outside of them, in an oblique plane alone. */
  place: Three
  hasCursor: boolean
  frame: number
  /** The study before its corrections, or by interpolation alone. */
  isBefore: boolean
  kinds: readonly FlowKind[]
  hasMagnitude: boolean
  hasArrows: boolean
  colours: Colours
  /** Magnitudes that are black and white, as shares of the brightest. */
  window: readonly [number, number]
  /** As entered; what of it is refused is not drawn. */
  settings: FlowSettings
  order: FitOrder
  /** The last that nothing stood against. */
  drawn: { settings: FlowSettings; order: FitOrder }
  mask: MaskChoice
  view: View
}

/** As a run had them. */
export type Start = { kinds: readonly FlowKind[]; settings: FlowSettings; fitOrder: FitOrder }

const FRESH: Start = { kinds: ['vortex', 'fluidLine'], settings: startSettings, fitOrder: 1 }

/** From the front, a little from the left and from above: the volume is seen as one. */
const ASLANT: Angles = { turn: 30, tilt: -25 }

export function startChoice({ head, level, hasMagnitude, hasMask }: Facts, start: Start = FRESH): Choice {
  const [plane = 'z'] = planesOf(head)
  const place = head.size.map((side) => Math.floor(side / 2))
  const { kinds, settings, fitOrder: order } = start
  return {
    plane,
    angles: ASLANT,
    place: [place[0] ?? 0, place[1] ?? 0, place[2] ?? 0],
    hasCursor: false,
    frame: 0,
    isBefore: false,
    kinds,
    hasMagnitude,
    hasArrows: false,
    colours: kinds.includes('vortex') ? 'vortex' : 'speed',
    window: [0, 1],
    settings,
    order,
    drawn: { settings, order },
    mask: { isOn: true, isGiven: hasMask, level, isLargest: false },
    view: wholeView(sightOf(head, { plane, angles: null }).shown),
  }
}

type Looking = Pick<Choice, 'plane' | 'angles' | 'place'>

/** The plane that is chosen. */
export const sightIn = (head: FlowStudy, { plane, angles }: Omit<Looking, 'place'>): Sight =>
  sightOf(head, { plane, angles })

/** Of an oblique plane it need not be whole. */
export const sliceOf = (head: FlowStudy, choice: Looking): number =>
  sightIn(head, choice).toShown(choice.place).slice

/** The same place in another slice. */
export function placeIn(head: FlowStudy, choice: Looking, slice: number): Three {
  const { toGrid, toShown } = sightIn(head, choice)
  return toGrid({ ...toShown(choice.place), slice })
}

/** The voxel at the place; null outside of the study. */
export function voxelAt({ size }: FlowStudy, place: Three): Three | null {
  const at = (axis: 0 | 1 | 2) => Math.round(place[axis])
  const voxel: Three = [at(0), at(1), at(2)]
  return voxel.every((value, axis) => value >= 0 && value < (size[axis] ?? 0)) ? voxel : null
}

/** The nearest voxel of the study. */
export function nearestVoxel({ size }: FlowStudy, place: Three): Three {
  const kept = (axis: 0 | 1 | 2) => Math.min(size[axis] - 1, Math.max(0, Math.round(place[axis])))
  return [kept(0), kept(1), kept(2)]
}

/** What was clicked in the slice: voxels in planes of the grid, between them in an oblique one; null beside the study. */
export function pickedPlace(
  head: FlowStudy,
  choice: Looking,
  { column, row }: { column: number; row: number },
): Three | null {
  const place = sightIn(head, choice).toGrid({ column, row, slice: sliceOf(head, choice) })
  if (choice.plane !== 'oblique') return nearestVoxel(head, place)
  return voxelAt(head, place) ? place : null
}

export function problemsOf(head: FlowStudy, choice: Choice): FlowProblem[] {
  const { shown, slices } = sightIn(head, choice)
  const facts = { width: shown.width, height: shown.height, slices, frames: head.frames }
  const { kinds, settings, order, frame } = choice
  const slice = choice.plane === 'oblique' ? null : sliceOf(head, choice)
  return flowProblems({ kinds, settings, fitOrder: order, frames: [frame], slice }, facts)
}

/** After every change: what is allowed is drawn, what is refused leaves the picture as it was. */
export function settled(head: FlowStudy, choice: Choice): Choice {
  const isFree = problemsOf(head, choice).every(({ field }) => field === 'kinds')
  const { settings, order } = choice
  return isFree ? { ...choice, drawn: { settings, order } } : choice
}

/** Another plane through the same place, seen whole. An oblique one begins as the plane before it. */
export function turned(head: FlowStudy, choice: Choice, plane: SightName): Choice {
  if (plane === choice.plane) return choice
  if (plane === 'oblique') return tilted(head, choice, anglesAlong(head, sightIn(head, choice).away))
  return seenWhole(head, { ...choice, plane, place: nearestVoxel(head, choice.place) })
}

/** The oblique plane at these angles through the same place. Its size changes with them, and so does the view unless it was moved. */
export function tilted(head: FlowStudy, choice: Choice, angles: Angles): Choice {
  const next: Choice = { ...choice, plane: 'oblique', angles }
  return choice.view.zoom === 1 ? seenWhole(head, next) : settled(head, aroundPlace(head, next))
}

/** Along a plane across a vessel (metres along the grid). */
export function alongPlane(
  head: FlowStudy,
  choice: Choice,
  { centre, normal }: { centre: Three; normal: Three },
): Choice {
  const voxel = (axis: 0 | 1 | 2) => (1000 * centre[axis]) / head.spacing[axis]
  const place: Three = [voxel(0), voxel(1), voxel(2)]
  return seenWhole(head, { ...choice, plane: 'oblique', angles: anglesAcross(head, normal), place })
}

const seenWhole = (head: FlowStudy, choice: Choice): Choice =>
  settled(head, { ...choice, view: wholeView(sightIn(head, choice).shown) })

function aroundPlace(head: FlowStudy, choice: Choice): Choice {
  const { column, row } = sightIn(head, choice).toShown(choice.place)
  return { ...choice, view: { ...choice.view, column, row } }
}

/** Colours of a study by itself. */
export const ownTops: Tops = { speed: null, vortex: null, map: null }

export function askOf(head: FlowStudy, choice: Choice): PictureAsk {
  const { settings, order } = choice.drawn
  const { width, height } = sightIn(head, choice).shown
  const { plane, colours } = choice
  // Another plane may be too small for the window that was drawn before: then its sentence stands in the place of the map.
  const fits = settings.vorticityCalculationWindow <= Math.min(width, height)
  const isDerived = colours === 'q' || colours === 'lambda2'
  return {
    plane,
    angles: plane === 'oblique' ? choice.angles : null,
    slice: sliceOf(head, choice),
    frame: choice.frame,
    isBefore: choice.isBefore,
    map: colours === 'energy' || (isDerived && !choice.isBefore) ? colours : null,
    mask: choice.mask,
    hasVortex: choice.kinds.includes('vortex') && fits,
    hasContours: settings.contourmapsShow,
    window: settings.vorticityCalculationWindow,
    order,
    arrows: choice.hasArrows
      ? { pitch: settings.spacingBetweenArrows, scaling: settings.arrowScaling }
      : null,
    density: choice.kinds.includes('fluidLine') ? settings.linDensity : null,
  }
}

/** Fills the picture: turning the vortex on shows it, turning it off shows the speed again. */
export function withKind(
  { kinds: before, colours }: Pick<Choice, 'kinds' | 'colours'>,
  kind: FlowKind,
  isOn: boolean,
): Pick<Choice, 'kinds' | 'colours'> {
  const kinds = isOn ? [...before, kind] : before.filter((one) => one !== kind)
  if (kind !== 'vortex') return { kinds, colours }
  if (isOn) return { kinds, colours: 'vortex' }
  return { kinds, colours: colours === 'vortex' ? 'speed' : colours }
}

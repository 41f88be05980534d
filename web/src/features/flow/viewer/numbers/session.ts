/** All that is computed of one open study, and remembered while it stays the same. Runs in the worker; knows no page. */
import { arrowsOf } from '@neuroloom/contract/flow/arrows'
import { contoursOf, symmetricLevels } from '@neuroloom/contract/flow/contours'
import { evenLines } from '@neuroloom/contract/flow/even-lines'
import { percentile, TOP_SHARE, topMagnitude } from '@neuroloom/contract/flow/percentile'
import type { Samples, Slice } from '@neuroloom/contract/flow/slice'
import { vorticity } from '@neuroloom/contract/flow/vorticity'
import { openSpace, type Space } from '../../space/numbers/open-space.ts'
import { vtiOf } from '../exports/vti.ts'
import type {
  Asks,
  Bands,
  Curve,
  Facts,
  MapName,
  MaskChoice,
  Picture,
  PictureAsk,
  ProbeAsk,
  SectionAsk,
} from './asks.ts'
import { flowOf, type SectionFault, type SectionFlow } from './cross-section.ts'
import { numbersIn, velocitiesIn } from './cuts.ts'
import { mapIn, topOf } from './maps.ts'
import { above, angiogram, firstLevel, largestPart, speedsIn } from './mask.ts'
import { type Measured, velocityAt, voxelsOf } from './measured.ts'
import { velocityNoise } from './noise.ts'
import { remembered } from './remembered.ts'
import type { Derived } from './run-files.ts'
import { sightOf } from './sight.ts'
import { patientVector } from './view-plane.ts'

export type Session = Space & {
  facts: Facts
  /** The same study before its corrections: of the same grid, but maybe measured along other directions. */
  setBefore: (before: Measured) => void
  picture: (ask: PictureAsk) => Picture
  probe: (ask: ProbeAsk) => Curve
  section: (ask: SectionAsk) => SectionFlow | SectionFault
  vti: (ask: Asks['vti']['ask']) => Asks['vti']['answer']
}

/** What came with the study of a run. */
export type Given = { mask: Uint8Array | null; derived: Derived | null }

export function openSession(measured: Measured, { mask: givenMask, derived }: Given = NOTHING): Session {
  const { head, magnitude } = measured
  const vessel = angiogram(measured)
  const level = firstLevel(vessel, measured.head.size[0])
  let earlier: Measured | null = null
  const sourceOf = (isBefore: boolean): Measured => (isBefore && earlier) || measured
  const facts: Facts = {
    head,
    level,
    hasMagnitude: vessel.hasMagnitude,
    brightest: percentile(Float32Array.from(middleFrame(magnitude, head.frames)), 0.995) ?? 0,
    noise: velocityNoise(measured, vessel),
    hasMask: givenMask !== null,
    hasDerived: derived !== null,
  }

  const maskOf = remembered((choice: MaskChoice) => {
    const chosen = choice.isGiven && givenMask ? givenMask : above(vessel, choice.level)
    const whole = choice.isOn ? chosen : null
    const mask = whole && choice.isLargest ? largestPart(whole, head.size) : whole
    const voxels = mask?.reduce((sum, is) => sum + is, 0) ?? vessel.values.length
    return { mask, voxels, reference: percentile(speedsIn(measured, mask), TOP_SHARE) ?? 0 }
  })
  const makeStack = remembered((where: Where) => {
    const { mask } = maskOf(where.mask)
    const sight = sightOf(head, where)
    const cuts = new Map<number, Slice>()
    return (frame: number): Slice => {
      const cut =
        cuts.get(frame) ?? velocitiesIn(sourceOf(where.isBefore), { sight, slice: where.slice, frame, mask })
      cuts.set(frame, cut)
      return cut
    }
  })
  const turning = remembered((ask: Where & Pick<PictureAsk, 'window' | 'order'>) => {
    const cut = makeStack(whereOf(ask))
    const maps = allFrames(head.frames).map((frame) => vorticity(cut(frame), ask))
    return { maps, top: topMagnitude(maps), bands: new Map<string, Bands>() }
  })
  const makeLines = remembered((ask: Where & { density: number }) => {
    const cut = makeStack(whereOf(ask))
    const { reference } = maskOf(ask.mask)
    const known = new Map<number, Float32Array[]>()
    return (frame: number): Float32Array[] => {
      const lines =
        known.get(frame) ??
        evenLines(cut(frame), { density: ask.density, reference }).map(({ points }) => flat(points))
      known.set(frame, lines)
      return lines
    }
  })
  const makeTop = remembered(({ name, mask }: { name: MapName; mask: MaskChoice }) =>
    topOf({ name, derived, mask: maskOf(mask).mask, reference: maskOf(mask).reference }),
  )
  const vortexOf = (ask: PictureAsk, slice: Slice) => {
    if (!ask.hasVortex) return null
    const vortex = turning({ ...whereOf(ask), window: ask.window, order: ask.order })
    const omega = vortex.maps[ask.frame]
    if (!omega) return null
    const top = ask.tops?.vortex ?? vortex.top
    const bands = ask.hasContours ? bandsOf(vortex, { frame: ask.frame, top }, slice) : null
    return { own: vortex.top, shown: { omega, top, bands } }
  }

  return {
    facts,
    setBefore(before) {
      if (String([before.head.size, before.head.frames]) !== String([head.size, head.frames]))
        throw new Error('another grid')
      earlier = before
    },
    picture(ask) {
      const { mask, frame, map, isBefore, tops } = ask
      const { mask: inside, voxels, reference: fastest } = maskOf(mask)
      const reference = tops?.speed ?? fastest
      const slice = makeStack(whereOf(ask))(frame)
      const cutting = { sight: sightOf(head, ask), slice: ask.slice }
      const bright = sourceOf(isBefore).magnitude.subarray(frame * voxelsOf(head))
      const vortex = vortexOf(ask, slice)
      const top = map && makeTop({ name: map, mask })
      return {
        ...{ plane: ask.plane, angles: ask.angles, slice: ask.slice, frame, isBefore, reference, voxels },
        ...{ width: slice.width, height: slice.height, spacing: slice.spacing },
        magnitude: vessel.hasMagnitude ? numbersIn(head, cutting, (voxel) => bright[voxel] ?? 0) : null,
        speed: speedOf(slice),
        through: known(slice, (at) => slice.w[at] ?? 0),
        arrows: ask.arrows && arrowsOf(slice, { ...ask.arrows, reference }),
        lines: ask.density === null ? null : makeLines({ ...whereOf(ask), density: ask.density })(frame),
        own: { speed: fastest, vortex: vortex?.own ?? null, map: top },
        map: map && {
          name: map,
          values: mapIn({ name: map, derived, head, frame, mask: inside, cutting, speed: speedOf(slice) }),
          top: tops?.map ?? top ?? 0,
        },
        vortex: vortex?.shown ?? null,
      }
    },
    probe: ({ voxel: [x, y, z], isBefore }) => {
      const voxel = (z * head.size[1] + y) * head.size[0] + x
      const out = new Float64Array(3)
      const velocities = allFrames(head.frames).map((frame) => {
        velocityAt(sourceOf(isBefore), { voxel, frame }, out)
        return patientVector(head, [out[0] ?? 0, out[1] ?? 0, out[2] ?? 0])
      })
      return { velocities }
    },
    section: ({ mask, ...section }) => flowOf(measured, maskOf(mask).mask, section),
    ...openSpace(measured, maskOf),
    vti: ({ mask, ...moment }) => vtiOf(measured, { ...moment, mask: maskOf(mask).mask }),
  }
}

const NOTHING: Given = { mask: null, derived: null }

type Where = Pick<PictureAsk, 'plane' | 'angles' | 'slice' | 'mask' | 'isBefore'>
const whereOf = ({ plane, angles, slice, mask, isBefore }: Where): Where => ({
  ...{ plane, angles, slice, mask, isBefore },
})
const allFrames = (frames: number): number[] => Array.from({ length: frames }, (_, frame) => frame)
const middleFrame = (values: Int16Array, frames: number): Int16Array =>
  values.subarray(0, values.length / frames)

/** NaN outside. */
const known = ({ mask, u }: Slice, value: (at: number) => number): Float32Array =>
  Float32Array.from(u, (_, at) => (mask === null || mask[at] ? value(at) : Number.NaN))
const speedOf = (slice: Slice): Float32Array =>
  known(slice, (at) => Math.hypot(slice.u[at] ?? 0, slice.v[at] ?? 0, slice.w[at] ?? 0))

/** x and y alone. */
const flat = (points: Float64Array): Float32Array =>
  Float32Array.from({ length: (2 * points.length) / 3 }, (_, at) => points[3 * (at >> 1) + (at & 1)] ?? 0)

type Turning = { maps: Samples[]; top: number; bands: Map<string, Bands> }
type At = { frame: number; top: number }

function bandsOf({ maps, bands }: Turning, { frame, top }: At, { width, height }: Slice): Bands {
  const key = `${frame} ${top}`
  const known = bands.get(key)
  if (known) return known
  const contours = contoursOf({ values: maps[frame] ?? new Float32Array(width * height), width, height })
  // The level at 0 parts the two middle colours, but no line is drawn there: noise would draw it everywhere.
  const levels = symmetricLevels(top)
  const ends = [Number.NEGATIVE_INFINITY, ...levels, Number.POSITIVE_INFINITY]
  const made: Bands = {
    areas: levels.length === 0 ? [] : ends.slice(1).map((to, at) => area(contours, ends[at] ?? to, to, top)),
    lines: levels.map((level) => ({ level, points: contours.lines(level).map(({ points }) => points) })),
  }
  bands.set(key, made)
  return made
}

function area(
  contours: ReturnType<typeof contoursOf>,
  from: number,
  to: number,
  top: number,
): Bands['areas'][0] {
  const middle = (Math.max(-top, from) + Math.min(top, to)) / 2
  return { middle, rings: contours.band(from, to) }
}

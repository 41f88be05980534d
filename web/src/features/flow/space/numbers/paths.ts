/** Ways of particles that are let go in a plane, through time. Pure. */
import type { Field } from '@neuroloom/contract/flow/field'
import { pathlines } from '@neuroloom/contract/flow/pathlines'
import { axesOf, type ObliquePlane } from '@neuroloom/contract/flow/plane'
import { coverage, latticeAround, type Point } from '@neuroloom/contract/flow/region'
import { poissonSeeds } from '@neuroloom/contract/flow/seeds'
import type { Three } from '@neuroloom/contract/flow/slice'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { frameSeconds, isPeriodic } from '../../viewer/beat.ts'
import { metresOf } from '../../viewer/numbers/measured.ts'
import { packed, speedsOf } from './pack.ts'
import { longestOf, MOST_LINES, SEPARATIONS, type SpaceLines } from './streams.ts'

/** Corners in voxels of the grid, as sections have them. */
export type Emitter = { plane: ObliquePlane; outline: readonly Three[] }

export type SpacePaths = SpaceLines & {
  /** Particles that left the mask on their way, and places of the plane where none could start. */
  lost: number
  refused: number
  /** From the first particle let go to the last one's end. */
  frames: number
}

/** `no_time`: nothing tells the time from frame to frame. `nowhere`: no place of the plane lies in the mask. */
export type PathFault = 'too_many' | 'no_time' | 'nowhere'

export type PathAsk = {
  /** Of each frame. */
  fields: readonly Field[]
  reference: number
  emitter: Emitter
  /** At which one is let go from each place. */
  emitAt: readonly number[]
  density: number
  seed: number
}

/** Points of a frame that are kept. */
const MOST_POINTS = 40

/** Each a beat long, or up to the last moment where frames do not close to one. */
export function pathsFrom(head: FlowStudy, ask: PathAsk): SpacePaths | PathFault {
  const { emitAt, reference } = ask
  const seconds = frameSeconds(head)
  const [first, ...others] = ask.fields
  if (seconds === null || !first) return 'no_time'
  const seeds = placesIn(head, ask)
  if (seeds.length * emitAt.length > MOST_LINES) return 'too_many'
  const { lines, lost, refused } = pathlines(
    { frames: [first, ...others], frameSeconds: seconds },
    { seeds, emitAt, lifeFrames: head.frames, isPeriodic: isPeriodic(head) },
  )
  if (lines.length === 0) return 'nowhere'
  const begin = Math.min(...emitAt)
  const plain = lines.map((line) => thinned(line, begin))
  const made = packed(plain, { size: head.size, spacing: metresOf(head) })
  const last = Math.max(...plain.map(({ times }) => times.at(-1) ?? 0))
  return { ...made, ...speedsOf(made), reference, lost, refused, frames: last }
}

type Course = { begin: number; perFrame: number; points: Float64Array; speeds: Float64Array }

/** The ends of frames and the last point stay. */
function thinned({ begin, perFrame, points, speeds }: Course, from: number) {
  const every = [...Array(perFrame).keys()]
    .map((less) => less + 1)
    .find((step) => perFrame % step === 0 && perFrame / step <= MOST_POINTS)
  const kept = [...speeds.keys()].filter((at) => at % (every ?? perFrame) === 0 || at === speeds.length - 1)
  return {
    points: kept.flatMap((at) => [...points.subarray(3 * at, 3 * at + 3)]),
    speeds: kept.map((at) => speeds[at] ?? 0),
    times: kept.map((at) => begin - from + at / perFrame),
  }
}

/** As far apart as lines of a plane are, in voxels; up to one more than may be. */
function placesIn(head: FlowStudy, { emitter, density, seed }: PathAsk): Three[] {
  const metres = metresOf(head)
  const { plane } = emitter
  const { along, across } = axesOf(plane)
  const polygon = emitter.outline.map((corner): Point => {
    const part = (direction: Three) =>
      direction.reduce((sum, share, axis) => {
        const way = (corner[axis] ?? 0) * (metres[axis] ?? 0) - (plane.centre[axis] ?? 0)
        return sum + share * way
      }, 0)
    return [part(along), part(across)]
  })
  const distance = longestOf(head.size, metres) / (SEPARATIONS * density)
  const pitch = Math.min(...metres, distance) / 2
  const lattice = latticeAround(polygon, { origin: [0, 0], pitch })
  const { first, width, height } = lattice
  const mask = Uint8Array.from(coverage(polygon, lattice), (share) => (share > 0.5 ? 1 : 0))
  const flat = { size: [width, height, 1], spacing: [pitch, pitch, pitch] } as const
  const seeds = poissonSeeds({ ...flat, mask, distance, seed, most: MOST_LINES + 1 })
  return seeds.map(([column, row]) => {
    const [a, b] = [first[0] + column * pitch, first[1] + row * pitch]
    const place = (axis: 0 | 1 | 2) =>
      (plane.centre[axis] + a * along[axis] + b * across[axis]) / metres[axis]
    return [place(0), place(1), place(2)]
  })
}

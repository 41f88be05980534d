/**
 * Pathlines: where particles go in time, dx/dt = v(x, t), by the classical Runge–Kutta of fourth order; v is linear between
 * frames, and after the last one comes the first where time is periodic. Steps are whole parts of a frame, so that no step goes
 * across a bend, and at most half a voxel long. Particles that leave what is known stop there and are counted. Pure.
 */
import type { Field, MovingField } from './field.ts'
import type { Three } from './slice.ts'
import { STEP } from './streamlines.ts'

export type Particles = {
  /** x, y, z in voxels of each particle that is let go, by seed and then by time. */
  seeds: readonly Three[]
  /** Frames at which each seed lets one go: an emitter. */
  emitAt: readonly number[]
  /** How long each goes, in frames. */
  lifeFrames: number
  /** Retrospective gating makes time periodic, prospective does not: then all end with the last frame. */
  isPeriodic: boolean
}

export type Pathline = {
  seed: number
  /** Frame at which it begins. */
  begin: number
  /** Steps in each frame. */
  perFrame: number
  /** x, y, z in voxels after each step, the seed first. */
  points: Float64Array
  /** |v| in m/s at each point. */
  speeds: Float64Array
  /** It left what is known before its time was over. */
  isLost: boolean
}

/** `lost` and `refused` are counts: of those that left, and of seeds without a value at their time, which make no line. */
export type Pathlines = { lines: Pathline[]; lost: number; refused: number }

export function pathlines(
  moving: MovingField,
  { seeds, emitAt, lifeFrames, isPeriodic }: Particles,
): Pathlines {
  const perFrame = stepsPerFrame(moving)
  const flow = flowOf(moving.frames, isPeriodic)
  const last = isPeriodic ? Number.POSITIVE_INFINITY : moving.frames.length - 1
  const lines = emitAt.flatMap((begin) =>
    seeds.flatMap((place, seed) => {
      const steps = Math.round(perFrame * Math.min(lifeFrames, Math.max(0, last - begin)))
      const line = follow(flow, { place, begin, steps, perFrame, moving })
      return line === null ? [] : [{ seed, ...line }]
    }),
  )
  return {
    lines,
    lost: lines.filter(({ isLost }) => isLost).length,
    refused: seeds.length * emitAt.length - lines.length,
  }
}

/** So that the fastest voxel makes at most half a voxel a step. */
function stepsPerFrame({ frames, frameSeconds }: MovingField): number {
  const way = Math.max(...frames.map(topSpeedOf)) * frameSeconds
  return Math.max(1, Math.ceil(way / (STEP * Math.min(...frames[0].spacing))))
}

function topSpeedOf({ size: [width, height], known, at }: Field): number {
  const v = new Float64Array(3)
  let top = 0
  for (let index = 0; index < known.length; index++) {
    if (!known[index]) continue
    at(index % width, Math.floor(index / width) % height, Math.floor(index / (width * height)), v)
    top = Math.max(top, Math.hypot(v[0] ?? 0, v[1] ?? 0, v[2] ?? 0))
  }
  return top
}

/** v at a place (voxels) and a time (frames), into `out`. */
type Flow = (at: Float64Array, time: number, out: Float64Array) => boolean

function flowOf(fields: readonly Field[], isPeriodic: boolean): Flow {
  const later = new Float64Array(3)
  const count = fields.length
  return (at, time, out) => {
    const before = Math.floor(time)
    const share = time - before
    const after = isPeriodic ? before + 1 : Math.min(before + 1, count - 1)
    const [x, y, z] = [at[0] ?? 0, at[1] ?? 0, at[2] ?? 0]
    if (!fields[before % count]?.at(x, y, z, out)) return false
    if (share === 0) return true
    if (!fields[after % count]?.at(x, y, z, later)) return false
    for (let axis = 0; axis < 3; axis++) {
      out[axis] = (1 - share) * (out[axis] ?? 0) + share * (later[axis] ?? 0)
    }
    return true
  }
}

type Course = { place: Three; begin: number; steps: number; perFrame: number; moving: MovingField }

function follow(
  flow: Flow,
  { place, begin, steps, perFrame, moving }: Course,
): Omit<Pathline, 'seed'> | null {
  const at = Float64Array.from(place)
  const v = new Float64Array(3)
  if (!flow(at, begin, v)) return null
  const points = [...at]
  const speeds = [Math.hypot(...v)]
  const advance = makeAdvance(flow, {
    spacing: moving.frames[0].spacing,
    seconds: moving.frameSeconds / perFrame,
  })
  let isLost = false
  for (let step = 0; step < steps && !isLost; step++) {
    // Whole frames stay whole numbers.
    isLost =
      !advance(at, begin + step / perFrame, begin + (step + 1) / perFrame) ||
      !flow(at, begin + (step + 1) / perFrame, v)
    if (isLost) break
    points.push(...at)
    speeds.push(Math.hypot(...v))
  }
  return { begin, perFrame, points: Float64Array.from(points), speeds: Float64Array.from(speeds), isLost }
}

/** One step in place, from one time to the next; false where a stage has no value. */
function makeAdvance(flow: Flow, { spacing, seconds }: { spacing: Three; seconds: number }) {
  const stages = [0, 1, 2, 3].map(() => new Float64Array(3))
  const trial = new Float64Array(3)
  const plan = [0, 0.5, 0.5, 1]
  return (at: Float64Array, from: number, to: number): boolean => {
    for (const [stage, share] of plan.entries()) {
      const before = stages[stage - 1]
      for (let axis = 0; axis < 3; axis++) {
        const way = (share * seconds * (before?.[axis] ?? 0)) / (spacing[axis] ?? 1)
        trial[axis] = (at[axis] ?? 0) + way
      }
      const time = share === 1 ? to : from + share * (to - from)
      const into = stages[stage]
      if (!into || !flow(trial, time, into)) return false
    }
    const [k1, k2, k3, k4] = stages
    for (let axis = 0; axis < 3; axis++) {
      const sum = (k1?.[axis] ?? 0) + 2 * (k2?.[axis] ?? 0) + 2 * (k3?.[axis] ?? 0) + (k4?.[axis] ?? 0)
      at[axis] = (at[axis] ?? 0) + (seconds * sum) / (6 * (spacing[axis] ?? 1))
    }
    return true
  }
}

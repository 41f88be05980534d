/**
 * Flow through a region of a plane: Q(t) = ∬ v·n dA and what is reported of it. Two rules of what belongs to the region, and each
 * number names its own: exact areas on a lattice of a quarter voxel, which is low by what voxels on the wall average with what is
 * outside (2 to 3 % at 8 to 10 voxels across), and whole voxels of which more than half lies inside. Pure.
 */
import type { Field, MovingField } from './field.ts'
import { percentile, TOP_SHARE } from './percentile.ts'
import { gridOrigin, type ObliquePlane, sliceThrough } from './plane.ts'
import { areaOf, coverage, latticeAround, type Point } from './region.ts'

export const regionRules = ['exact', 'voxels'] as const
export type RegionRule = (typeof regionRules)[number]

/** Samples along a voxel's side where areas are exact. */
const FINER = 4
const HALF = 0.5

export type Region = {
  plane: ObliquePlane
  /** Corners in metres along the plane's two directions from its centre; sides do not cross. One for all frames, or one for each. */
  polygons: readonly (readonly Point[])[]
  rule: RegionRule
}

export type FrameFlow = {
  /** m³/s, forward above 0. */
  flow: number
  /** m², as the rule counts it. */
  area: number
  /** m/s along the normal: flow / area; NaN without an area. */
  meanVelocity: number
  /** |v| in m/s: the largest, and the 99th percentile; NaN where nothing is known. */
  peak: number
  peak99: number
  /** Share of the area that has no value; nothing flows there. */
  unknown: number
}

/** One after the other. Throws a RangeError where a polygon has no area, or neither one nor as many as frames are given. */
export function flowThrough({ frames }: MovingField, { plane, polygons, rule }: Region): FrameFlow[] {
  if (polygons.length !== 1 && polygons.length !== frames.length) {
    throw new RangeError(`${polygons.length} regions for ${frames.length} frames`)
  }
  const weighted = polygons.map((polygon) => weightsOf(polygon, { plane, rule, field: frames[0] }))
  return frames.map((field, frame) => {
    const given = weighted[polygons.length === 1 ? 0 : frame]
    if (!given) throw new RangeError(`no region for frame ${frame}`)
    return frameFlow(field, plane, given)
  })
}

function weightsOf(
  polygon: readonly Point[],
  { plane, rule, field }: { plane: ObliquePlane; rule: RegionRule; field: Field },
) {
  if (!(areaOf(polygon) > 0)) throw new RangeError('a region without area')
  const voxel = Math.min(...field.spacing)
  const pitch = rule === 'exact' ? voxel / FINER : voxel
  const lattice = latticeAround(polygon, { origin: gridOrigin(plane), pitch })
  const shares = coverage(polygon, lattice)
  return { lattice, weights: rule === 'exact' ? shares : shares.map((share) => (share > HALF ? 1 : 0)) }
}

function frameFlow(
  field: Field,
  plane: ObliquePlane,
  { lattice, weights }: ReturnType<typeof weightsOf>,
): FrameFlow {
  const { u, v, w } = sliceThrough(field, plane, lattice)
  const cell = lattice.pitch * lattice.pitch
  const speeds = new Float32Array(weights.length)
  let [count, flow, area, unknown] = [0, 0, 0, 0]
  for (const [at, weight] of weights.entries()) {
    if (weight === 0) continue
    area += weight * cell
    const through = w[at] ?? Number.NaN
    if (Number.isNaN(through)) unknown += weight * cell
    else flow += weight * cell * through
    // What lies on the rim belongs to others as well.
    if (weight >= HALF && !Number.isNaN(through))
      speeds[count++] = Math.hypot(u[at] ?? 0, v[at] ?? 0, through)
  }
  const known = speeds.subarray(0, count)
  return {
    flow,
    area,
    meanVelocity: flow / area,
    peak: percentile(known, 1) ?? Number.NaN,
    peak99: percentile(known, TOP_SHARE) ?? Number.NaN,
    unknown: area > 0 ? unknown / area : 0,
  }
}

export type CurveSummary = {
  /** ∫Q⁺ dt and ∫Q⁻ dt, both at least 0, and their difference, in m³. */
  forward: number
  backward: number
  net: number
  /** Backward : forward; null without forward flow. */
  regurgitantFraction: number | null
  /** m³/s. */
  largest: number
  smallest: number
  mean: number
  /** (largest − smallest) / mean; null where the mean is 0. */
  pulsatility: number | null
}

/**
 * By the trapezoid rule over the frames; periodic where the last frame is followed by the first, as with retrospective gating.
 * Else the curve ends with the last frame, and one frame alone has no volume. Null without a frame.
 */
export function summarise(
  flows: readonly number[],
  { frameSeconds, isPeriodic }: { frameSeconds: number; isPeriodic: boolean },
): CurveSummary | null {
  if (flows.length === 0) return null
  const integral = (values: readonly number[]) => {
    const ends = isPeriodic ? 0 : ((values[0] ?? 0) + (values.at(-1) ?? 0)) / 2
    return frameSeconds * (values.reduce((sum, value) => sum + value, 0) - ends)
  }
  const forward = integral(flows.map((flow) => Math.max(0, flow)))
  const backward = integral(flows.map((flow) => Math.max(0, -flow)))
  const [largest, smallest] = [Math.max(...flows), Math.min(...flows)]
  const mean = flows.reduce((sum, flow) => sum + flow, 0) / flows.length
  return {
    forward,
    backward,
    net: forward - backward,
    regurgitantFraction: forward > 0 ? backward / forward : null,
    largest,
    smallest,
    mean,
    pulsatility: mean === 0 ? null : (largest - smallest) / mean,
  }
}

/** Flow in a round tube along z, averaged over voxels as a scanner does: Poiseuille's, and Womersley's (J. Physiol. 127, 1955). */
import type { Point } from '@neuroloom/contract/flow/region'
import type { FlowVolume } from '@neuroloom/contract/flow/slice'

export type Tube = {
  /** Voxels of 1 mm. */
  radius: number
  /** Of the axis from the middle of the middle voxel, in voxels. */
  offset: readonly [number, number]
}
export const VOXEL = 0.001
const PARTS = 10

/** Rows and columns of a volume that holds the tube. */
export const sideOf = ({ radius }: Tube): number => 2 * Math.ceil(radius) + 7
export const axisOf = (tube: Tube): readonly [number, number] => {
  const middle = (sideOf(tube) - 1) / 2
  return [middle + tube.offset[0], middle + tube.offset[1]]
}

/** `profiles` are of r/R, one a frame, in m/s; voxels on the wall hold what lies inside of it, on average. */
export function tubeVolume(
  tube: Tube,
  profiles: readonly ((share: number) => number)[],
  frameSeconds = 1,
): FlowVolume {
  const side = sideOf(tube)
  const frames = profiles.length
  const values = new Float32Array(3 * frames * 3 * side * side)
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const shares = sharesIn(tube, column, row)
      for (const [frame, profile] of profiles.entries()) {
        const mean = shares.reduce((sum, share) => sum + profile(share), 0) / PARTS ** 2
        for (let z = 0; z < 3; z++)
          values[(((2 * frames + frame) * 3 + z) * side + row) * side + column] = mean
      }
    }
  }
  return {
    size: [side, side, 3],
    spacing: [VOXEL, VOXEL, VOXEL],
    frames,
    frameSeconds,
    values,
    scale: 1,
    mask: null,
  }
}

/** r/R at the parts of a voxel that lie in the tube. */
function sharesIn(tube: Tube, column: number, row: number): number[] {
  const [x, y] = axisOf(tube)
  const shares: number[] = []
  for (let part = 0; part < PARTS ** 2; part++) {
    const a = column - 0.5 + ((part % PARTS) + 0.5) / PARTS
    const b = row - 0.5 + (Math.floor(part / PARTS) + 0.5) / PARTS
    const share = Math.hypot(a - x, b - y) / tube.radius
    if (share < 1) shares.push(share)
  }
  return shares
}

/** A circle of so many corners, and of the circle's area. */
export function circle([x, y]: Point, radius: number, corners = 128): Point[] {
  const turn = (2 * Math.PI) / corners
  const reach = radius * Math.sqrt(turn / Math.sin(turn))
  return Array.from({ length: corners }, (_, at) => [
    x + reach * Math.cos(at * turn),
    y + reach * Math.sin(at * turn),
  ])
}

export const poiseuille = (share: number): number => 1 - share * share

type Complex = readonly [re: number, im: number]
const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c]
const over = (one: Complex, [c, d]: Complex): Complex => {
  const square = c * c + d * d
  return times(one, [c / square, -d / square])
}

/** J₀ or J₁ by its series: Σ (−z²/4)ᵏ/(k!·(k+n)!)·(z/2)ⁿ. */
export function bessel(order: 0 | 1, z: Complex): Complex {
  const [re, im] = times(z, z)
  const quarter: Complex = [-re / 4, -im / 4]
  let term: Complex = order === 0 ? [1, 0] : [z[0] / 2, z[1] / 2]
  let sum = term
  for (let k = 1; k < 80; k++) {
    const next = times(term, quarter)
    const by = k * (k + order)
    term = [next[0] / by, next[1] / by]
    sum = [sum[0] + term[0], sum[1] + term[1]]
  }
  return sum
}

/**
 * A steady part of 1 m/s on the axis, and one that a swinging pressure makes, v = Re{A·(1 − J₀(λr/R)/J₀(λ))·e^{iτ}} with
 * λ = i^{3/2}·α and A such that the flow swings between 0 and twice its mean. `phase` τ from 0 to 2π.
 */
export function womersley(alpha: number) {
  const lambda: Complex = [-alpha / Math.SQRT2, alpha / Math.SQRT2]
  const [wall, flux] = [bessel(0, lambda), bessel(1, lambda)]
  const [re, im] = over([2 * flux[0], 2 * flux[1]], times(lambda, wall))
  const amplitude = 0.5 / Math.hypot(1 - re, im)
  const swing = ([a, b]: Complex, phase: number) =>
    amplitude * ((1 - a) * Math.cos(phase) + b * Math.sin(phase))
  return {
    velocity: (share: number, phase: number): number =>
      poiseuille(share) + swing(over(bessel(0, [lambda[0] * share, lambda[1] * share]), wall), phase),
    /** m³/s at a radius in metres. */
    flow: (radius: number, phase: number): number => Math.PI * radius ** 2 * (0.5 + swing([re, im], phase)),
  }
}

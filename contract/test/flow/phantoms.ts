/** Flows that are known in closed form, sampled at the middles of voxels. Lengths in voxels of the given spacing, SI units. */
import type { FlowVolume, Slice, Three } from '@neuroloom/contract/flow/slice'

type Flow = (x: number, y: number) => readonly [u: number, v: number, w?: number]

type Sampled = {
  width: number
  height?: number
  spacing?: readonly [number, number]
  /** Of sample (0, 0), in metres. */
  origin?: readonly [number, number]
  bits?: 32 | 64
}

/** `flow` is of metres. */
export function sliceOf(
  flow: Flow,
  { width, height = width, spacing = [1, 1], origin = [0, 0], bits = 64 }: Sampled,
): Slice {
  const make = () => (bits === 64 ? new Float64Array(width * height) : new Float32Array(width * height))
  const [u, v, w] = [make(), make(), make()]
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [a, b, c = 0] = flow(origin[0] + column * spacing[0], origin[1] + row * spacing[1])
      const at = row * width + column
      u[at] = a
      v[at] = b
      w[at] = c
    }
  }
  return { width, height, spacing, u, v, w, mask: null }
}

/** A vortex around 0 with ω₀ = 1/s in its middle: v_θ = r_c²/(2r)·(1 − exp(−r²/r_c²)), ω = exp(−r²/r_c²). */
export const lambOseen =
  (core: number): Flow =>
  (x, y) => {
    const square = (x * x + y * y) / (core * core)
    const turn = square === 0 ? 0.5 : -Math.expm1(-square) / (2 * square)
    return [-turn * y, turn * x]
  }

/** ω = 2·sin x·sin y, stream function sin x·sin y. */
export const taylorGreen: Flow = (x, y) => [Math.sin(x) * Math.cos(y), -Math.cos(x) * Math.sin(y)]

/** `vortexSlice(6, 41)`: a Lamb–Oseen vortex in the middle of a plane. */
export const vortexSlice = (core: number, width: number, bits: 32 | 64 = 64): Slice =>
  sliceOf(lambOseen(core), { width, origin: [-(width - 1) / 2, -(width - 1) / 2], bits })

/** Box–Muller. */
export function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

type Frames = {
  size: Three
  spacing?: Three
  frames?: number
  frameSeconds?: number
  mask?: Uint8Array | null
}

/** `flow` is of metres from voxel (0, 0, 0), and of the frame. */
export function volumeOf(
  flow: (x: number, y: number, z: number, frame: number) => Three,
  { size, spacing = [1, 1, 1], frames = 1, frameSeconds = 1, mask = null }: Frames,
): FlowVolume {
  const [width, height, depth] = size
  const voxels = width * height * depth
  const values = new Float32Array(3 * frames * voxels)
  for (let frame = 0, at = 0; frame < frames; frame++) {
    for (let z = 0; z < depth; z++) {
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++, at++) {
          const v = flow(x * spacing[0], y * spacing[1], z * spacing[2], frame)
          for (const axis of [0, 1, 2] as const) values[axis * frames * voxels + at] = v[axis]
        }
      }
    }
  }
  return { size, spacing, frames, frameSeconds, values, scale: 1, mask }
}

/** Arnold, Beltrami and Childress, all three amplitudes alike and the root of the mean square of speed 1 m/s. */
export const abc = (x: number, y: number, z: number): Three => [
  (Math.sin(z) + Math.cos(y)) * EVEN,
  (Math.sin(x) + Math.cos(z)) * EVEN,
  (Math.sin(y) + Math.cos(x)) * EVEN,
]
const EVEN = 1 / Math.sqrt(3)

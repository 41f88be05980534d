/**
 * The velocity at any place of one frame: trilinear between the middles of voxels, bilinear where the grid is one plane. A place
 * has a value when its nearest voxel is known (halves go up); corners that are not known are left out, and the weights of the
 * others are made to fill 1, so that nothing outside of the mask reaches in. Pure.
 */
import { componentOf, type FlowVolume, knownOf, type Samples, type Slice, type Three } from './slice.ts'

export type Field = {
  size: Three
  /** In metres. */
  spacing: Three
  /** Not 0 where all components are finite and the mask holds. */
  known: Uint8Array
  /** The velocity in m/s at (x, y, z) in voxels, written into `out`; false where there is none. */
  at: (x: number, y: number, z: number, out: Float64Array) => boolean
}

/** Along the plane: what goes through it is 0, so that lines stay in it. */
export function fieldOfSlice({ width, height, spacing, u, v, mask }: Slice): Field {
  return makeField({
    size: [width, height, 1],
    // No length lies across a plane; the smaller of its own keeps steps as they are.
    spacing: [...spacing, Math.min(...spacing)],
    components: [u, v, new Float32Array(width * height)],
    scale: 1,
    mask,
  })
}

export function fieldOfFrame(volume: FlowVolume, frame: number): Field {
  const component = (index: 0 | 1 | 2) => componentOf(volume, index, frame)
  return makeField({ ...volume, components: [component(0), component(1), component(2)] })
}

/** All frames, looked through once; `frameSeconds` from one to the next. */
export type MovingField = { frames: readonly [Field, ...Field[]]; frameSeconds: number }

/** Throws a RangeError without a frame. */
export function movingField(volume: FlowVolume): MovingField {
  const [first, ...others] = Array.from({ length: volume.frames }, (_, frame) => fieldOfFrame(volume, frame))
  if (!first) throw new RangeError('no frame')
  return { frames: [first, ...others], frameSeconds: volume.frameSeconds }
}

type Given = {
  size: Three
  spacing: Three
  components: readonly [Values, Values, Values]
  scale: number
  mask: Uint8Array | null
}
type Values = Int16Array | Samples

function makeField({ size, spacing, components, scale, mask }: Given): Field {
  const [width, height, depth] = size
  const [us, vs, ws] = components
  const known = knownOf(components, { count: width * height * depth, mask })
  const whole = wholeCells(known, size)
  // In one plane the upper corners of a cell are the lower ones.
  const down = width
  const up = depth > 1 ? width * height : 0
  const deepest = Math.max(0, depth - 2)
  const sparing = sparingly({ size, components, scale }, known)

  return {
    size,
    spacing,
    known,
    at(x, y, z, out) {
      const i = Math.floor(x)
      const j = Math.floor(y)
      const k = Math.floor(z)
      const isInside = i >= 0 && j >= 0 && k >= 0 && i < width - 1 && j < height - 1 && k <= deepest
      const cell = (k * height + j) * width + i
      if (!isInside || !whole[cell]) return sparing(x, y, z, out)
      const a = x - i
      const near = (1 - (y - j)) * (1 - (z - k))
      const below = (y - j) * (1 - (z - k))
      const behind = (1 - (y - j)) * (z - k)
      const far = (y - j) * (z - k)
      for (let axis = 0; axis < 3; axis++) {
        const values = axis === 0 ? us : axis === 1 ? vs : ws
        const lower = near * along(values, cell, a) + below * along(values, cell + down, a)
        const upper = behind * along(values, cell + up, a) + far * along(values, cell + up + down, a)
        out[axis] = scale * (lower + upper)
      }
      return true
    },
  }
}

/** Between a sample and the next one of its row. */
function along(values: Values, at: number, share: number): number {
  return (1 - share) * (values[at] ?? 0) + share * (values[at + 1] ?? 0)
}

/** 1 at the first corner of each cell whose corners are all known; one axis after the other. */
function wholeCells(known: Uint8Array, [width, height, depth]: Three): Uint8Array {
  const whole = known.slice()
  const steps = [1, width, depth > 1 ? width * height : 0]
  for (const step of steps) {
    for (let at = 0; at + step < whole.length; at++) whole[at] = (whole[at] ?? 0) & (whole[at + step] ?? 0)
  }
  return whole
}

/** Where corners are missing: at the edge of the mask, and up to half a voxel beyond the middles of the outermost ones. */
function sparingly(
  { size: [width, height, depth], components, scale }: Pick<Given, 'size' | 'components' | 'scale'>,
  known: Uint8Array,
): Field['at'] {
  const place = (x: number, y: number, z: number) =>
    x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth ? (z * height + y) * width + x : -1
  return (x, y, z, out) => {
    const nearest = place(Math.floor(x + 0.5), Math.floor(y + 0.5), Math.floor(z + 0.5))
    if (!known[nearest]) return false
    const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)]
    let whole = 0
    out.fill(0)
    for (let corner = 0; corner < 8; corner++) {
      const [right, down, deep] = [corner & 1, (corner >> 1) & 1, corner >> 2]
      const weight = (right ? x - i : 1 - x + i) * (down ? y - j : 1 - y + j) * (deep ? z - k : 1 - z + k)
      const at = place(i + right, j + down, k + deep)
      if (weight === 0 || !known[at]) continue
      whole += weight
      for (const [axis, values] of components.entries()) {
        out[axis] = (out[axis] ?? 0) + weight * (values[at] ?? 0)
      }
    }
    for (let axis = 0; axis < 3; axis++) out[axis] = ((out[axis] ?? 0) * scale) / whole
    return true
  }
}

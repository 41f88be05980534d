/** Small studies for the tests of the viewer: the velocity of each voxel and frame is told by a function. */
import { type FlowStudy, NO_VALUE } from '@neuroloom/contract/flow/study'
import { type Measured, readMeasured } from '../../src/features/flow/viewer/numbers/measured.ts'

type Three = [number, number, number]
export type Told = {
  size?: Three
  frames?: number
  head?: Partial<FlowStudy>
  /** m/s along the measured directions; null = no value. */
  velocity: (place: Three, frame: number) => Three | null
  magnitude?: (place: Three, frame: number) => number
}

export function makeHead({ size = [8, 8, 4], frames = 2, head = {} }: Omit<Told, 'velocity'>): FlowStudy {
  return {
    ...{ v: 1, source: 'phantom', vendor: null, size, frames, spacing: [2, 2, 2] },
    affine: [
      [-2, 0, 0, 10],
      [0, -2, 0, 20],
      [0, 0, 2, 30],
    ],
    isPlaced: true,
    directions: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    venc: [1.5, 1.5, 1.5],
    velocityScale: 0.001,
    times: Array.from({ length: frames }, (_, frame) => frame / frames),
    period: frames > 1 ? 1 : null,
    gating: frames > 1 ? 'retrospective' : 'unknown',
    sources: 'a'.repeat(64),
    ...head,
  }
}

export function makeBytes(told: Told): Uint8Array {
  const head = makeHead(told)
  const [x, y, z] = head.size
  const voxels = x * y * z
  const velocity = new Int16Array(3 * head.frames * voxels)
  const magnitude = new Int16Array(head.frames * voxels)
  for (let at = 0; at < head.frames * voxels; at++) {
    const voxel = at % voxels
    const place: Three = [voxel % x, Math.floor(voxel / x) % y, Math.floor(voxel / (x * y))]
    const frame = Math.floor(at / voxels)
    const value = told.velocity(place, frame)
    for (let axis = 0; axis < 3; axis++) {
      const units = value === null ? NO_VALUE : Math.round((value[axis] ?? 0) / head.velocityScale)
      velocity[axis * head.frames * voxels + at] = units
    }
    magnitude[at] = told.magnitude?.(place, frame) ?? 100
  }
  const shape = [head.frames, z, y, x]
  return container(
    { flow: JSON.stringify(head) },
    { velocity: ['I16', [3, ...shape], velocity], magnitude: ['I16', shape, magnitude] },
  )
}

type Tensor = readonly [dtype: 'I16' | 'I8', shape: number[], values: Int16Array | Int8Array]

/** Safetensors. */
export function container(
  about: Record<string, string>,
  tensors: Readonly<Record<string, Tensor>>,
): Uint8Array<ArrayBuffer> {
  let end = 0
  const entries = Object.entries(tensors).map(([name, [dtype, shape, { byteLength }]]) => {
    const from = end
    end += byteLength
    return [name, { dtype, shape, data_offsets: [from, end] }] as const
  })
  const text = new TextEncoder().encode(
    JSON.stringify({ __metadata__: about, ...Object.fromEntries(entries) }),
  )
  const bytes = new Uint8Array(8 + text.length + end)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true)
  bytes.set(text, 8)
  let at = 8 + text.length
  for (const [, , values] of Object.values(tensors)) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at)
    at += values.byteLength
  }
  return bytes
}

export const makeStudy = (told: Told): Measured => readMeasured(makeBytes(told))

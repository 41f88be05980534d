/** A study made in the page: a bent and a straight vessel, pulsating, with noise, packed as the server packs one. */
import { type FlowStudy, VENC_UNITS } from '@neuroloom/contract/flow/study'
import { mulberry32 } from '@neuroloom/contract/statistics/random'

type Wanted = {
  size: [number, number, number]
  frames: number
  isPlaced: boolean
  noise: number
  /** Times as fast. */
  pace: number
}

const SPACING = 2
const VENC = 1.5
const PERIOD = 0.8

export type Known = { head: FlowStudy; velocity: Int16Array; magnitude: Int16Array; file: Blob }

/** `?frames=1&unplaced=1&side=96&pace=0.5`. */
export function knownStudy(query: URLSearchParams): Known {
  const side = Number(query.get('side') ?? 64)
  const frames = Number(query.get('frames') ?? 20)
  const wanted: Wanted = {
    size: [side, side, Math.round(side / 2)],
    frames,
    isPlaced: !query.has('unplaced'),
    noise: 0.015,
    pace: Number(query.get('pace') ?? 1),
  }
  const head = headOf(wanted)
  return { head, ...made(head, wanted) }
}

function headOf({ size, frames, isPlaced }: Wanted): FlowStudy {
  return {
    ...{ v: 1, source: 'phantom', vendor: null, size, frames, spacing: [SPACING, SPACING, SPACING] },
    // Columns to the left of the patient, rows to the back, as scanners write transversal slices.
    affine: isPlaced
      ? [
          [-SPACING, 0, 0, (size[0] * SPACING) / 2],
          [0, -SPACING, 0, (size[1] * SPACING) / 2],
          [0, 0, SPACING, 0],
        ]
      : [
          [SPACING, 0, 0, 0],
          [0, SPACING, 0, 0],
          [0, 0, SPACING, 0],
        ],
    isPlaced,
    directions: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    venc: [VENC, VENC, VENC],
    velocityScale: VENC / VENC_UNITS,
    times: Array.from({ length: frames }, (_, frame) => (frame * PERIOD) / frames),
    period: frames > 1 ? PERIOD : null,
    gating: frames > 1 ? 'retrospective' : 'unknown',
    sources: '0'.repeat(64),
  }
}

function made(head: FlowStudy, wanted: Wanted): Omit<Known, 'head'> {
  const [x, y, z] = head.size
  const voxels = x * y * z
  const velocity = new Int16Array(3 * head.frames * voxels)
  const magnitude = new Int16Array(head.frames * voxels)
  const random = mulberry32(7)
  // The sum of twelve even ones is as good as normal; a table of them is random enough to look at.
  const table = Float32Array.from({ length: 4096 }, () => {
    let sum = -6
    for (let turn = 0; turn < 12; turn++) sum += random()
    return wanted.noise * sum
  })
  const noise = () => table[Math.floor(random() * table.length)] ?? 0
  for (let voxel = 0; voxel < voxels; voxel++) {
    const place = [voxel % x, Math.floor(voxel / x) % y, Math.floor(voxel / (x * y))] as const
    const { flow, brightness } = flowAt(place, head.size)
    for (let frame = 0; frame < head.frames; frame++) {
      const beat = 0.35 + 0.65 * Math.max(0, Math.sin((2 * Math.PI * frame) / head.frames))
      for (let axis = 0; axis < 3; axis++) {
        const metres =
          brightness > 60 ? (flow[axis] ?? 0) * wanted.pace * beat + noise() : (random() - 0.5) * 0.06
        velocity[(axis * head.frames + frame) * voxels + voxel] = Math.round(metres / head.velocityScale)
      }
      magnitude[frame * voxels + voxel] = brightness + 20 * random()
    }
  }
  const shape = [head.frames, z, y, x]
  const file = container(
    { flow: JSON.stringify(head) },
    {
      velocity: { values: velocity, shape: [3, ...shape], dtype: 'I16' },
      magnitude: { values: magnitude, shape, dtype: 'I16' },
    },
  )
  return { velocity, magnitude, file }
}

type Tensor = { values: Int16Array | Int8Array; shape: number[]; dtype: 'I16' | 'I8' }

/** Safetensors. */
export function container(about: Record<string, string>, tensors: Record<string, Tensor>): Blob {
  let end = 0
  const entries = Object.entries(tensors).map(([name, { values, shape, dtype }]) => {
    const from = end
    end += values.byteLength
    return [name, { dtype, shape, data_offsets: [from, end] }] as const
  })
  const text = new TextEncoder().encode(
    JSON.stringify({ __metadata__: about, ...Object.fromEntries(entries) }),
  )
  const padding = new Uint8Array((8 - (text.length % 8)) % 8).fill(32)
  const length = new BigUint64Array([BigInt(text.length + padding.length)])
  const values = Object.values(tensors).map((tensor) => tensor.values as Int16Array<ArrayBuffer>)
  return new Blob([length, text, padding, ...values])
}

/** An arch in the plane of rows and slices, a straight vessel along the slices with a whirl in it, and still tissue around. Of a voxel. */
export function flowAt([i, j, k]: readonly [number, number, number], [x, y, z]: FlowStudy['size']) {
  const scale = x / 64
  const [dx, dy, dz] = [i - 0.36 * x, j - 0.5 * y, k - 0.2 * z]
  const around = Math.hypot(dy, Math.max(0, dz))
  const bend = 15 * scale
  const apart = dz > 0 ? around - bend : Math.abs(dy) - bend
  const radius = 5.5 * scale
  const inside = 1 - (dx * dx + apart * apart) / (radius * radius)
  const body = ((i - x / 2) / (0.46 * x)) ** 2 + ((j - y / 2) / (0.42 * y)) ** 2 < 1
  if (inside > 0) {
    const speed = 1.1 * inside
    // Up in front (small rows), down behind, turning a little around its own middle.
    const along = dz > 0 ? [dz / around, -dy / around] : [0, dy < 0 ? 1 : -1]
    const whirl = 0.05 * speed
    const turn = [-whirl * apart, whirl * dx]
    const side = dz > 0 ? [dy / around, dz / around] : [Math.sign(dy), 0]
    return {
      flow: [
        turn[0] ?? 0,
        speed * (along[0] ?? 0) * 1 + (turn[1] ?? 0) * (side[0] ?? 0),
        speed * (along[1] ?? 0) + (turn[1] ?? 0) * (side[1] ?? 0),
      ],
      brightness: 220,
    }
  }
  const [ex, ey] = [i - 0.72 * x, j - 0.5 * y]
  const wide = 8 * scale
  const distance = Math.hypot(ex, ey)
  if (distance < wide) {
    const core = 3 * scale
    const spin = (0.55 * (1 - Math.exp(-((distance / core) ** 2)))) / Math.max(0.3, distance / core)
    const [ux, uy] = [-ey / Math.max(0.1, distance), ex / Math.max(0.1, distance)]
    return { flow: [spin * ux, spin * uy, 0.3 * (1 - (distance / wide) ** 2)], brightness: 200 }
  }
  return { flow: [0, 0, 0], brightness: body ? 90 : 4 }
}

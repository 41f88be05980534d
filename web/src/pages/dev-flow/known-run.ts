/** What a run would have made of the known study: its mask, maps of vortices, and the study before its corrections. */
import type { FlowSection } from '@neuroloom/contract/flow/run'
import { type FlowStudy, NO_VALUE } from '@neuroloom/contract/flow/study'
import type { Source } from '../../features/flow/viewer/source.ts'
import { container, type Known } from './known-study.ts'

/** m/s that eddy currents added along the second direction, and how the earlier study was measured: y, x and z against the grid. */
const OFFSET = 0.12
const EARLIER: FlowStudy['directions'] = [
  [0, 1, 0],
  [1, 0, 0],
  [0, 0, -1],
]
/** 1/s² of one unit of the maps. */
const SCALE = 4

export function knownRun(known: Known): Source {
  const { head } = known
  return {
    ...{ key: 'known-run', name: 'Known flow', head, values: URL.createObjectURL(known.file) },
    mask: URL.createObjectURL(maskOf(known)),
    derived: URL.createObjectURL(derivedOf(known)),
    before: URL.createObjectURL(beforeOf(known)),
  }
}

/** Across the straight vessel. */
export const knownSections = ({ head: { size, spacing } }: Known): FlowSection[] => [
  {
    name: 'Straight vessel',
    centre: [0.72 * size[0] * spacing[0] * 1e-3, 0.5 * size[1] * spacing[1] * 1e-3, 0.03],
    normal: [0.1, 0, 1],
    ...{ region: 'vessel', radius: 0.012, rule: 'exact' },
  },
]

function maskOf({ head: { size, frames }, magnitude }: Known): Blob {
  const [x, y, z] = size
  const mask = Int8Array.from({ length: x * y * z }, (_, voxel) => ((magnitude[voxel] ?? 0) > 150 ? 1 : 0))
  return container({ frames: String(frames) }, { mask: { values: mask, shape: [z, y, x], dtype: 'I8' } })
}

function beforeOf({ head, velocity, magnitude }: Known): Blob {
  const [x, y, z] = head.size
  const one = velocity.length / 3
  const earlier = new Int16Array(velocity.length)
  const added = Math.round(OFFSET / head.velocityScale)
  for (let at = 0; at < one; at++) {
    earlier[at] = (velocity[at + one] ?? 0) + added
    earlier[at + one] = velocity[at] ?? 0
    earlier[at + 2 * one] = -(velocity[at + 2 * one] ?? 0)
  }
  const shape = [head.frames, z, y, x]
  return container(
    { flow: JSON.stringify({ ...head, directions: EARLIER }) },
    {
      velocity: { values: earlier, shape: [3, ...shape], dtype: 'I16' },
      magnitude: { values: magnitude, shape, dtype: 'I16' },
    },
  )
}

/** By differences of neighbours; λ2 of a flow in one plane is −Q, which is near enough to look at. */
function derivedOf({ head, velocity, magnitude }: Known): Blob {
  const [x, y, z] = head.size
  const voxels = x * y * z
  const steps = [1, x, x * y] as const
  const gains = head.spacing.map((side) => (1000 * head.velocityScale) / (2 * side))
  const q = new Int16Array(head.frames * voxels).fill(NO_VALUE)
  const lambda2 = q.slice()
  for (let at = x * y; at < q.length - x * y; at++) {
    if ((magnitude[at % voxels] ?? 0) <= 150) continue
    const slope = (component: number, axis: 0 | 1 | 2) => {
      const from = component * head.frames * voxels + at
      return ((velocity[from + steps[axis]] ?? 0) - (velocity[from - steps[axis]] ?? 0)) * (gains[axis] ?? 0)
    }
    let sum = 0
    for (const a of [0, 1, 2] as const) for (const b of [0, 1, 2] as const) sum += slope(a, b) * slope(b, a)
    const units = Math.max(-32_000, Math.min(32_000, Math.round(-sum / 2 / SCALE)))
    q[at] = units
    lambda2[at] = -units
  }
  const shape = [head.frames, z, y, x]
  return container(
    { scale: JSON.stringify({ q: SCALE, lambda2: SCALE }) },
    { q: { values: q, shape, dtype: 'I16' }, lambda2: { values: lambda2, shape, dtype: 'I16' } },
  )
}

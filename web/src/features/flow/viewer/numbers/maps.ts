/** Maps beside speed and vorticity: kinetic energy of the blood, and what the engine derived in space. Pure. */
import { percentile, TOP_SHARE } from '@neuroloom/contract/flow/percentile'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { MapName } from './asks.ts'
import { type Cutting, numbersIn } from './cuts.ts'
import { voxelsOf } from './measured.ts'
import { type Derived, derivedAt } from './run-files.ts'

/** kg/m³ of blood, as the engine takes it. */
const DENSITY = 1060

type Asked = { name: MapName; derived: Derived | null; mask: Uint8Array | null }

/** J/m³, or 1/s²; one a sample as it is shown, NaN where there is none. */
export function mapIn(
  asked: Asked & { head: FlowStudy; frame: number; cutting: Cutting; speed: Float32Array },
): Float32Array {
  const { name, derived, mask, head, frame, cutting, speed } = asked
  if (name === 'energy') return speed.map((value) => (DENSITY / 2) * value * value)
  const map = derived?.[name]
  const first = frame * voxelsOf(head)
  return numbersIn(head, cutting, (voxel) =>
    map && (mask === null || mask[voxel]) ? derivedAt(map, first + voxel) : Number.NaN,
  )
}

/** Where colours end: at v_ref, or at the 99th percentile of the size in the mask over all frames. */
export function topOf({ name, derived, mask, reference }: Asked & { reference: number }): number {
  if (name === 'energy') return (DENSITY / 2) * reference * reference
  const map = derived?.[name]
  if (!map) return 0
  const sizes = new Float32Array(map.values.length)
  let count = 0
  for (let at = 0; at < map.values.length; at++) {
    if (mask !== null && !mask[at % mask.length]) continue
    const value = Math.abs(derivedAt(map, at))
    if (Number.isFinite(value)) sizes[count++] = value
  }
  return percentile(sizes.subarray(0, count), TOP_SHARE) ?? 0
}

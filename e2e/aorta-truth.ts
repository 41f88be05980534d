/** What truly flows through a plane of 4DFlowNet's aorta: its own field at twice the resolution, of which a scan was simulated. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

type Three = readonly [number, number, number]
/** Metres along the grid from the middle of voxel (0, 0, 0), which is the same place in both resolutions. */
export type Plane = { centre: Three; normal: Three }

/** Of a voxel's side between samples of the plane: halving it again changes the flow by less than a thousandth. */
const STEP = 0.25

/** m³/s along the normal, and m²: of the part of the lumen around the centre, each sample with the velocity of the voxel it lies in. */
export function trueFlow(folder: string, { centre, normal }: Plane): { flow: number; area: number } {
  const lumen = readVolume(join(folder, 'mask.nii.gz'))
  const velocity = ['vx', 'vy', 'vz'].map((name) => readVolume(join(folder, `${name}.nii.gz`)))
  const { size, spacing } = lumen
  const length = Math.hypot(...normal)
  const [n, along] = [normal.map((part) => part / length), anyAcross(normal)]
  const across = cross(n, along)
  const step = STEP * spacing
  const voxelAt = (a: number, b: number): number | null => {
    const place = centre.map((middle, axis) =>
      Math.round((middle + step * (a * (along[axis] ?? 0) + b * (across[axis] ?? 0))) / spacing),
    )
    const [x = -1, y = -1, z = -1] = place
    const isInside = place.every((at, axis) => at >= 0 && at < (size[axis] ?? 0))
    const voxel = (z * size[1] + y) * size[0] + x
    return isInside && (lumen.values[voxel] ?? 0) > 0 ? voxel : null
  }
  const seen = new Set(['0,0'])
  const waiting: [number, number][] = [[0, 0]]
  let [flow, count] = [0, 0]
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const [a, b] = at
    const voxel = voxelAt(a, b)
    if (voxel === null) continue
    count++
    // Files hold cm/s.
    for (const [axis, { values }] of velocity.entries()) flow += ((values[voxel] ?? 0) * (n[axis] ?? 0)) / 100
    for (const next of [[a + 1, b] as const, [a - 1, b] as const, [a, b + 1] as const, [a, b - 1] as const]) {
      if (seen.has(String(next))) continue
      seen.add(String(next))
      waiting.push([...next])
    }
  }
  return { flow: flow * step * step, area: count * step * step }
}

const cross = ([a = 0, b = 0, c = 0]: readonly number[], [x = 0, y = 0, z = 0]: readonly number[]) => [
  b * z - c * y,
  c * x - a * z,
  a * y - b * x,
]

/** A unit vector that stands upright on it. */
function anyAcross(normal: Three): number[] {
  const least = normal.map(Math.abs).indexOf(Math.min(...normal.map(Math.abs)))
  const way = cross(
    normal,
    [0, 1, 2].map((axis) => (axis === least ? 1 : 0)),
  )
  return way.map((part) => part / Math.hypot(...way))
}

type Volume = { size: Three; spacing: number; values: Float32Array | Uint8Array }

/** NIfTI-1 as the set has it: bytes or floats behind 352 bytes, x fastest, sides in millimetres. */
function readVolume(path: string): Volume {
  const bytes = gunzipSync(readFileSync(path))
  const size = [42, 44, 46].map((at) => bytes.readInt16LE(at))
  const [x = 0, y = 0, z = 0] = size
  const isBytes = bytes.readInt16LE(70) === 2
  const body = bytes.buffer.slice(bytes.byteOffset + 352)
  return {
    size: [x, y, z],
    spacing: bytes.readFloatLE(80) / 1000,
    values: isBytes ? new Uint8Array(body, 0, x * y * z) : new Float32Array(body, 0, x * y * z),
  }
}

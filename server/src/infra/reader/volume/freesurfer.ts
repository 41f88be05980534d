/** Reads FreeSurfer's volumes (`.mgh`, packed `.mgz`). */
import type { DataType } from '@neuroloom/contract/viewing'
import {
  bytesOf,
  checkSize,
  countOf,
  type Geometry,
  plainScan,
  refuse,
  type Scan,
  samplesOf,
  type Triple,
} from '../model.ts'
import { takeData } from '../picture/packed.ts'

const types: Record<number, DataType> = { 0: 'uint8', 1: 'int32', 3: 'float32', 4: 'int16', 10: 'uint16' }
const DATA_START = 284

/** It has no sign of its own: a version, sizes that make sense, and a known type. */
export function isFreesurfer(bytes: Buffer): boolean {
  if (bytes.length < DATA_START || bytes.readInt32BE(0) !== 1) return false
  const sides = [4, 8, 12, 16].map((at) => bytes.readInt32BE(at))
  return types[bytes.readInt32BE(20)] !== undefined && sides.every((side) => side >= 1 && side <= 65_535)
}

export function readFreesurfer(bytes: Buffer, limitBytes: number): Scan {
  if (!isFreesurfer(bytes)) throw refuse('not_this_kind', { kind: 'FreeSurfer MGH/MGZ' })
  const [x = 0, y = 0, z = 0, t = 0] = [4, 8, 12, 16].map((at) => bytes.readInt32BE(at))
  const size: Scan['size'] = [x, y, z, t]
  const type = types[bytes.readInt32BE(20)] ?? 'uint8'
  checkSize(size, bytesOf(type), limitBytes)
  const geometry = geometryOf(bytes, size)
  return {
    ...plainScan,
    format: 'mgh',
    size,
    layout: z === 1 ? 'slice' : 'volume',
    samples: samplesOf(takeData(bytes, DATA_START, countOf(size, 1) * bytesOf(type)), type, false),
    dataType: type,
    bits: bytesOf(type) * 8,
    geometry,
    windows: [],
    notes: geometry === null ? [{ name: 'spacing_unknown', params: {} }] : [],
  }
}

/** FreeSurfer leads to the right and the front, and gives the middle of the volume. */
function geometryOf(bytes: Buffer, [x, y, z]: Scan['size']): Geometry | null {
  if (bytes.readInt16BE(28) !== 1) return null
  const float = (index: number): number => bytes.readFloatBE(30 + 4 * index)
  const spacing: Triple = [float(0), float(1), float(2)]
  const axis = (index: number): Triple => [-float(3 + 3 * index), -float(4 + 3 * index), float(5 + 3 * index)]
  const axes: [Triple, Triple, Triple] = [axis(0), axis(1), axis(2)]
  const isSound =
    spacing.every((step) => Number.isFinite(step) && step > 0) &&
    axes.every((one) => Math.abs(Math.hypot(...one) - 1) < 0.01)
  if (!isSound) return null
  const half = [(x / 2) * spacing[0], (y / 2) * spacing[1], (z / 2) * spacing[2]]
  const middle: Triple = [-float(12), -float(13), float(14)]
  const start = (row: 0 | 1 | 2): number =>
    middle[row] - axes.reduce((sum, one, index) => sum + one[row] * (half[index] ?? 0), 0)
  return { spacing, axes, origin: [start(0), start(1), start(2)] }
}

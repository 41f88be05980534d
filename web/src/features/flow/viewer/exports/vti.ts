/**
 * One moment of a study as VTK's image. Places are in mm, along the axes of the patient where the study is placed (right, front and
 * head grow), and vectors go along the same axes. Pure.
 */
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { type Measured, velocityAt, voxelsOf } from '../numbers/measured.ts'
import { patientVector } from '../numbers/view-plane.ts'
import { makeAppended } from './vtk-xml.ts'

export const VELOCITY_NAME = 'velocity_m_per_s'

type Moment = { frame: number; mask: Uint8Array | null; about: string }

export function vtiOf(measured: Measured, { frame, mask, about }: Moment): Uint8Array<ArrayBuffer> {
  const { head, magnitude } = measured
  const voxels = voxelsOf(head)
  const bright = magnitude.subarray(frame * voxels, (frame + 1) * voxels)
  const { element, field, file } = makeAppended()
  const extent = head.size.map((side) => `0 ${side - 1}`).join(' ')
  const told = [field('TimeValue', head.times[frame] ?? 0), field('VENC', Math.max(...head.venc))]
  const arrays = [
    { name: VELOCITY_NAME, parts: 3, values: vectorsOf(measured, frame) },
    { name: 'magnitude', parts: 1, values: bright },
    ...(mask === null ? [] : [{ name: 'mask', parts: 1, values: mask }]),
  ]
  return file(
    'ImageData',
    `<ImageData WholeExtent="${extent}" ${placeOf(head)}>\n<FieldData>${told.join('')}</FieldData>\n` +
      `<Piece Extent="${extent}">\n<PointData Vectors="${VELOCITY_NAME}" Scalars="magnitude">` +
      `${arrays.map(element).join('\n')}</PointData>\n</Piece>\n</ImageData>`,
    about,
  )
}

/** NaN where there is no value. */
function vectorsOf(measured: Measured, frame: number): Float32Array {
  const voxels = voxelsOf(measured.head)
  const vectors = new Float32Array(3 * voxels)
  const out = new Float64Array(3)
  for (let voxel = 0; voxel < voxels; voxel++) {
    velocityAt(measured, { voxel, frame }, out)
    vectors.set(patientVector(measured.head, [out[0] ?? 0, out[1] ?? 0, out[2] ?? 0]), 3 * voxel)
  }
  return vectors
}

/** Columns of `Direction` are the axes of the grid. */
function placeOf({ affine, spacing }: FlowStudy): string {
  const axes = ([0, 1, 2] as const).map((axis) => Math.hypot(...affine.map((row) => row[axis])))
  const turn = affine.flatMap((row) => ([0, 1, 2] as const).map((axis) => row[axis] / (axes[axis] ?? 1)))
  const origin = affine.map((row) => row[3])
  return `Origin="${origin.join(' ')}" Spacing="${spacing.join(' ')}" Direction="${turn.join(' ')}"`
}

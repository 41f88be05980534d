/** How numbers and names of 4D flow are written; sentences stand in flow.json. */
import { type flowFormats, flowVendorNames } from '@neuroloom/contract/flow/named'
import type { FlowLook } from '@neuroloom/contract/flow/study'
import { formatNumber } from '../../lib/format.ts'

export type Source = FlowLook['source']
export type Vendor = NonNullable<FlowLook['vendor']>

export const allVendors = Object.values(flowVendorNames).join(', ')

/** Formats are called alike in every language. */
export const formatNames: Record<(typeof flowFormats)[number], string> = {
  dicom: 'DICOM',
  par_rec: 'PAR/REC',
  nifti: 'NIfTI',
  hdf5: 'HDF5',
  mat: 'MAT',
  vtk: 'VTK',
}

/** "96 × 96 × 32". */
export const sizeText = (size: readonly number[]): string =>
  size.map((length) => formatNumber(length)).join(' × ')

/** mm, "2 × 2 × 2.5". */
export const spacingText = (spacing: readonly number[]): string =>
  spacing.map((side) => formatNumber(side, 2)).join(' × ')

/** m/s as cm/s, in which VENC is set at scanners. */
export const toCm = (metres: number): number => Math.round(metres * 1e4) / 100

/** Seconds as whole milliseconds. */
export const toMs = (seconds: number): number => Math.round(seconds * 1000)

/** Beats a minute of an RR interval in seconds. */
export const rateOf = (period: number): number => Math.round(60 / period)

/** The usual time from frame to frame in s; null of one frame. */
export function stepOf(times: readonly number[]): number | null {
  const [first] = times
  const last = times.at(-1)
  if (first === undefined || last === undefined || times.length < 2) return null
  return (last - first) / (times.length - 1)
}

import type { imageExtensions } from '@neuroloom/contract/engine'
import type { Entry } from '@neuroloom/contract/files'

// The contract's own list comes with schemas that must not reach the browser; its type keeps both equal.
const extensions: Record<(typeof imageExtensions)[number], true> = {
  png: true,
  jpg: true,
  jpeg: true,
  jfif: true,
  tif: true,
  tiff: true,
  bmp: true,
  webp: true,
  gif: true,
  ppm: true,
  pgm: true,
}
const imageTypes = new Set(Object.keys(extensions))
export const isImage = ({ kind, type }: Pick<Entry, 'kind' | 'type'>): boolean =>
  kind === 'file' && imageTypes.has(type)

const scans: ReadonlySet<string> = new Set(['dcm', 'dicom', 'ima', 'nii', 'nrrd', 'nhdr', 'mha', 'mhd'])
/** Volumes and DICOM. A packed volume is an image and no archive. */
export const isScan = ({
  kind,
  type,
  name = '',
}: Pick<Entry, 'kind' | 'type'> & { name?: string }): boolean =>
  kind === 'file' && (scans.has(type) || /\.(nii|nrrd|mha|dcm)\.gz$/i.test(name))

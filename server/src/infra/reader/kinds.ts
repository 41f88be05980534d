/** What a file is, by its first bytes and its name: which reader opens it, or why none does. */
import type { ViewReasonName } from '@neuroloom/contract/viewing'
import { isDicom } from './dicom-file.ts'
import { refuse } from './model.ts'
import { niftiVersion } from './nifti.ts'
import { isTiff } from './tiff-pages.ts'

export const imageKinds = [
  'dicom',
  'nifti',
  'nrrd',
  'metaimage',
  'tiff',
  'png',
  'jpeg',
  'gif',
  'webp',
  'avif',
  'bmp',
] as const
export type ImageKind = (typeof imageKinds)[number]

const endings: Record<string, ImageKind> = {
  dcm: 'dicom',
  dicom: 'dicom',
  ima: 'dicom',
  nii: 'nifti',
  nrrd: 'nrrd',
  nhdr: 'nrrd',
  mha: 'metaimage',
  mhd: 'metaimage',
  tif: 'tiff',
  tiff: 'tiff',
  btf: 'tiff',
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  jfif: 'jpeg',
  gif: 'gif',
  webp: 'webp',
  avif: 'avif',
  bmp: 'bmp',
  dib: 'bmp',
}

const shown: Record<ImageKind, string> = {
  dicom: 'DICOM',
  nifti: 'NIfTI',
  nrrd: 'NRRD',
  metaimage: 'MetaImage',
  tiff: 'TIFF',
  png: 'PNG',
  jpeg: 'JPEG',
  gif: 'GIF',
  webp: 'WebP',
  avif: 'AVIF',
  bmp: 'BMP',
}

/** Known by their bytes or names, and not read. */
const others: { kind: string; reason: ViewReasonName; starts?: RegExp; endings?: readonly string[] }[] = [
  { kind: 'Photoshop', reason: 'kind_not_yet', starts: /^8BPS/, endings: ['psd'] },
  {
    kind: 'JPEG 2000',
    reason: 'kind_not_yet',
    starts: /^(.{4}jP {2}|\xff\x4f\xff\x51)/,
    endings: ['jp2', 'j2k', 'jpx'],
  },
  { kind: 'JPEG XL', reason: 'kind_not_yet', starts: /^(\xff\n|.{4}JXL )/, endings: ['jxl'] },
  { kind: 'PGM / PPM', reason: 'kind_not_yet', starts: /^P[1-7]\s/, endings: ['pgm', 'ppm', 'pbm', 'pnm'] },
  { kind: 'MINC / HDF5', reason: 'kind_not_yet', starts: /^\x89HDF/, endings: ['mnc', 'h5', 'hdf5'] },
  { kind: 'MINC / NetCDF', reason: 'kind_not_yet', starts: /^CDF/, endings: ['nc'] },
  { kind: 'Philips PAR/REC', reason: 'kind_not_yet', endings: ['par', 'rec'] },
  { kind: 'AFNI', reason: 'kind_not_yet', endings: ['brik', 'head'] },
  { kind: 'FreeSurfer MGH/MGZ', reason: 'kind_not_yet', endings: ['mgz', 'mgh'] },
  { kind: 'Analyze', reason: 'kind_not_yet', endings: ['hdr', 'img'] },
  {
    kind: 'HEIC',
    reason: 'kind_not_yet',
    starts: /^.{4}ftyp(heic|heix|mif1|hevc)/s,
    endings: ['heic', 'heif'],
  },
  { kind: 'NumPy', reason: 'kind_not_yet', starts: /^\x93NUMPY/, endings: ['npy', 'npz'] },
  { kind: 'MATLAB', reason: 'kind_not_yet', starts: /^MATLAB/, endings: ['mat'] },
  { kind: 'SVG', reason: 'vector_drawing', endings: ['svg', 'svgz'] },
  {
    kind: 'archive',
    reason: 'archive',
    starts: /^(PK|Rar!|7z\xbc\xaf|BZh|\xfd7zXZ)/,
    endings: ['zip', 'rar', '7z', 'tar', 'tgz', 'bz2', 'xz'],
  },
]

/** The image kind of unpacked bytes, else a refusal. */
export function imageKindOf(bytes: Buffer, name: string): ImageKind {
  const ending = endingOf(name)
  const named = endings[ending]
  if (bytes.length === 0) throw refuse('empty')
  const found = sniff(bytes)
  if (named && found && named !== found && !isAnalyze(bytes, ending))
    throw refuse('named_otherwise', { found: shown[found], name: `.${ending}` })
  if (found && !isAnalyze(bytes, ending)) return found
  const text = bytes.subarray(0, 64).toString('latin1')
  const byBytes = others.find(({ starts }) => starts?.test(text))
  // A name that promises an image is broken; any other is only unknown.
  if (named) throw refuse('not_this_kind', { kind: shown[named] })
  const other = byBytes ?? others.find((one) => one.endings?.includes(ending))
  throw other ? refuse(other.reason, { kind: other.kind }) : refuse('kind_unknown', { type: ending })
}

/** Header and image in two files, as before NIfTI, with the same first number. */
const isAnalyze = (bytes: Buffer, ending: string): boolean =>
  (ending === 'hdr' || ending === 'img') && bytes.subarray(344, 347).toString('latin1') !== 'n+1'

/** Whether the name promises an image of a kind that is read. */
export const isNamedImage = (name: string): boolean => endings[endingOf(name)] !== undefined

/** Without `.gz`, which packs any of them. */
export const endingOf = (name: string): string =>
  /\.([^.]+)$/.exec(name.toLowerCase().replace(/\.gz$/, ''))?.[1] ?? ''

function sniff(bytes: Buffer): ImageKind | null {
  const text = bytes.subarray(0, 64).toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('\xff\xd8')) return 'jpeg'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF.{4}WEBP/s.test(text)) return 'webp'
  if (/^.{4}ftypavi[fs]/s.test(text)) return 'avif'
  if (/^NRRD000\d/.test(text)) return 'nrrd'
  if (/^\s*(ObjectType|NDims|Comment|ObjectSubType)\s*=/.test(text)) return 'metaimage'
  if (isDicom(bytes)) return 'dicom'
  if (isTiff(bytes)) return 'tiff'
  if (niftiVersion(bytes) !== null) return 'nifti'
  return /^BM/.test(text) && bytes.length >= 26 && bytes.readUInt32LE(14) <= 200 ? 'bmp' : null
}

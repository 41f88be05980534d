/** What a file is, by its first bytes and its name: which reader opens it, or why none does. */
import { openedImages } from '@neuroloom/contract/opened'
import type { ViewReasonName } from '@neuroloom/contract/viewing'
import { isDicom } from './dicom/file.ts'
import { refuse } from './model.ts'
import { isJpeg2000 } from './picture/jpeg2000.ts'
import { isNetpbm } from './picture/netpbm.ts'
import { isPhotoshop } from './picture/photoshop.ts'
import { isTiff } from './picture/tiff-pages.ts'
import { isSvg } from './pictures.ts'
import { isFreesurfer } from './volume/freesurfer.ts'
import { isMetaImage } from './volume/metaimage.ts'
import { niftiVersion } from './volume/nifti.ts'
import { isNumpy } from './volume/numpy.ts'
import { inPairs } from './volume/pairs.ts'
import { isPhilips } from './volume/philips.ts'

const shown = { ...openedImages.volumes, ...openedImages.pictures }
export type ImageKind = keyof typeof shown

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
  jp2: 'jpeg2000',
  j2k: 'jpeg2000',
  jpx: 'jpeg2000',
  jpf: 'jpeg2000',
  psd: 'photoshop',
  psb: 'photoshop',
  pgm: 'netpbm',
  ppm: 'netpbm',
  pbm: 'netpbm',
  pnm: 'netpbm',
  svg: 'svg',
  svgz: 'svg',
  mgh: 'freesurfer',
  mgz: 'freesurfer',
  npy: 'numpy',
  hdr: 'analyze',
  img: 'analyze',
  par: 'philips',
  rec: 'philips',
}

type Other = {
  kind: string
  reason: ViewReasonName
  starts?: RegExp
  isIt?: (bytes: Buffer) => boolean
  endings?: readonly string[]
}
/** Known by their bytes or names, and not read. */
const others: Other[] = [
  { kind: 'JPEG XL', reason: 'kind_not_yet', starts: /^(\xff\n|.{4}JXL )/, endings: ['jxl'] },
  { kind: 'MINC / HDF5', reason: 'kind_not_yet', starts: /^\x89HDF/, endings: ['mnc', 'h5', 'hdf5'] },
  { kind: 'MINC / NetCDF', reason: 'kind_not_yet', starts: /^CDF/, endings: ['nc'] },
  { kind: 'AFNI', reason: 'kind_not_yet', endings: ['brik', 'head'] },
  {
    kind: 'HEIC',
    reason: 'kind_not_yet',
    starts: /^.{4}ftyp(heic|heix|mif1|hevc)/s,
    endings: ['heic', 'heif'],
  },
  { kind: 'TGA (Targa)', reason: 'kind_not_yet', isIt: isTarga, endings: ['tga', 'icb', 'vda', 'vst'] },
  { kind: 'NumPy (.npz)', reason: 'kind_not_yet', endings: ['npz'] },
  { kind: 'MATLAB', reason: 'kind_not_yet', starts: /^MATLAB/, endings: ['mat'] },
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
  // Either of two files: the one that holds the numbers looks like nothing.
  if (inPairs.has(ending) && (named === 'philips' || isAnalyze(bytes, ending))) return named ?? 'analyze'
  const found = sniff(bytes)
  if (named && found && named !== found && !inPairs.has(ending))
    throw refuse('named_otherwise', { found: shown[found], name: `.${ending}` })
  if (found) return found
  const text = bytes.subarray(0, 64).toString('latin1')
  const byBytes = others.find(({ starts, isIt }) => starts?.test(text) ?? isIt?.(bytes))
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

/** It has no sign of its own, and its first numbers could begin a DICOM file without preamble. */
function isTarga(bytes: Buffer): boolean {
  if (bytes.length < 18 || bytes.subarray(128, 132).toString('latin1') === 'DICM') return false
  const [, hasColours, kind = 0] = bytes
  const isPlain = hasColours === 0 && [2, 3, 10, 11].includes(kind) && !bytes.subarray(3, 8).some(Boolean)
  const isIndexed = hasColours === 1 && [1, 9].includes(kind)
  return (isPlain || isIndexed) && [8, 15, 16, 24, 32].includes(bytes[16] ?? 0)
}

function sniff(bytes: Buffer): ImageKind | null {
  const text = bytes.subarray(0, 64).toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('\xff\xd8')) return 'jpeg'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF.{4}WEBP/s.test(text)) return 'webp'
  if (/^.{4}ftypavi[fs]/s.test(text)) return 'avif'
  if (/^NRRD000\d/.test(text)) return 'nrrd'
  if (isMetaImage(text)) return 'metaimage'
  if (isDicom(bytes) && !isTarga(bytes)) return 'dicom'
  if (isTiff(bytes)) return 'tiff'
  if (niftiVersion(bytes) !== null) return 'nifti'
  if (isJpeg2000(bytes)) return 'jpeg2000'
  if (isPhotoshop(bytes)) return 'photoshop'
  if (isNumpy(bytes)) return 'numpy'
  if (isNetpbm(bytes)) return 'netpbm'
  if (isPhilips(bytes)) return 'philips'
  if (isFreesurfer(bytes)) return 'freesurfer'
  if (isSvg(bytes)) return 'svg'
  return /^BM/.test(text) && bytes.length >= 26 && bytes.readUInt32LE(14) <= 200 ? 'bmp' : null
}

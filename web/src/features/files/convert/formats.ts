/** What can be turned into what, as the menus and the dialog need it; the server looks into the bytes. */
import type { ConversionFormat } from '@neuroloom/contract/conversions'
import type { Entry } from '@neuroloom/contract/files'

/** The contract's own list comes with schemas that must not reach the browser; its type keeps both equal. */
export const formatNames: Record<ConversionFormat, string> = {
  nifti: 'NIfTI',
  nrrd: 'NRRD',
  mha: 'MHA',
  dicom: 'DICOM',
  tiff: 'TIFF',
  png: 'PNG',
  jpeg: 'JPEG',
}
export const formats = Object.keys(formatNames).filter(
  (name): name is ConversionFormat => name in formatNames,
)

type Named = Pick<Entry, 'kind' | 'name'>
type Source = { format: ConversionFormat | null; isPlain: boolean }

/** `isPlain`: eight bits a colour, so that no brightness and no depth need choosing. */
const sources: Record<string, Source> = {
  dcm: { format: 'dicom', isPlain: false },
  dicom: { format: 'dicom', isPlain: false },
  ima: { format: 'dicom', isPlain: false },
  nii: { format: 'nifti', isPlain: false },
  nrrd: { format: 'nrrd', isPlain: false },
  nhdr: { format: 'nrrd', isPlain: false },
  mha: { format: 'mha', isPlain: false },
  mhd: { format: 'mha', isPlain: false },
  tif: { format: 'tiff', isPlain: false },
  tiff: { format: 'tiff', isPlain: false },
  btf: { format: 'tiff', isPlain: false },
  png: { format: 'png', isPlain: false },
  jpg: { format: 'jpeg', isPlain: true },
  jpeg: { format: 'jpeg', isPlain: true },
  jfif: { format: 'jpeg', isPlain: true },
  jp2: { format: null, isPlain: false },
  j2k: { format: null, isPlain: false },
  pgm: { format: null, isPlain: false },
  ppm: { format: null, isPlain: true },
  psd: { format: null, isPlain: true },
  svg: { format: null, isPlain: true },
  mgh: { format: null, isPlain: false },
  mgz: { format: null, isPlain: false },
  npy: { format: null, isPlain: false },
  hdr: { format: null, isPlain: false },
  par: { format: null, isPlain: false },
  gif: { format: null, isPlain: true },
  webp: { format: null, isPlain: true },
  avif: { format: null, isPlain: true },
  bmp: { format: null, isPlain: true },
  dib: { format: null, isPlain: true },
}

const videos = new Set('mp4 m4v mov webm mkv ogv avi wmv flv mpg mpeg 3gp mts m2ts'.split(' '))

/** Without `.gz`, which packs any image. */
const endingOf = (name: string): string =>
  /\.([^.]+)$/.exec(name.toLowerCase().replace(/\.gz$/, ''))?.[1] ?? ''

/** DICOM files are often called by a number, or have no ending at all. */
const isUnnamedSlice = (name: string): boolean => /(^[^.]+|\.\d+)$/.test(name)

function sourceOf(name: string): Source | null {
  const ending = endingOf(name)
  if (Object.hasOwn(sources, ending)) return sources[ending] ?? null
  return isUnnamedSlice(name) ? { format: 'dicom', isPlain: false } : null
}

/** Of formats that no setting changes: converting into what a file is already only makes a second case of it. */
const wholeFiles: Partial<Record<ConversionFormat, string>> = { nifti: 'nii', nrrd: 'nrrd', mha: 'mha' }

/** Files that are of the wanted format already; of a folder the server leaves them out. */
export const isOfFormat = ({ kind, name }: Named, format: ConversionFormat): boolean =>
  kind === 'file' && endingOf(name) === wholeFiles[format]

export const hasOneForm = (format: ConversionFormat): boolean => format in wholeFiles

export const isVideo = ({ kind, name }: Named): boolean => kind === 'file' && videos.has(endingOf(name))

/** Folders stand for the images in them. */
export const isConvertible = ({ kind, name }: Named): boolean => kind === 'folder' || sourceOf(name) !== null

const withTexts = new Set('png jpg jpeg jfif tif tiff bmp dib webp dcm dicom ima'.split(' '))

/** Pictures of kinds whose copies can be written; folders stand for those in them. */
export const mayHoldTexts = ({ kind, name }: Named): boolean =>
  kind === 'folder' || withTexts.has(endingOf(name)) || isUnnamedSlice(name)

/** Which settings matter for these sources. */
export function factsOf(entries: readonly Named[]): {
  first: ConversionFormat
  isSeries: boolean
  isPlain: boolean
} {
  const known = entries.map(({ kind, name }) => (kind === 'folder' ? null : sourceOf(name)))
  const own = new Set(known.map((source) => source?.format))
  const isPlain = known.length > 0 && known.every((source) => source?.isPlain === true)
  const wanted: ConversionFormat[] = isPlain ? ['png', 'tiff'] : ['nifti', 'nrrd']
  const isOnly = (format: ConversionFormat): boolean => own.size === 1 && own.has(format)
  return {
    first: wanted.find((format) => !isOnly(format)) ?? 'nifti',
    isSeries:
      entries.some(({ kind }) => kind === 'folder') ||
      known.filter((source) => source?.format === 'dicom').length > 1,
    isPlain,
  }
}

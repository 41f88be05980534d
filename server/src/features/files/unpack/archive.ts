import type { Readable } from 'node:stream'
import type { StoredName } from '@neuroloom/contract/names/stored-names'
import type { LeftOutReason } from '@neuroloom/contract/uploads'

/** One entry as the archive tells it; nothing of it is believed yet. */
export type FoundEntry = {
  /** Its place in the archive. */
  index: number
  name: StoredName
  kind: 'file' | 'folder' | 'link' | 'special'
  /** As the archive says; never more than this is taken. */
  sizeBytes: number
  /** Why it cannot be read, where that shows before reading. */
  problem: LeftOutReason | null
  modifiedAt: Date | null
  /** Of a zip: rights as Unix has them, where it was made there, and the bytes that it takes in the archive. */
  unixMode?: number
  packedBytes?: number
}

export type OpenedEntry = { index: number; open: () => Promise<Readable> }

/** An archive on the disk, whatever its kind. Both lists come in the archive's order. */
export type Archive = {
  list(): AsyncIterable<FoundEntry>
  /** The wanted entries, one after the other: each is read, or passed over, before the next one comes. */
  read(wanted: ReadonlySet<number>): AsyncIterable<OpenedEntry>
  close(): Promise<void>
}

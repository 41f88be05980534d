/** The names in a zip, by its table of contents alone: what a page shows before anything is unpacked. Does no I/O itself. */
import type { StoredName } from './stored-names.ts'

export type ReadPart = (start: number, length: number) => Promise<Uint8Array>

const END = { signature: 0x06054b50, bytes: 22, commentBytes: 65_535 }
const ENTRY = { signature: 0x02014b50, bytes: 46 }
/** Enough of a table of contents to tell in which alphabet it was written. */
const TABLE_BYTES = 1024 * 1024
const UNICODE_FLAG = 0x800
/** Info-ZIP: the name in Unicode, for exactly these bytes. */
const UNICODE_PATH = 0x7075

/** Of damaged archives, and of those over 4 GB, none: unpacking tells what is wrong with them. */
export async function zipNames(read: ReadPart, sizeBytes: number): Promise<StoredName[]> {
  const tailBytes = Math.min(sizeBytes, END.bytes + END.commentBytes)
  const tail = viewOf(await read(sizeBytes - tailBytes, tailBytes))
  for (let at = tail.byteLength - END.bytes; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== END.signature) continue
    const [length, start] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)]
    if (start + length > sizeBytes) return []
    return namesIn(await read(start, Math.min(length, TABLE_BYTES)))
  }
  return []
}

function namesIn(table: Uint8Array): StoredName[] {
  const view = viewOf(table)
  const names: StoredName[] = []
  for (let at = 0; at + ENTRY.bytes <= table.length; ) {
    if (view.getUint32(at, true) !== ENTRY.signature) break
    const [nameBytes, extraBytes] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
    const nameEnd = at + ENTRY.bytes + nameBytes
    if (nameEnd > table.length) break
    const name = table.subarray(at + ENTRY.bytes, nameEnd)
    const isUnicode = (view.getUint16(at + 8, true) & UNICODE_FLAG) !== 0
    // What the archive says to be Unicode is nothing to choose about, whatever it is.
    names.push(isUnicode || hasUnicodePath(table.subarray(nameEnd, nameEnd + extraBytes)) ? '' : name)
    at = nameEnd + extraBytes + view.getUint16(at + 32, true)
  }
  return names
}

function hasUnicodePath(extra: Uint8Array): boolean {
  const view = viewOf(extra)
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === UNICODE_PATH) return true
  return false
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

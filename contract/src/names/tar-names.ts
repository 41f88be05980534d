/** The first names in a tar, from header to header: what a page shows before anything is unpacked. Does no I/O itself. */
import type { StoredName } from './stored-names.ts'
import type { ReadPart } from './zip-names.ts'

const BLOCK = 512
/** Enough names to tell in which alphabet they were written; each may be a request to the store. */
const HEADERS = 100
/** Longer ones are cut when they are unpacked, too. */
const LONG_NAME_BYTES = 64 * 1024
/** GNU tar: the name of the next entry. */
const LONG_NAME = 'L'
/** POSIX.1-2001: facts of the next entry, its path in UTF-8 among them. */
const EXTENDED = 'x'
/** Facts of all entries, and names of what links lead to. */
const PASSED_OVER = ['g', 'K', 'V']

/** Of what is no tar, none; of a damaged one those before the damage: unpacking tells what is wrong. */
export async function tarNames(read: ReadPart, sizeBytes: number): Promise<StoredName[]> {
  const names: StoredName[] = []
  let told: StoredName | null = null
  for (let at = 0, seen = 0; at + BLOCK <= sizeBytes && seen < HEADERS; seen += 1) {
    const header = headerIn(await read(at, BLOCK))
    if (header === null) break
    const { kind, dataBytes } = header
    const start = at + BLOCK
    at = start + Math.ceil(dataBytes / BLOCK) * BLOCK
    if (PASSED_OVER.includes(kind)) continue
    if (kind === LONG_NAME || kind === EXTENDED) {
      const length = Math.min(dataBytes, LONG_NAME_BYTES, sizeBytes - start)
      const data = await read(start, Math.max(length, 0))
      // What the archive says to be Unicode is nothing to choose about, whatever it is.
      if (kind === LONG_NAME) told = untilZero(data)
      else if (/(^|\n)\d+ path=/.test(latin(data))) told = ''
      continue
    }
    names.push(told ?? header.name)
    told = null
  }
  return names
}

/** null: the end, or no header. Fields as in POSIX.1-1988 (ustar). */
function headerIn(block: Uint8Array): { name: Uint8Array; kind: string; dataBytes: number } | null {
  if (block.length < BLOCK || !hasRightSum(block)) return null
  const own = untilZero(block.subarray(0, 100))
  const prefix = latin(block.subarray(257, 262)) === 'ustar' ? untilZero(block.subarray(345, 500)) : []
  const name = prefix.length > 0 ? Uint8Array.of(...prefix, 0x2f, ...own) : own
  const dataBytes = dataBytesOf(block)
  return Number.isSafeInteger(dataBytes) && dataBytes >= 0
    ? { name, kind: latin(block.subarray(156, 157)), dataBytes }
    : null
}

/** The sum of all bytes, its own place counted as spaces. */
function hasRightSum(block: Uint8Array): boolean {
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  return sum === octal(block.subarray(148, 156))
}

/** Of a header: how many bytes follow it. In octal digits; above 8 GB as a binary number behind a set first bit. */
export function dataBytesOf(header: Uint8Array): number {
  const field = header.subarray(124, 136)
  if (((field[0] ?? 0) & 0x80) === 0) return octal(field)
  return field.subarray(1).reduce((total, byte) => total * 256 + byte, 0)
}

const octal = (field: Uint8Array): number =>
  Number.parseInt(latin(field).replace(/\0.*$/s, '').trim() || '0', 8)

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { archives as limits } from '@neuroloom/contract/limits'
import type { StoredName } from '@neuroloom/contract/names/stored-names'
import { isUtf8 } from '@neuroloom/contract/names/text-encodings'
import type { Entry, Options, ZipFile } from 'yauzl'
import { openAhead } from './ahead.ts'
import type { Archive, FoundEntry, OpenedEntry } from './archive.ts'
import { checked } from './checked.ts'

/** Names are decoded and judged by us, one by one: a bad one must not end the whole archive. Sizes are counted by us. */
const options: Options = {
  lazyEntries: true,
  autoClose: false,
  decodeStrings: false,
  validateEntrySizes: false,
}

const LOCAL_HEADER_BYTES = 30
const [STORED, DEFLATED] = [0, 8]
const UNIX = 3
const SLASH = 0x2f
const fileTypes = { mask: 0o170000, folder: 0o040000, file: 0o100000, link: 0o120000 }

/** A zip, read by its central directory alone. */
export async function openZip(path: string): Promise<Archive> {
  const zip = await openAhead(path, options)
  const entries: Entry[] = []
  return {
    async *list() {
      entries.length = 0
      let directoryBytes = 0
      for await (const entry of entriesOf(zip)) {
        entries.push(entry)
        directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
        if (directoryBytes > limits.directoryBytes) throw new Error('its table of contents is too long')
        // One more than allowed is enough to refuse.
        if (entries.length > limits.listed) break
      }
      const overlaps = overlapping(entries.map(spanOf))
      for (const [index, entry] of entries.entries()) {
        const one = found(entry, index)
        yield overlaps.has(index) ? { ...one, problem: 'overlaps' } : one
      }
    },
    async *read(wanted): AsyncIterable<OpenedEntry> {
      const openEntry = promisify<Entry, Readable>(zip.openReadStream.bind(zip))
      for (const index of wanted) {
        const entry = entries[index]
        if (!entry) continue
        const { uncompressedSize: sizeBytes, crc32: sum } = entry
        yield { index, open: async () => checked(await openEntry(entry), { sizeBytes, crc32: sum }, crc32) }
      }
    },
    close: async () => zip.close(),
  }
}

type Span = { offset: number; packedBytes: number; nameBytes: number }

/** Indexes of the entries whose bytes lie inside another one's: what was counted once would come out twice. */
function overlapping(entries: readonly Span[]): Set<number> {
  const spans = entries
    .map(({ offset, packedBytes, nameBytes }, index) => ({
      index,
      start: offset,
      end: offset + LOCAL_HEADER_BYTES + nameBytes + packedBytes,
    }))
    .sort((a, b) => a.start - b.start || a.index - b.index)
  const found = new Set<number>()
  let end = 0
  for (const span of spans) {
    if (span.start < end) found.add(span.index)
    end = Math.max(end, span.end)
  }
  return found
}

const spanOf = ({ relativeOffsetOfLocalHeader, compressedSize, fileNameLength }: Entry): Span => ({
  offset: relativeOffsetOfLocalHeader,
  packedBytes: compressedSize,
  nameBytes: fileNameLength,
})

async function* entriesOf(zip: ZipFile): AsyncIterable<Entry> {
  for (let left = zip.entryCount; left > 0; left -= 1) {
    yield await new Promise<Entry>((resolve, reject) => {
      const settle = (): void => {
        zip.off('entry', come)
        zip.off('error', fall)
      }
      const come = (entry: Entry): void => {
        settle()
        resolve(entry)
      }
      const fall = (error: Error): void => {
        settle()
        reject(error)
      }
      zip.once('entry', come)
      zip.once('error', fall)
      zip.readEntry()
    })
  }
}

function found(entry: Entry, index: number): FoundEntry {
  return {
    index,
    name: nameOf(entry),
    kind: kindOf(entry),
    sizeBytes: entry.uncompressedSize,
    problem: problemOf(entry),
    modifiedAt: entry.getLastModDate(),
    ...(isOfUnix(entry) ? { unixMode: entry.externalFileAttributes >>> 16 } : {}),
    packedBytes: entry.compressedSize,
  }
}

const isOfUnix = ({ versionMadeBy }: Entry): boolean => versionMadeBy >> 8 === UNIX

function kindOf({ versionMadeBy, externalFileAttributes, fileNameRaw }: Entry): FoundEntry['kind'] {
  const type = versionMadeBy >> 8 === UNIX ? (externalFileAttributes >>> 16) & fileTypes.mask : 0
  if (type === fileTypes.link) return 'link'
  if (type !== 0 && type !== fileTypes.file && type !== fileTypes.folder) return 'special'
  // The same byte in every alphabet.
  return fileNameRaw.at(-1) === SLASH || type === fileTypes.folder ? 'folder' : 'file'
}

function problemOf(entry: Entry): FoundEntry['problem'] {
  if (entry.isEncrypted()) return 'encrypted'
  const { compressionMethod, compressedSize, uncompressedSize } = entry
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) return 'method'
  return compressionMethod === STORED && compressedSize !== uncompressedSize ? 'damaged' : null
}

/** Unicode where it was declared; else bytes, of which all together tell what they mean. */
function nameOf({ fileNameRaw, extraFields, generalPurposeBitFlag }: Entry): StoredName {
  for (const { id, data } of extraFields) {
    // Info-ZIP's Unicode path, which belongs to exactly these bytes.
    if (id === 0x7075 && data.length > 5 && data[0] === 1 && data.readUInt32LE(1) === crc32(fileNameRaw))
      return unicode(data.subarray(5)) ?? '\0'
  }
  const isUnicode = (generalPurposeBitFlag & UNICODE_FLAG) !== 0
  // Some programs set the flag and write what they always wrote.
  return (isUnicode ? unicode(fileNameRaw) : null) ?? fileNameRaw
}

const UNICODE_FLAG = 0x800

const unicode = (bytes: Buffer): string | null => (isUtf8(bytes) ? bytes.toString('utf8') : null)

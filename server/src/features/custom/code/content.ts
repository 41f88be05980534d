/** What the files of an archive are, by their bytes: read in the worker, and never executed or unpacked to a disk. */
import type { Readable } from 'node:stream'
import type { CodeFinding } from '@neuroloom/contract/custom/code'
import type { CodeEntry } from '@neuroloom/contract/custom/code-calls'
import { pythonHints } from '@neuroloom/contract/custom/python-hints'
import { code as limits } from '@neuroloom/contract/limits'
import { withEntries } from './archive.ts'
import { hasDanger } from './intake.ts'

/** The same entries, each with what its content adds. Those that are dangerous already are not opened. */
export async function inspectContent(path: string, entries: readonly CodeEntry[]): Promise<CodeEntry[]> {
  const inspected = [...entries]
  const wanted = new Set(
    entries.flatMap((entry, index) => (entry.isFolder || hasDanger(entry) ? [] : [index])),
  )
  await withEntries(path, async (archive) => {
    for await (const { index, open } of archive.read(wanted)) {
      const entry = entries[index]
      if (entry) inspected[index] = await inspectEntry(entry, open)
    }
  })
  return inspected
}

async function inspectEntry(entry: CodeEntry, open: () => Promise<Readable>): Promise<CodeEntry> {
  try {
    const head = await readHead(await open(), limits.shownBytes)
    const found: CodeFinding[] = []
    const { isArchive, isText } = kindOf(entry.path, head)
    if (isArchive) found.push('nested_archive')
    if (!isText) found.push('binary')
    const lines = isText && entry.path.toLowerCase().endsWith('.py') ? pythonHints(head.toString('utf8')) : []
    found.push(...new Set(lines.map(({ finding }) => finding)))
    return { ...entry, findings: [...entry.findings, ...found], lines }
  } catch {
    return { ...entry, findings: [...entry.findings, 'damaged'] }
  }
}

/** All of it is read, so that its length and checksum are compared; the beginning is kept. */
export async function readHead(source: Readable, mostBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of source) {
    // A stream of bytes without an encoding gives buffers.
    const buffer = piece as Buffer
    if (bytes < mostBytes) pieces.push(buffer.subarray(0, mostBytes - bytes))
    bytes += buffer.length
  }
  return Buffer.concat(pieces)
}

const ARCHIVE_NAMES = /\.(zip|jar|whl|egg|tar|tgz|gz|bz2|xz|7z|rar|zst)$/i
/** At their beginnings: zip, gzip, bzip2, xz, 7-Zip, RAR, zstd. */
const ARCHIVE_MARKS = [
  '504b0304',
  '504b0506',
  '1f8b',
  '425a68',
  'fd377a585a',
  '377abcaf',
  '52617221',
  '28b52ffd',
]

export function kindOf(path: string, head: Buffer): { isArchive: boolean; isText: boolean } {
  const mark = head.subarray(0, 8).toString('hex')
  const isArchive = ARCHIVE_NAMES.test(path) || ARCHIVE_MARKS.some((start) => mark.startsWith(start))
  return { isArchive, isText: isText(head) }
}

/** UTF-8 without control characters; a character cut in two at the end of a long file counts as text. */
function isText(head: Buffer): boolean {
  const text = head.toString('utf8')
  const end = head.length >= limits.shownBytes ? text.replace(/\uFFFD{1,3}$/, '') : text
  return !/(?![\t\n\v\f\r])\p{Cc}|\uFFFD/u.test(end)
}

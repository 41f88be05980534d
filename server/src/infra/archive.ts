/** Writes a ZIP file while it is being read: one file at a time, nothing kept but the names. Knows no features. */
import { PassThrough, pipeline, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Context } from './context.ts'

export type ArchivedFile = {
  /** With slashes; made of names that every system can store, see `fileName`. */
  path: string
  modifiedAt?: Date
  /** Text gets smaller; pictures and weights do not, and only cost time. */
  isText: boolean
  read(): Readable
}

/** One in which nothing lies; all others come with their files. */
export type ArchivedFolder = { path: string; modifiedAt?: Date; isFolder: true }

/** What a feature adds to a member's archive. */
export type ExportOf = (ctx: Context, userId: string) => AsyncIterable<ArchivedFile>

/** Ends in an error, never as a smaller whole, where a file cannot be read; stops reading when nobody takes it. */
export function archiveOf(files: AsyncIterable<ArchivedFile | ArchivedFolder>): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  const left = new AbortController()
  output.once('close', () => left.abort())
  zip.on('error', (error: Error) => output.destroy(error))
  // An error is the output's own by then.
  pipeline(zip.outputStream, output, () => undefined)
  fill(zip, files, left.signal).catch((error: Error) => output.destroy(error))
  return output
}

async function fill(
  zip: ZipFile,
  files: AsyncIterable<ArchivedFile | ArchivedFolder>,
  signal: AbortSignal,
): Promise<void> {
  for await (const file of files) {
    signal.throwIfAborted()
    if ('isFolder' in file) zip.addEmptyDirectory(file.path, timeOf(file))
    else await addFile(zip, file, signal)
  }
  zip.end()
}

async function addFile(zip: ZipFile, file: ArchivedFile, signal: AbortSignal): Promise<void> {
  const bytes = file.read()
  try {
    zip.addReadStreamLazy(file.path, { compress: file.isText, ...timeOf(file) }, givenOnce(bytes))
    await finished(bytes, { signal })
  } finally {
    bytes.destroy()
  }
}

const timeOf = ({ modifiedAt }: { modifiedAt?: Date }): { mtime?: Date } =>
  modifiedAt ? { mtime: modifiedAt } : {}

/** The archive remembers each entry to its end; the stream, with its buffers, is not to be remembered with it. */
function givenOnce(bytes: Readable): (give: (error: unknown, bytes: Readable) => void) => void {
  let kept: Readable | null = bytes
  return (give) => {
    if (kept) give(null, kept)
    kept = null
  }
}

/** A list as one JSON file, written row by row. */
export const jsonList = (path: string, rows: AsyncIterable<unknown>): ArchivedFile => ({
  path,
  isText: true,
  read: () => Readable.from(listText(rows)),
})

export const jsonFile = (path: string, content: object): ArchivedFile => ({
  path,
  isText: true,
  read: () => Readable.from([`${JSON.stringify(content, null, 2)}\n`]),
})

async function* listText(rows: AsyncIterable<unknown>): AsyncIterable<string> {
  let before = '[\n'
  for await (const row of rows) {
    yield before + JSON.stringify(row, null, 2)
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** Gives each name of one folder once, also on systems that do not tell small letters from capitals. */
export function freeNames(): (name: string) => string {
  const taken = new Set<string>()
  return (name) => {
    const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? []
    let free = name
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${stem} (${number})${ending}`
    taken.add(free.toLowerCase())
    return free
  }
}

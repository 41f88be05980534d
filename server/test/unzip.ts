/** Reads an archive back, as somebody's own computer would. */
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl'

const open = promisify<Buffer, Options, ZipFile>(fromBuffer)

export async function unzip(archive: Buffer): Promise<Map<string, { bytes: Buffer; modifiedAt: Date }>> {
  const zip = await open(archive, { lazyEntries: true, strictFileNames: true })
  const files = new Map<string, { bytes: Buffer; modifiedAt: Date }>()
  const openEntry = promisify<Entry, Readable>(zip.openReadStream.bind(zip))
  return new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(files))
    zip.on('entry', (entry: Entry) => {
      openEntry(entry)
        .then(buffer)
        .then((bytes) => {
          if (files.has(entry.fileName)) throw new Error(`Twice in the archive: ${entry.fileName}`)
          files.set(entry.fileName, { bytes, modifiedAt: entry.getLastModDate() })
          zip.readEntry()
        })
        .catch(reject)
    })
    zip.readEntry()
  })
}

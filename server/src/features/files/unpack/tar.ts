import { createReadStream } from 'node:fs'
import { pipeline, type Readable, Transform } from 'node:stream'
import { crc32, createGunzip } from 'node:zlib'
import { archives as limits } from '@neuroloom/contract/limits'
import { type Extract, extract, type Header } from 'tar-stream'
import type { Archive, FoundEntry, OpenedEntry } from './archive.ts'
import { checked } from './checked.ts'

/** What flows besides the files: headers and filling. */
const OVERHEAD = 2

/** A tar, packed or not. It has no table of contents, so each list reads it from the start. */
export function openTar(path: string, isPacked: boolean): Archive {
  const runs = new Set<Extract>()
  const start = (): Extract => {
    const entries = extract()
    runs.add(entries)
    const steps: (Readable | Transform)[] = [createReadStream(path)]
    if (isPacked) steps.push(createGunzip(), bounded(limits.bytes * OVERHEAD))
    // An error is told by whoever reads the entries.
    pipeline([...steps, entries], () => runs.delete(entries))
    return entries
  }
  return {
    async *list() {
      let index = 0
      for await (const entry of start()) {
        yield found(entry, index)
        index += 1
        entry.resume()
      }
    },
    async *read(wanted): AsyncIterable<OpenedEntry> {
      let index = -1
      let left = wanted.size
      for await (const entry of start()) {
        index += 1
        if (wanted.has(index)) {
          const sizeBytes = entry.header.size ?? 0
          yield { index, open: async () => checked(entry, { sizeBytes, crc32: null }, crc32) }
          left -= 1
        }
        if (left === 0) return
        entry.resume()
      }
    },
    async close() {
      for (const run of runs) run.destroy()
    },
  }
}

const kinds: Record<string, FoundEntry['kind']> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'folder',
  link: 'link',
  symlink: 'link',
}

function found({ header }: { header: Header }, index: number): FoundEntry {
  const kind = kinds[header.type ?? 'file'] ?? 'special'
  return {
    index,
    path: header.name,
    kind,
    sizeBytes: kind === 'file' ? (header.size ?? 0) : 0,
    problem: null,
    modifiedAt: header.mtime ?? null,
  }
}

/** Ends in an error once more has come through, whatever was said before. */
function bounded(maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length
      if (bytes > maxBytes) done(new Error(`more than ${maxBytes} bytes come out`))
      else done(null, piece)
    },
  })
}

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, type Readable, Transform } from 'node:stream'
import { crc32, createGunzip } from 'node:zlib'
import { type Extract, extract, type Header } from 'tar-stream'
import type { Archive, FoundEntry, OpenedEntry } from './archive.ts'
import { bombWatch } from './bomb.ts'
import { checked } from './checked.ts'

/** One sign a byte. The library knows the option, its types do not. */
const rawNames = { filenameEncoding: 'latin1' } as Parameters<typeof extract>[0]

/** A tar, packed or not. It has no table of contents, so each list reads it from the start. */
export function openTar(path: string, isPacked: boolean): Archive {
  const runs = new Set<Extract>()
  const start = (watch: ReturnType<typeof bombWatch>): Extract => {
    const entries = extract(rawNames)
    runs.add(entries)
    const packed = createReadStream(path)
    const steps: (Readable | Transform)[] = [packed]
    if (isPacked)
      steps.push(
        createGunzip(),
        watched(() => packed.bytesRead, watch),
      )
    // An error is told by whoever reads the entries.
    pipeline([...steps, entries], () => runs.delete(entries))
    return entries
  }
  return {
    async *list() {
      let index = 0
      const { size } = await stat(path)
      for await (const entry of start(bombWatch(size))) {
        yield found(entry, index)
        index += 1
        entry.resume()
      }
    },
    async *read(wanted): AsyncIterable<OpenedEntry> {
      let index = -1
      let left = wanted.size
      // Known to the last byte by now, from the list.
      for await (const entry of start(() => undefined)) {
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
    // Told by a newer header, it is Unicode; else bytes, each of which came as one sign.
    name: hasUnicodePath(header) ? header.name : Buffer.from(header.name, 'latin1'),
    kind,
    sizeBytes: kind === 'file' ? (header.size ?? 0) : 0,
    problem: null,
    modifiedAt: header.mtime ?? null,
  }
}

const hasUnicodePath = ({ pax }: Header): boolean => typeof pax === 'object' && pax !== null && 'path' in pax

/** Ends in an error once too much comes of too little, whatever was said before. */
function watched(readBytes: () => number, watch: ReturnType<typeof bombWatch>): Transform {
  const startedMs = performance.now()
  let outBytes = 0
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      outBytes += piece.length
      try {
        watch({ readBytes: readBytes(), outBytes, elapsedMs: performance.now() - startedMs })
        done(null, piece)
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

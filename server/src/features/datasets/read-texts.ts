/** Reads texts of a data set: with a limit, several at once, in their order. */
import { buffer } from 'node:stream/consumers'
import { datasets as limits } from '@neuroloom/contract/limits'
import type { Storage } from '../../infra/storage.ts'
import type { FileBelow } from '../files/service.ts'
import type { Folder } from './shapes.ts'

/** The way to the texts among these files. */
export function textsOf(storage: Storage, files: FileBelow[]): Folder['read'] {
  const known = new Map(files.map((file) => [file.path, file]))
  return async (path, maxBytes) => {
    const file = known.get(path)
    if (!file || file.sizeBytes > maxBytes) return null
    const bytes = await buffer(storage.read(file.sha256))
    try {
      return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
    } catch {
      return null
    }
  }
}

/** The mark that spreadsheets put before their texts; without one, UTF-8. */
function encodingOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
}

export async function* readTexts(
  folder: Folder,
  paths: readonly string[],
  maxBytes: number,
): AsyncGenerator<{ path: string; text: string | null }> {
  for (let start = 0; start < paths.length; start += limits.textsAtOnce) {
    const some = paths.slice(start, start + limits.textsAtOnce)
    const texts = await Promise.all(some.map((path) => folder.read(path, maxBytes)))
    for (const [index, path] of some.entries()) yield { path, text: texts[index] ?? null }
  }
}

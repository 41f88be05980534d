/** Reads texts of a data set: with a limit, several at once, in their order. */
import { buffer } from 'node:stream/consumers'
import { datasets as limits } from '@neuroloom/contract/limits'
import { decoderOf } from '@neuroloom/contract/names/encodings'
import { encodingOfText } from '@neuroloom/contract/names/text-encodings'
import type { Storage } from '../../../infra/storage/storage.ts'
import type { FileBelow } from '../../files/service.ts'
import type { Folder } from './shapes.ts'

/** The way to the texts among these files. */
export function textsOf(storage: Pick<Storage, 'read'>, files: FileBelow[]): Folder['read'] {
  const known = new Map(files.map((file) => [file.path, file]))
  return async (path, maxBytes) => {
    const file = known.get(path)
    if (!file || file.sizeBytes > maxBytes) return null
    const bytes = await buffer(storage.read(file.sha256))
    const encoding = encodingOfText(bytes)
    // Numbers, not letters; in UTF-16 every plain letter has a zero.
    if (!encoding.startsWith('utf-16') && bytes.includes(0)) return null
    try {
      return decoderOf(encoding, 'strict').decode(bytes)
    } catch {
      return null
    }
  }
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

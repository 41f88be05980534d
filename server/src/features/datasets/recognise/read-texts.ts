/** Reads texts of a data set: with a limit, several at once, in their order. */
import { buffer } from 'node:stream/consumers'
import { datasets as limits } from '@neuroloom/contract/limits'
import { decoderOf, type MarkedEncoding } from '@neuroloom/contract/names/encodings'
import { encodingOfText, markedEncoding } from '@neuroloom/contract/names/text-encodings'
import type { Storage } from '../../../infra/storage/storage.ts'
import type { FileBelow } from '../../files/service.ts'
import type { Folder } from './shapes.ts'

/** The way to the texts among these files; `guessed` tells of those already read which alphabet was taken unsaid. */
export function textsOf(
  storage: Pick<Storage, 'read'>,
  files: FileBelow[],
): Required<Pick<Folder, 'read' | 'guessed'>> {
  const known = new Map(files.map((file) => [file.path, file]))
  const guessed = new Map<string, MarkedEncoding>()
  const read: Folder['read'] = async (path, maxBytes) => {
    const file = known.get(path)
    if (!file || file.sizeBytes > maxBytes) return null
    const bytes = await buffer(storage.read(file.sha256))
    const wide = wideWithoutMark(bytes)
    const encoding = wide ?? encodingOfText(bytes)
    // Numbers, not letters; in UTF-16 every plain letter has a zero.
    if (!encoding.startsWith('utf-16') && bytes.includes(0)) return null
    try {
      const text = decoderOf(encoding, 'strict').decode(bytes)
      if (encoding !== 'utf-8' && markedEncoding(bytes) === null) guessed.set(path, encoding)
      return text
    } catch {
      return null
    }
  }
  return { read, guessed }
}

/** Enough to tell; a table may be long. */
const LOOKED_AT = 4096

/** UTF-16 that does not say so: zeros in every second place only, as plain letters, digits and signs make them. */
function wideWithoutMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length < 4 || bytes.length % 2 === 1 || markedEncoding(bytes) !== null) return null
  const zeros = [0, 0]
  const end = Math.min(bytes.length, LOOKED_AT)
  for (let at = 0; at < end; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const clear = end / 20
  if (even === 0 && odd > clear) return 'utf-16le'
  return odd === 0 && even > clear ? 'utf-16be' : null
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

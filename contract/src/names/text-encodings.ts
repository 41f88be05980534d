/** In which alphabet bytes without a declared one were most likely written: names in archives, texts, tables. Pure. */
import { costOf } from './encoding-costs.ts'
import {
  decoderOf,
  type MarkedEncoding,
  type OldEncoding,
  type TextEncoding,
  textEncodings,
} from './encodings.ts'

/** Enough to tell; a text may be long. */
const GUESSED_BYTES = 8192

/** All that was written together is judged together: what no name alone would tell, many do. */
export function guessEncoding(pieces: readonly Uint8Array[]): TextEncoding {
  const telling = pieces.filter((piece) => !isPlain(piece))
  const foreign = telling.filter((piece) => !isUtf8(piece))
  if (foreign.length === 0 && !isChance(telling)) return 'utf-8'
  const sample = sampleOf(foreign.length > 0 ? foreign : telling)
  let best: { encoding: OldEncoding; cost: number } = {
    encoding: 'windows-1252',
    cost: Number.POSITIVE_INFINITY,
  }
  for (const encoding of textEncodings) {
    if (encoding === 'utf-8') continue
    const cost = sample.reduce((sum, piece) => sum + costOf(piece, encoding), 0)
    if (cost < best.cost) best = { encoding, cost }
  }
  return best.encoding
}

/** What stands in the bytes; signs that the encoding does not know become �. */
export const decodeText = (bytes: Uint8Array, encoding: MarkedEncoding): string =>
  decoderOf(encoding, 'lenient').decode(bytes)

/** By its mark, else UTF-8 where it is that, else a guess of its lines that tell. A text may be cut in a character. */
export function encodingOfText(bytes: Uint8Array): MarkedEncoding {
  const marked = markedEncoding(bytes)
  if (marked) return marked
  const isUnicode = [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(bytes.length - cut, 0))))
  return isUnicode ? 'utf-8' : guessEncoding([...linesOf(bytes)])
}

function* linesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(10, start)
    const end = found < 0 ? bytes.length : found
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

/** As a mark at the beginning says it. */
export function markedEncoding(bytes: Uint8Array): Exclude<MarkedEncoding, OldEncoding> | null {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null
}

/** ASCII, which all of them have in common. */
export const isPlain = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80)

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoderOf('utf-8', 'strict').decode(bytes)
    return true
  } catch {
    return false
  }
}

/** One or two characters may be Unicode by chance: then they are of alphabets that nobody here writes. */
function isChance(pieces: readonly Uint8Array[]): boolean {
  const signs = pieces.flatMap((piece) => [...decodeText(piece, 'utf-8')]).filter((sign) => sign >= '\u0080')
  return (
    signs.length > 0 &&
    signs.length <= 2 &&
    signs.every((sign) => /[\u0250-\u02ff\u0370-\u0385\u03cf-\u03ff\u0530-\u07ff]/.test(sign))
  )
}

function sampleOf(pieces: readonly Uint8Array[]): Uint8Array[] {
  const sample: Uint8Array[] = []
  let left = GUESSED_BYTES
  for (const piece of pieces) {
    if (left <= 0) break
    sample.push(piece.subarray(0, left))
    left -= piece.length
  }
  return sample
}

/** Names as archives store them, and what they mean: Unicode where that is said or is, else in an old encoding. Pure. */
import { decoderOf, type TextEncoding, textEncodings } from './encodings.ts'
import { decodeText, guessEncoding, isPlain, isUtf8 } from './text-encodings.ts'

/** Text where the archive says that it is Unicode; else bytes of an alphabet that nobody names. */
export type StoredName = string | Uint8Array

/** One or two signs of two bytes may be Unicode by chance. */
const TELLING_SIGNS = 3

/** `encoding`: what a person chose, or null = the likeliest of all names together. */
export function nameReader(
  names: readonly StoredName[],
  encoding: TextEncoding | null,
): { encoding: TextEncoding; read: (name: StoredName) => string } {
  const old = oldNames(names)
  const chosen = encoding ?? guessEncoding(old)
  const isMixed = encoding === null && old.some((name) => !isUtf8(name))
  const isUnicode = (name: Uint8Array): boolean =>
    isMixed && isUtf8(name) && isTelling(decodeText(name, 'utf-8'))
  const read = (name: StoredName): string => {
    if (typeof name === 'string') return name
    return decodeText(name, isPlain(name) || isUnicode(name) ? 'utf-8' : chosen)
  }
  return { encoding: chosen, read }
}

const oldNames = (names: readonly StoredName[]): Uint8Array[] =>
  names.flatMap((name) => (typeof name === 'string' || isPlain(name) ? [] : [name]))

function isTelling(name: string): boolean {
  const signs = [...name].filter((sign) => sign >= '\u0080')
  return signs.length >= TELLING_SIGNS || signs.some((sign) => sign >= '\u0800' || /\p{M}/u.test(sign))
}

/** Whether the names may be read in more ways than one: then a person is asked. */
export const isUncertain = (names: readonly StoredName[]): boolean =>
  nameReader(names, null).encoding !== 'utf-8'

export type NameSamples = {
  guess: TextEncoding
  /** The same names in each encoding that can be meant; the guess first. */
  readings: { encoding: TextEncoding; names: string[] }[]
}

/** For people to choose from; null where there is nothing to choose. */
export function nameSamples(names: readonly StoredName[]): NameSamples | null {
  if (!isUncertain(names)) return null
  const guess = nameReader(names, null).encoding
  const shown = oldNames(names).slice(0, SHOWN)
  const others = textEncodings.filter((encoding) => encoding !== guess && knows(encoding, shown))
  const readings = [guess, ...others].map((encoding) => ({
    encoding,
    names: shown.map((name) =>
      decodeText(name, encoding)
        .replace(/\p{Cc}/gu, '\uFFFD')
        .slice(0, LENGTH),
    ),
  }))
  return { guess, readings }
}

const SHOWN = 6
const LENGTH = 120

const knows = (encoding: TextEncoding, names: readonly Uint8Array[]): boolean =>
  names.every((name) => {
    try {
      decoderOf(encoding, 'strict').decode(name)
      return true
    } catch {
      return false
    }
  })

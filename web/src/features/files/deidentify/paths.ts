/** Names of files and folders that name the patient get the patient's new number in place of it. */
import type { Identifiers } from './uids.ts'

/** What a patient is called and numbered: whole values as read, `^` and `=` still in them. */
export function nameWords(values: readonly string[]): string[] {
  const words = new Set<string>()
  for (const value of values) {
    for (const group of value.split(/[=\\]/)) {
      const pieces = group.split(/[\^\s,.;_-]+/).filter((piece) => piece !== '')
      // Chinese, Japanese and Korean names are written in one.
      if (pieces.every((piece) => wide.test(piece))) pieces.push(pieces.join(''))
      for (const piece of [...pieces, group.trim()]) if (isTelling(piece)) words.add(fold(piece))
    }
  }
  return [...words]
}

export type Named = { words: readonly string[]; patient: string | null }

/**
 * A name becomes the beginning of the patient's new number; a word that several patients share gets one of its own. The
 * same files get the same names each time.
 */
export function renamer(named: readonly Named[], identifiers: Identifiers): (path: string) => string {
  const numbers = numbersOf(named, identifiers)
  // Longer ones first, so that a whole name is not cut up.
  const words = [...numbers.keys()].sort((a, b) => b.length - a.length)
  if (words.length === 0) return (path) => path
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  const wideWords = words.filter((word) => wide.test(word))
  return (path) => {
    const plain = path.normalize('NFC')
    let renamed = plain.replace(pattern, (word) => numbers.get(fold(word)) ?? word)
    for (const word of wideWords) renamed = renamed.replaceAll(word, numbers.get(word) ?? word)
    return renamed === plain ? path : renamed.replace(repeated, '$1')
  }
}

/** Surname and first name beside each other are one patient. */
const repeated = /(ANON-[0-9A-F]{6})(?:[\s_.,^-]*\1)+/g

function numbersOf(named: readonly Named[], identifiers: Identifiers): Map<string, string> {
  const patients = new Map<string, Set<string>>()
  for (const { words, patient } of named) {
    for (const word of words) {
      const known = patients.get(word) ?? new Set()
      patients.set(word, known.add(patient ?? identifiers.patient(word)))
    }
  }
  return new Map(
    [...patients].map(([word, [first, second]]) => [
      word,
      short(first && !second ? first : identifiers.patient(word)),
    ]),
  )
}

const short = (patient: string) => patient.slice(0, 'ANON-'.length + 6)

const fold = (text: string) => text.normalize('NFC').toLowerCase()
const wide = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

const tooGeneral =
  /^(anon.*|unknown|none|null|phantom|test|patient|name|first|last|male|female|image|scan|study|series)$/

/** Numbers of fewer than five figures are more often counters than people. */
function isTelling(word: string): boolean {
  if (tooGeneral.test(fold(word))) return false
  if (/^\d+$/.test(word)) return word.length >= 5
  return wide.test(word) ? word.length >= 2 : word.length >= 3
}

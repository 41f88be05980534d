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
  // Longer ones first, so that a whole name is not cut up.
  return [...words].sort((a, b) => b.length - a.length)
}

/** The same word becomes the same number in every path of every upload of the member. */
export function renamer(words: readonly string[], identifiers: Identifiers): (path: string) => string {
  if (words.length === 0) return (path) => path
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  const wideWords = words.filter((word) => wide.test(word))
  return (path) => {
    let renamed = path.normalize('NFC').replace(pattern, (word) => short(identifiers, word))
    for (const word of wideWords) renamed = renamed.replaceAll(word, short(identifiers, word))
    return renamed === path.normalize('NFC') ? path : renamed
  }
}

const short = (identifiers: Identifiers, word: string) =>
  identifiers.patient(fold(word)).slice(0, 'ANON-'.length + 6)

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

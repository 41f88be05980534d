/** Finds layers by what people type: whole words, beginnings, parts, letters left out, small slips; any language. Pure. */

export interface Findable {
  /** Titles and synonyms in all languages. */
  words: readonly string[]
}

/** Best first; all of them, in their own order, when nothing is typed. */
export function search<T extends Findable>(entries: readonly T[], query: string): T[] {
  const parts = tokensOf(query)
  if (parts.length === 0) return [...entries]
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, parts) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

/** Every part of the query has to be found; the worst part decides. */
function scoreOf({ words }: Findable, parts: readonly string[]): number {
  const texts = words.map(plain)
  return Math.min(...parts.map((part) => Math.max(0, ...texts.map((text) => match(text, part)))))
}

const points = { same: 100, start: 80, word: 70, part: 50, slip: 40, letters: 15 } as const

function match(text: string, part: string): number {
  // The nearer in length, the better: "conv" means Convolution before Convolution + norm + ReLU.
  const nearness = (10 * part.length) / Math.max(text.length, part.length)
  if (text === part) return points.same
  if (text.startsWith(part)) return points.start + nearness
  const words = text.split(' ')
  if (words.some((word) => word.startsWith(part))) return points.word + nearness
  if (text.includes(part)) return points.part + nearness
  if (words.some((word) => isSlip(word, part))) return points.slip
  return part.length >= 3 && hasLetters(text, part) ? points.letters + nearness : 0
}

/** One wrong letter from four on, two from seven on; also while the word is not yet typed to its end. */
function isSlip(word: string, part: string): boolean {
  const most = part.length >= 7 ? 2 : Number(part.length >= 4)
  if (most === 0 || word[0] !== part[0]) return false
  return [word, ...[-1, 0, 1].map((more) => word.slice(0, part.length + more))].some(
    (beginning) => distance(beginning, part, most) <= most,
  )
}

/** Letters changed, added, left out or swapped with their neighbour. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, k) => k)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let k = 1; k <= b.length; k++) {
      const change = (row[k - 1] ?? 0) + Number(a[i - 1] !== b[k - 1])
      const swapped = a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1]
      const swap = i > 1 && k > 1 && swapped ? (before[k - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next[k] = Math.min((row[k] ?? 0) + 1, (next[k - 1] ?? 0) + 1, change, swap)
    }
    ;[before, row] = [row, next]
  }
  return row[b.length] ?? 0
}

/** `mxpl` in "max pooling": the letters in order, the first one where a word begins. */
function hasLetters(text: string, part: string): boolean {
  let at = text.split(' ').some((word) => word[0] === part[0]) ? -1 : text.length
  for (const letter of part) {
    at = text.indexOf(letter, at + 1)
    if (at < 0) return false
  }
  return true
}

function tokensOf(query: string): string[] {
  return plain(query).split(' ').filter(Boolean)
}

/** Without case, accents and signs; `ё` is often typed as `е`. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .normalize('NFKD')
    .replace(/(?<=[a-z])\p{M}/gu, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Reads what a part of a name says, for all names that are made like an example. Pure; opens no file. */
import { NAME } from './name-shape.ts'

export type NamePart = {
  text: string
  /** In the whole path. */
  from: number
  to: number
  kind: 'letters' | 'digits' | 'between'
}

/** What a person can point at in a path: runs of letters, runs of digits, and what stands between; the ending is one. */
export function partsOfName(path: string): NamePart[] {
  const end = path.length - endingOf(path).length
  const parts: NamePart[] = []
  for (const { 0: text, index } of path.slice(0, end).matchAll(NAME.part)) {
    parts.push({ text, from: index, to: index + text.length, kind: kindOf(text) })
  }
  if (end < path.length) {
    parts.push({ text: path.slice(end), from: end, to: path.length, kind: 'between' })
  }
  return parts
}

/** A part of the path `example`: the characters `from` to before `to`. */
export type Marked = { example: string; from: number; to: number }

/**
 * Reads the marked part of other paths, in small letters; null where a path has nothing like it. Letters beside digits
 * are taken as they stand (`person1072`: any `person` with a number), a part without them is whatever stands in its place.
 */
export function markedReader(marked: Marked): (path: string) => string | null {
  const place = placeOf(marked)
  if (place.isWhole) {
    return (path) => clean(segmentsOf(path).at(-1 - place.height) ?? '')
  }
  const { source, isNamed } = sourceOf(place)
  const pattern = new RegExp(source, 'iu')
  const read = (segment: string | undefined): string | null =>
    segment === undefined ? null : clean(pattern.exec(segment)?.[1] ?? '')
  return (path) => {
    const segments = segmentsOf(path)
    const found = read(segments.at(-1 - place.height))
    if (found !== null || !isNamed) return found
    // What carries its own word may lie at another depth.
    return segments.reduceRight((known: string | null, segment) => known ?? read(segment), null)
  }
}

/** How the marked part is written, with … for what differs: `person…`, or `CNV-…-1` where only its place tells it. */
export function markedPattern(marked: Marked): string {
  const { segment, start, end, isWhole, height } = placeOf(marked)
  const chosen = segment.slice(start, end)
  if (isWhole) return `…/${marked.example.split('/').slice(-height).join('/')}`
  const written = chosen.replace(/\d+/g, '…')
  const isTelling = /\p{L}/u.test(written) && written !== chosen
  return isTelling ? written : `${segment.slice(0, start)}…${segment.slice(end)}`
}

type Place = {
  segment: string
  start: number
  end: number
  /** Folders between it and the file: 0 = the file itself. */
  height: number
  /** A folder as a whole, whatever it is called: not one of a word and a number. */
  isWhole: boolean
}

function placeOf({ example, from, to }: Marked): Place {
  const before = example.slice(0, from).split('/')
  const height = example.split('/').length - before.length
  const segment = segmentsOf(example).at(-1 - height) ?? ''
  const start = Math.min(before.at(-1)?.length ?? 0, segment.length)
  const end = Math.min(start + (to - from), segment.length)
  const isNumbered = /^[\p{L}\p{M}]+[-_ ]?\d+$/u.test(segment)
  const isWhole = height > 0 && start === 0 && end === segment.length && !isNumbered
  return { segment, start, end, height, isWhole }
}

/** Of a path, with the file's ending taken off. */
const segmentsOf = (path: string): string[] => path.slice(0, path.length - endingOf(path).length).split('/')

const endingOf = (path: string): string => NAME.ending.exec(path)?.[0] ?? ''

function sourceOf({ segment, start, end }: Place): { source: string; isNamed: boolean } {
  const chosen = segment.slice(start, end)
  const hasDigits = /\d/.test(chosen)
  const word = /[\p{L}\p{M}]+$/u.exec(segment.slice(0, start))?.[0] ?? ''
  const beginsInWord = word !== '' && /^\d/.test(chosen)
  const isNamed = hasDigits && (/^[\p{L}\p{M}]/u.test(chosen) || beginsInWord)
  const glued = beginsInWord ? escaped(word) : ''
  const before = isNamed ? `(?:^|[^\\p{L}\\p{M}])${glued}` : `^${shapeOf(segment.slice(0, start))}`
  const inside = hasDigits ? namedShape(chosen) : shapeOf(chosen)
  const last = /\d$/.test(chosen) ? '(?!\\d)' : '(?![\\p{L}\\p{M}])'
  return { source: `${before}(${inside})${last}`, isNamed }
}

/** Any name that is made in the same way. */
const shapeOf = (text: string): string =>
  [...text.matchAll(NAME.part)].map(({ 0: part }) => shapes[kindOf(part)]).join('')

const shapes = { letters: '[\\p{L}\\p{M}]+', digits: '\\d+', between: '[^\\p{L}\\p{M}\\d]+' }

/** Words of letters alone as they stand, and the letters that a number begins with; in long codes the rest may vary. */
function namedShape(chosen: string): string {
  const words = [...chosen.matchAll(NAME.word)].map(({ 0: text }) => text)
  const isCode = words.length > 3
  return words
    .map((text, index) => {
      if (!/[\p{L}\d]/u.test(text)) return '[^\\p{L}\\p{M}\\d]*'
      if (/^\d+$/.test(text) && !isCode) return '\\d+'
      if (/^[\p{L}\p{M}]+$/u.test(text)) return escaped(text)
      const letters = /^([\p{L}\p{M}]+)\d+$/u.exec(text)?.[1]
      return letters !== undefined && index === 0 ? `${escaped(letters)}\\d+` : '[\\p{L}\\p{M}\\d]+'
    })
    .join('')
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

function kindOf(text: string): NamePart['kind'] {
  if (/^\d/.test(text)) return 'digits'
  return /^[\p{L}\p{M}]/u.test(text) ? 'letters' : 'between'
}

/** Systems write the same letters in different ways, and Windows does not tell large ones from small ones. */
function clean(text: string): string | null {
  const written = text.normalize('NFC').trim().toLowerCase()
  return written === '' ? null : written
}

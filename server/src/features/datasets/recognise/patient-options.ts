/** Which parts of names could tell the patient, for members to choose from where the product says nothing or errs. */
import { datasets as limits } from '@neuroloom/contract/limits'
import { type Marked, markedReader, partsOfName } from '@neuroloom/contract/reading/name-parts'
import { NAME } from '@neuroloom/contract/reading/name-shape'
import { segmentsOf } from './patient-schemes.ts'

export type NameOption = { marked: Marked; patients: (string | null)[] }

/** What tells fewer groups than this share of all items is a class, a day or a device. */
const LEAST_SHARE = 1 / 50
const MOST = 4

/** Parts that repeat over several names: those that tell most names first. `apart`: folders of classes. */
export function nameOptions(names: readonly string[], apart: ReadonlySet<string>): NameOption[] {
  const example = commonest(names)
  if (example === null) return []
  const seen = new Set<string>()
  const options = candidatesIn(example, apart).flatMap((marked): (NameOption & Counted)[] => {
    const read = markedReader(marked)
    const patients = names.map(read)
    const counted = countedOf(patients)
    const signature = signatureOf(patients)
    if (!counted.isUseful || seen.has(signature)) return []
    seen.add(signature)
    return [{ marked, patients, ...counted }]
  })
  return options
    .sort((one, other) => other.items - one.items || other.persons - one.persons)
    .slice(0, MOST)
    .map(({ marked, patients }) => ({ marked, patients }))
}

/** Equal for rules that put the same items together. */
export function signatureOf(patients: readonly (string | null)[]): string {
  const numbers = new Map<string, number>()
  return patients
    .map((patient) => {
      if (patient === null) return ''
      const number = numbers.get(patient) ?? numbers.size
      numbers.set(patient, number)
      return number
    })
    .join()
}

type Counted = { items: number; persons: number; isUseful: boolean }

/** Whether it puts some items together, and not nearly all. */
export function countedOf(patients: readonly (string | null)[]): Counted {
  const files = new Map<string, number>()
  for (const patient of patients) if (patient !== null) files.set(patient, (files.get(patient) ?? 0) + 1)
  const items = [...files.values()].reduce((sum, count) => sum + count, 0)
  const several = [...files.values()].filter((count) => count > 1).length
  const isUseful = files.size >= limits.minPatients && several >= 2 && files.size >= items * LEAST_SHARE
  return { items, persons: files.size, isUseful }
}

/** A name of the make that most names have. */
function commonest(names: readonly string[]): string | null {
  const makes = new Map<string, { count: number; first: string }>()
  for (const name of names) {
    const make = partsOfName(name)
      .map(({ kind, text }) => (kind === 'between' ? text : kind))
      .join('')
    const known = makes.get(make)
    if (known) known.count += 1
    else makes.set(make, { count: 1, first: name })
  }
  const [most] = [...makes.values()].sort((one, other) => other.count - one.count)
  return most?.first ?? null
}

/** Whole folders, then letters with their number, then each run by itself. */
function candidatesIn(example: string, apart: ReadonlySet<string>): Marked[] {
  const segments = segmentsOf(example)
  const file = segments.at(-1)
  const folders = segments.slice(0, -1).filter(({ text }) => !apart.has(text))
  const isApart = (at: number): boolean =>
    segments.some((one) => apart.has(one.text) && at >= one.at && at < one.at + one.text.length)
  const random = [...example.matchAll(NAME.word)].filter(({ 0: word }) => isRandom(word))
  const isInRandom = (at: number): boolean =>
    random.some(({ 0: word, index }) => at >= index && at < index + word.length)
  const parts = partsOfName(example).filter(
    ({ kind, from }) => kind !== 'between' && !isApart(from) && !isInRandom(from),
  )
  const words = parts.flatMap((part, index): Marked[] => {
    const next = parts[index + 1]
    const isWord = part.kind === 'letters' && next?.kind === 'digits' && next.from <= part.to + 1
    const hasSlash = isWord && example.slice(part.to, next.from).includes('/')
    return isWord && !hasSlash ? [{ example, from: part.from, to: next.to }] : []
  })
  return [
    ...folders.map(({ text, at }) => ({ example, from: at, to: at + text.length })),
    ...words,
    ...parts.filter(({ from }) => from >= (file?.at ?? 0)).map(({ from, to }) => ({ example, from, to })),
  ]
}

/** Letters and digits that take turns, as in `8b77284d6f37`: no part of them means anything. */
const isRandom = (word: string): boolean => [...word.matchAll(NAME.part)].length > 4

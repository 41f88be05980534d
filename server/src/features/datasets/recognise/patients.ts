/** Reads from names which files come from one patient or series: file by file, the rest stand alone. */
import { datasets as limits } from '@neuroloom/contract/limits'
import { markedPattern } from '@neuroloom/contract/reading/name-parts'
import type { PatientRule } from '@neuroloom/contract/reading/patient-rule'
import { eyesOf } from './eyes.ts'
import { folderOf } from './folder-names.ts'
import { foldersOf } from './patient-folders.ts'
import { codeOf, type Span, surePatient } from './patient-schemes.ts'

export type ToldByNames = {
  patients: (string | null)[]
  /** What most of them were told by, and how all of those names are written. */
  rule: PatientRule
  pattern: string
  /** Persons whose left and right pictures were joined. */
  pairs: number
  /** So many patients are all that there is: too few to be split, and so left out of account. */
  tooFew: number
}

/** Patterns that are named; further ones are rare. */
const NAMED = 3

/** `classes`: what folders may be called that are classes, not persons. */
export function patientsInNames(names: readonly string[], classes: readonly string[] = []): ToldByNames {
  const root = commonFolder(names)
  const apart = new Set(classes)
  const below = names.map((name) => name.slice(root.length))
  const found = clearLetters(below.map((name) => surePatient(name, apart)))
  const open = (): number[] => [...found.keys()].filter((index) => found[index] === null)
  const fill = (tell: (some: string[]) => (Span | null)[]): void => {
    const rest = open()
    const told = tell(rest.map((index) => below[index] ?? ''))
    for (const [place, index] of rest.entries()) found[index] = told[place] ?? null
  }
  let pairs = 0
  fill((some) => {
    const eyes = eyesOf(some)
    pairs = eyes.pairs
    return eyes.spans
  })
  fill(codesOf)
  fill((some) => foldersOf(some, apart))
  const spans = found.map((span) => span && movedBy(span, root))
  const keys = new Set(spans.flatMap((span) => span?.key ?? []))
  const alone = spans.filter((span) => span === null).length
  const isFew = keys.size > 0 && keys.size + alone < limits.minPatients && names.length >= limits.minPatients
  return {
    patients: spans.map((span) => (isFew ? null : (span?.key ?? null))),
    ...(isFew ? nothing : ruleOf(spans)),
    pairs: isFew ? 0 : pairs,
    tooFew: isFew ? keys.size : 0,
  }
}

const nothing = { rule: { by: 'none' }, pattern: '' } as const

/** A single `p_16` may be anything: a mere P with a number tells patients where it tells several. */
function clearLetters(spans: readonly (Span | null)[]): (Span | null)[] {
  const isLetter = (span: Span | null): span is Span => span !== null && /^p\d+$/.test(span.key)
  const keys = new Set(spans.filter(isLetter).map(({ key }) => key))
  return keys.size < limits.minPatients ? spans.map((span) => (isLetter(span) ? null : span)) : [...spans]
}

/** Those of codes whose family repeats: three patients or more with several files each, and most files in such. */
function codesOf(names: readonly string[]): (Span | null)[] {
  const codes = names.map(codeOf)
  const families = new Map<string, Map<string, number>>()
  for (const code of codes) {
    if (!code) continue
    const family = families.get(code.family) ?? new Map<string, number>()
    families.set(code.family, family.set(code.key, (family.get(code.key) ?? 0) + 1))
  }
  const clear = new Set(
    [...families].flatMap(([name, files]) => {
      const counts = [...files.values()]
      const several = counts.filter((count) => count > 1)
      const all = counts.reduce((sum, count) => sum + count, 0)
      const inSeveral = several.reduce((sum, count) => sum + count, 0)
      return several.length >= limits.minPatients && inSeveral * 2 >= all ? [name] : []
    }),
  )
  return codes.map((code) => (code && clear.has(code.family) ? code : null))
}

/** By far the most names of a set are written in one way, and the rest in one or two. */
function ruleOf(spans: readonly (Span | null)[]): Pick<ToldByNames, 'rule' | 'pattern'> {
  const patterns = new Map<string, { count: number; first: Span }>()
  for (const span of spans) {
    if (span === null) continue
    const pattern = markedPattern(span)
    const known = patterns.get(pattern)
    if (known) known.count += 1
    else patterns.set(pattern, { count: 1, first: span })
  }
  const sorted = [...patterns].sort(([, one], [, other]) => other.count - one.count)
  const first = sorted[0]?.[1].first
  if (!first) return nothing
  const { example, from, to } = first
  // Where only its place tells the part, every name has a pattern of its own: one example says it.
  const named = sorted.filter(([, { count }], index) => index === 0 || count > 1).slice(0, NAMED)
  return { rule: { by: 'name', example, from, to }, pattern: named.map(([text]) => text).join(', ') }
}

const movedBy = (span: Span, root: string): Span => ({
  ...span,
  example: root + span.example,
  from: span.from + root.length,
  to: span.to + root.length,
})

/** The folder that all lie in, with its slash: it says nothing of single files. */
function commonFolder(names: readonly string[]): string {
  const [first = '', ...others] = names.map(folderOf)
  let shared = first === '' ? [] : first.split('/')
  for (const other of others) {
    const parts = other.split('/')
    const end = shared.findIndex((part, depth) => part !== parts[depth])
    if (end >= 0) shared = shared.slice(0, end)
  }
  return shared.map((part) => `${part}/`).join('')
}

/** Zod helpers for documents: maps with names chosen by users, choices by shape, and our own codes for what is wrong. */
import * as z from 'zod'
import { type DocumentCode, documentCodes, type ProblemData } from './problems.ts'

/** Letters of any script, small ones where a script has two kinds: what Python takes for a name as well. */
const idLetter = '\\p{Ll}\\p{Lo}\\p{Lm}'
const idPattern = new RegExp(`^[${idLetter}][${idLetter}\\p{Mn}\\p{Mc}\\p{Nd}_]{0,39}$`, 'u')

/**
 * A name: unique in a graph, part of every path. Of several ways to write the same letters one is allowed (NFKC, as
 * Python reads names), so that two names that look alike are one.
 */
export const isId = (text: string): boolean =>
  idPattern.test(text) && text === text.normalize('NFKC') && !(isLatin.test(text) && likeLatin.test(text))

/** In one word they are hardly told apart: the `а` of one with that of the other. */
const isLatin = /\p{Script=Latin}/u
const likeLatin = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/** `node`, `node.port` or the name of an input. */
export function isReference(text: string): boolean {
  const parts = text.split('.')
  return parts.length <= 2 && parts.every(isId)
}

/** What a name is made of, for texts that are typed: anything else stands between names. */
export const notInId = new RegExp(`[^${idLetter}\\p{Mn}\\p{Mc}\\p{Nd}_]+`, 'gu')

/** A map in written order. `Map`, because `constructor` is a legal name. */
export function idMap<Item extends z.ZodType>(
  item: Item,
  { most, reserved = new Set() }: { most: number; reserved?: ReadonlySet<string> },
) {
  return z.unknown().transform((value, context) => {
    const result = new Map<string, z.output<Item>>()
    if (!isRecord(value)) {
      refuse(context, 'wrong_value', { expected: 'map' })
      return result
    }
    const entries = Object.entries(value)
    if (entries.length > most) refuse(context, 'too_many', { most, count: entries.length })
    for (const [key, raw] of entries.slice(0, most)) {
      if (!isId(key)) refuse(context, 'bad_id', { name: key.slice(0, 60) }, [key])
      else if (reserved.has(key)) refuse(context, 'reserved_name', { name: key }, [key])
      const read = inside(item, raw, context, [key])
      if (read !== undefined) result.set(key, read)
    }
    return result
  })
}

/** One of several schemas, chosen by the value's shape, so that messages point into the form that was meant. */
export function choice<Item extends z.ZodType>(choose: (value: unknown) => Item) {
  return z.unknown().transform((value, context): z.output<Item> => {
    const read = inside(choose(value), value, context, [])
    return read === undefined ? z.NEVER : read
  })
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export type RefineContext = z.core.$RefinementCtx

/** Adds a problem of our own; zod carries it with the right path. */
export function refuse(
  context: RefineContext,
  code: DocumentCode,
  data: ProblemData,
  path: PropertyKey[] = [],
): void {
  context.issues.push({ code: 'custom', message: code, path, params: data, input: context.value })
}

/** Reads a part by its own schema; its issues move below `path`, already as our codes. */
function inside<Item extends z.ZodType>(
  item: Item,
  value: unknown,
  context: RefineContext,
  path: PropertyKey[],
): z.output<Item> | undefined {
  const parsed = item.safeParse(value)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    const { code, data } = describeIssue(issue, value)
    refuse(context, code, data, [...path, ...issue.path])
  }
  return undefined
}

export function describeIssue(
  issue: z.core.$ZodIssue,
  root: unknown,
): { code: DocumentCode; data: ProblemData } {
  if (issue.code === 'custom') {
    const code = documentCodes.find((known) => known === issue.message)
    return { code: code ?? 'wrong_value', data: (issue.params ?? {}) as ProblemData } // put there by `refuse`
  }
  if (issue.code === 'unrecognized_keys') {
    return { code: 'unknown_key', data: { name: issue.keys.join(', ').slice(0, 200) } }
  }
  if (issue.code === 'too_big') return { code: 'too_many', data: { most: Number(issue.maximum) } }
  const name = issue.path.at(-1)
  if (name !== undefined && isMissing(root, issue.path)) {
    return { code: 'missing_key', data: { name: String(name) } }
  }
  return { code: 'wrong_value', data: issue.code === 'invalid_type' ? { expected: issue.expected } : {} }
}

function isMissing(root: unknown, path: PropertyKey[]): boolean {
  let value = root
  for (const key of path) {
    if (!isRecord(value) && !Array.isArray(value)) return true
    const entry = Object.entries(value).find(([name]) => name === String(key))
    if (entry === undefined) return true
    value = entry[1]
  }
  return false
}

/** What differs between two versions of a network, node by node; order of lines, defaults and texts for people do not count. */

import { isExpression, replaceNames } from '../edit/expressions.ts'
import { isRecord } from '../resolve/schema-map.ts'
import { type Match, matchDocument, same } from '../yaml/match.ts'
import { canonicalDocument, type Json, type JsonObject, type Vocabulary } from './canonical.ts'
import type { Document } from './document.ts'

export interface Difference {
  /** The local block in whose graph it is; null = the document itself. */
  scope: string | null
  /** A node, or `@image`, `heads.main`, `params.classes`; where something was removed, its name before. */
  id: string
  kind: 'added' | 'removed' | 'changed'
  /** `out: 64 → 32`, for people; a name that was changed is `name: stem → first`. */
  changes: string[]
}

export function diffDocuments(before: Document, after: Document, vocabulary: Vocabulary): Difference[] {
  const [old, next] = [canonicalDocument(before, vocabulary), canonicalDocument(after, vocabulary)]
  const match = matchDocument(before, after)
  const found = sections(null, [old, next], match)
  for (const name of new Set([...before.blocks.keys(), ...after.blocks.keys()])) {
    const was = match.child('blocks').names.get(name) ?? name
    const isGone = !after.blocks.has(name)
    if (isGone && [...match.child('blocks').names.values()].includes(name)) continue
    const pair: Pair = [recordAt(old.blocks, was), recordAt(next.blocks, name)]
    found.push(...sections(name, pair, match.child('blocks').child(name)))
    found.push(...ports(name, pair))
  }
  return found
}

type Pair = [JsonObject, JsonObject]

function sections(scope: string | null, [old, next]: Pair, match: Match): Difference[] {
  // What formulas read: parameters, and shapes of inputs.
  const words = new Map([...match.child('params').names, ...match.child('inputs').names])
  const within = (key: string, prefix: string) =>
    entries(scope, [recordAt(old, key), recordAt(next, key)], {
      prefix,
      names: match.child(key).names,
      words,
    })
  const frame = scope === null ? [...within('inputs', '@'), ...within('heads', 'heads.')] : []
  return [...within('nodes', ''), ...frame, ...within('params', 'params.')]
}

/** Ports of a block: they have no line of their own. */
function ports(scope: string, [old, next]: Pair): Difference[] {
  if (Object.keys(old).length === 0 || Object.keys(next).length === 0) return []
  const changes = keyChanges(
    { inputs: old.inputs ?? 'x', outputs: old.outputs ?? '' },
    { inputs: next.inputs ?? 'x', outputs: next.outputs ?? '' },
  )
  return changes.length === 0 ? [] : [{ scope, id: '', kind: 'changed', changes }]
}

function entries(
  scope: string | null,
  [old, next]: Pair,
  { prefix, names, words }: { prefix: string; names: Names; words: Names },
): Difference[] {
  const found: Difference[] = []
  const met = new Set<string>()
  for (const [id, value] of Object.entries(next)) {
    const was = names.get(id)
    const before = was === undefined ? undefined : old[was]
    if (was === undefined || before === undefined) {
      found.push({ scope, id: prefix + id, kind: 'added', changes: [] })
      continue
    }
    met.add(was)
    const renamed = was === id ? [] : [`name: ${was} → ${id}`]
    const changes = [...renamed, ...keyChanges(before, value, { names, words })]
    if (changes.length > 0) found.push({ scope, id: prefix + id, kind: 'changed', changes })
  }
  for (const id of Object.keys(old)) {
    if (!met.has(id)) found.push({ scope, id: prefix + id, kind: 'removed', changes: [] })
  }
  return found
}

/** Names of before by names of now. */
type Names = ReadonlyMap<string, string>
const none: Names = new Map()

function keyChanges(before: Json, after: Json, renamed = { names: none, words: none }): string[] {
  if (!isRecord(before) && !isRecord(after)) {
    const isSame = same(before, after) || same(before, withOldWords(after, renamed.words))
    return isSame ? [] : [`${show(before)} → ${show(after)}`]
  }
  // A parameter may be written as its bare default.
  if (!isRecord(before)) return keyChanges({ default: before }, after, renamed)
  if (!isRecord(after)) return keyChanges(before, { default: after }, renamed)
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !silent.has(key))
  return keys.flatMap((key) => {
    const [old, next] = [before[key], after[key]]
    const meant = key === 'in' ? withOldNames(next, renamed.names) : withOldWords(next, renamed.words)
    return same(old, next) || same(old, meant) ? [] : [`${key}: ${show(old)} → ${show(next)}`]
  })
}

/** A note says something to people, an earlier name helps weights: neither is another network. */
const silent = new Set(['note', 'was'])

/** Who reads a renamed node has not changed. */
function withOldNames(value: unknown, names: Names): unknown {
  if (typeof value === 'string') {
    const [base = '', ...port] = value.split('.')
    return [names.get(base) ?? base, ...port].join('.')
  }
  if (Array.isArray(value)) return value.map((item) => withOldNames(item, names))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withOldNames(item, names)]))
}

/** Nor have formulas that use a renamed parameter. */
function withOldWords(value: unknown, words: Names): unknown {
  if (Array.isArray(value)) return value.map((item) => withOldWords(item, words))
  return isExpression(value) ? replaceNames(value, (word) => words.get(word) ?? null) : value
}

function show(value: unknown): string {
  if (value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value).replaceAll('"', '').replaceAll(',', ', ')
}

function recordAt(value: unknown, key: string): JsonObject {
  const found = isRecord(value) ? value[key] : undefined
  // Canonical forms are JSON all through.
  return isRecord(found) ? (found as JsonObject) : {}
}

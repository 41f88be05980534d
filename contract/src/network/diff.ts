/** What differs between two versions of a network, node by node; order of lines, defaults and texts for people do not count. */
import { canonicalDocument, type Json, type JsonObject, type Vocabulary } from './canonical.ts'
import type { Document } from './document.ts'
import { isRecord } from './schema-map.ts'
import { type Match, matchDocument, same } from './yaml-match.ts'

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
  const within = (key: string, prefix: string) =>
    entries(scope, [recordAt(old, key), recordAt(next, key)], { prefix, names: match.child(key).names })
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
  { prefix, names }: { prefix: string; names: ReadonlyMap<string, string> },
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
    const changes = [...renamed, ...keyChanges(before, value, names)]
    if (changes.length > 0) found.push({ scope, id: prefix + id, kind: 'changed', changes })
  }
  for (const id of Object.keys(old)) {
    if (!met.has(id)) found.push({ scope, id: prefix + id, kind: 'removed', changes: [] })
  }
  return found
}

function keyChanges(before: Json, after: Json, names: ReadonlyMap<string, string> = new Map()): string[] {
  if (!isRecord(before) && !isRecord(after))
    return same(before, after) ? [] : [`${show(before)} → ${show(after)}`]
  // A parameter may be written as its bare default.
  if (!isRecord(before)) return keyChanges({ default: before }, after, names)
  if (!isRecord(after)) return keyChanges(before, { default: after }, names)
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !silent.has(key))
  return keys.flatMap((key) => {
    const [old, next] = [before[key], after[key]]
    const isSame = same(old, next) || (key === 'in' && same(old, withOldNames(next, names)))
    return isSame ? [] : [`${key}: ${show(old)} → ${show(next)}`]
  })
}

/** A note says something to people, an earlier name helps weights: neither is another network. */
const silent = new Set(['note', 'was'])

/** Who reads a renamed node has not changed. */
function withOldNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const [base = '', ...port] = value.split('.')
    return [names.get(base) ?? base, ...port].join('.')
  }
  if (Array.isArray(value)) return value.map((item) => withOldNames(item, names))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withOldNames(item, names)]))
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

/** Says which entries of a written document stay as they are and which change, so that it means another document. */
import { canonicalDocument, type Json, type Vocabulary } from '../document/canonical.ts'
import type { Document } from '../document/document.ts'
import { isRecord } from '../resolve/schema-map.ts'
import { oldInNew, recordOf } from './before.ts'
import { type Match, matchDocument, nothing, same } from './match.ts'
import { shortNodes } from './write.ts'

/** What becomes of one value of the text: it stays as written, is replaced, or some of its entries change. */
export type Target =
  | { kind: 'keep'; plain: unknown }
  | { kind: 'set'; value: Json }
  | { kind: 'map'; items: Item[] }
/** `from` is the key in the old text, null for an entry that is new. */
export type Item = { key: string; from: string | null; target: Target }

/** Which parts of a document are maps with an order and names of their own, and how they are written. */
export interface Shape {
  /** Names chosen by users: the order is the new document's. Otherwise the keys stay in the order of the text. */
  isNamed?: boolean
  /** One entry a line when it is new. */
  isLong?: boolean
  /** A bare value stands for a map with this key alone. */
  bare?: string
  /** Stays as `{}` when its last entry goes. */
  isRequired?: boolean
  child: (key: string) => Shape | null
}

const leaf = () => null
const named = (child: Shape | null, others: Partial<Shape> = {}): Shape => ({
  isNamed: true,
  child: () => child,
  ...others,
})
const node: Shape = { bare: 'op', child: leaf }
const param: Shape = { bare: 'default', child: leaf }
const record: Shape = { child: leaf }
const byKey = (children: Record<string, Shape>) => (key: string) =>
  Object.hasOwn(children, key) ? (children[key] ?? null) : null
const block: Shape = {
  isLong: true,
  child: byKey({
    params: named(param),
    nodes: named(node, { isLong: true, isRequired: true }),
    outputs: named(null),
  }),
}
export const documentShape: Shape = {
  isLong: true,
  child: byKey({
    params: named(param, { isLong: true }),
    inputs: named(record, { isLong: true, isRequired: true }),
    blocks: named(block, { isLong: true }),
    nodes: named(node, { isLong: true, isRequired: true }),
    heads: named(record, { isLong: true }),
  }),
}

/** `plain` is the old text as data and `before` the same, read. */
export function mergeDocument(
  plain: unknown,
  { before, after, vocabulary }: { before: Document; after: Document; vocabulary: Vocabulary },
): Target {
  const match = matchDocument(before, after)
  const was = oldInNew(before, after, { match, vocabulary })
  return merge(documentShape, plain, { was, is: canonicalDocument(after, vocabulary), match })
}

/** The target as data: what reading the patched text must give. */
export function targetData(target: Target): unknown {
  if (target.kind === 'keep') return target.plain
  if (target.kind === 'set') return target.value
  const data: Record<string, unknown> = Object.create(null)
  for (const { key, target: inner } of target.items) data[key] = targetData(inner)
  return data
}

interface Change {
  was: Json | undefined
  is: Json | undefined
  match: Match
}

function merge(shape: Shape | null, plain: unknown, change: Change): Target {
  if (shape === null) {
    return change.is === undefined || same(change.was, change.is)
      ? { kind: 'keep', plain }
      : { kind: 'set', value: change.is }
  }
  if (shape.bare !== undefined) return mergeBare(shape, shape.bare, plain, change)
  const items = shape.isNamed === true ? namedItems(shape, plain, change) : keyedItems(shape, plain, change)
  return settle(plain, items)
}

/** `relu` is `{op: relu}`, and becomes a map only when it needs to. */
function mergeBare(shape: Shape, key: string, plain: unknown, { was, is, match }: Change): Target {
  const wide = (value: Json | undefined): Json => (isRecord(value) ? value : { [key]: value ?? '' })
  const wasWritten = isRecord(plain)
  const items = keyedItems(shape, wasWritten ? plain : { [key]: plain }, {
    was: wide(was),
    is: wide(is),
    match,
  })
  const [only] = items
  const isBare = items.length === 1 && only?.key === key
  if (wasWritten && isBare && Object.keys(plain).length > 1)
    return { kind: 'set', value: asJson(only.target) }
  if (wasWritten) return settle(plain, items)
  if (isBare) return only.target
  return { kind: 'set', value: asJson({ kind: 'map', items }) }
}

function settle(plain: unknown, items: Item[]): Target {
  const keys = isRecord(plain) ? Object.keys(plain) : null
  const isKept =
    keys?.length === items.length &&
    items.every(({ key, from, target }, k) => target.kind === 'keep' && key === from && key === keys[k])
  return isKept ? { kind: 'keep', plain } : { kind: 'map', items }
}

function keyedItems(shape: Shape, plain: unknown, { was, is, match }: Change): Item[] {
  const [written, old, next] = [recordOf(plain), recordOf(was), recordOf(is)]
  const items: Item[] = []
  for (const [key, value] of Object.entries(written)) {
    const child = shape.child(key)
    if (child === null && next[key] === undefined && old[key] !== undefined) continue
    const target = merge(child, value, { was: old[key], is: next[key], match: match.child(key) })
    const isGone = target.kind === 'map' && target.items.length === 0 && child?.isRequired !== true
    if (!isGone) items.push({ key, from: key, target })
  }
  let place = 0
  for (const [key, value] of Object.entries(next)) {
    const at = items.findIndex((item) => item.key === key)
    if (at >= 0) place = at + 1
    else if (shape.child(key)?.isNamed === true || !same(old[key], value)) {
      items.splice(place, 0, { key, from: null, target: addedSection(shape.child(key), value) })
      place += 1
    }
  }
  return items
}

function namedItems(shape: Shape, plain: unknown, { was, is, match }: Change): Item[] {
  const [written, old, next] = [recordOf(plain), recordOf(was), recordOf(is)]
  const short = shape.child('') === node ? shortNodes(next, undefined) : next
  return Object.entries(next).map(([key, value]): Item => {
    const from = match.names.get(key)
    const child = shape.child(key)
    if (from === undefined || !Object.hasOwn(written, from)) {
      return { key, from: null, target: added(child, short[key] ?? value) }
    }
    const is = child === node ? withoutNeedlessInput(value, old[key], short[key]) : value
    return { key, from, target: merge(child, written[from], { was: old[key], is, match: match.child(key) }) }
  })
}

/** Where an input has changed to the line before, it needs no words any more. */
function withoutNeedlessInput(value: Json, was: Json | undefined, short: Json | undefined): Json {
  const { in: inputs, ...others } = recordOf(value)
  const isShort = recordOf(short).in === undefined
  return isShort && !same(inputs, recordOf(was).in) ? others : value
}

function addedSection(shape: Shape | null, value: Json): Target {
  if (shape?.isNamed !== true) return { kind: 'set', value }
  return { kind: 'map', items: namedItems(shape, {}, { was: undefined, is: value, match: nothing }) }
}

/** A new entry in its short form. */
function added(shape: Shape | null, value: Json): Target {
  if (shape !== block) return { kind: 'set', value }
  const { nodes, inputs, ...others } = recordOf(value)
  const port = Array.isArray(inputs) ? inputs.at(-1) : 'x'
  const ports = inputs === undefined ? {} : { inputs }
  return { kind: 'set', value: { ...ports, ...others, nodes: shortNodes(nodes, port) } }
}

function asJson(target: Target): Json {
  if (target.kind === 'set') return target.value
  // What was read from a text that is a document is JSON.
  if (target.kind === 'keep') return target.plain as Json
  return Object.fromEntries(target.items.map(({ key, target: inner }) => [key, asJson(inner)]))
}

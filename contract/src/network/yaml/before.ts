/** Says what the old lines of a text would mean inside the new document, in canonical form. */
import { canonicalDocument, type Json, type JsonObject, type Vocabulary } from '../document/canonical.ts'
import type { Block, Document, Node } from '../document/document.ts'
import { isRecord } from '../resolve/schema-map.ts'
import type { Match } from './match.ts'

/**
 * The old document's entries under their new names and in the new order, in canonical form. What the new document says
 * beside them (operations, blocks, the line before) counts, because that is what the old lines would mean now.
 */
export function oldInNew(
  before: Document,
  after: Document,
  { match, vocabulary }: { match: Match; vocabulary: Vocabulary },
): JsonObject {
  const blocks = pairs(after.blocks, before.blocks, match.child('blocks')).map(([name, next, old]) => ({
    name,
    next,
    old,
    inner: match.child('blocks').child(name),
  }))
  const graphs = canonicalDocument(
    {
      ...after,
      blocks: new Map(
        blocks.map(({ name, next, old, inner }) => [
          name,
          { ...next, nodes: nodesInNew(old?.nodes, next.nodes, inner) },
        ]),
      ),
      nodes: nodesInNew(before.nodes, after.nodes, match),
    },
    vocabulary,
  )
  const frame = canonicalDocument(
    {
      ...before,
      params: entriesInNew(before.params, after.params, match.child('params')),
      inputs: entriesInNew(before.inputs, after.inputs, match.child('inputs')),
      heads: entriesInNew(before.heads, after.heads, match.child('heads')),
      blocks: new Map(blocks.map(({ name, next, old, inner }) => [name, blockInNew(old, next, inner)])),
      nodes: new Map(),
    },
    vocabulary,
  )
  const whole = blocks.map(({ name, old, inner }): [string, Json] => {
    const { nodes } = recordOf(recordOf(graphs.blocks)[name])
    return [name, { ...recordOf(recordOf(frame.blocks)[name]), nodes: withOldOps(nodes, old?.nodes, inner) }]
  })
  const nodes = withOldOps(graphs.nodes, before.nodes, match)
  return { ...frame, blocks: Object.fromEntries(whole), nodes }
}

function blockInNew(old: Block | undefined, next: Block, match: Match): Block {
  if (old === undefined) return next
  const params = entriesInNew(old.params, next.params, match.child('params'))
  const { outputs, ...others } = old
  const frame = { ...others, params, nodes: new Map() }
  if (outputs === undefined || next.outputs === undefined) return frame
  return { ...frame, outputs: entriesInNew(outputs, next.outputs, match.child('outputs')) }
}

function nodesInNew(
  old: ReadonlyMap<string, Node> | undefined,
  next: ReadonlyMap<string, Node>,
  match: Match,
): Map<string, Node> {
  const merged = entriesInNew(old ?? new Map(), next, match.child('nodes'))
  for (const [id, { op }] of next) {
    const node = merged.get(id)
    if (node !== undefined && node.op !== op) merged.set(id, { ...node, op })
  }
  return merged
}

/** Settings and inputs were read as the new operation's; the operation itself may be what changed. */
function withOldOps(
  nodes: Json | undefined,
  old: ReadonlyMap<string, Node> | undefined,
  match: Match,
): JsonObject {
  const { names } = match.child('nodes')
  const entries = Object.entries(recordOf(nodes)).map(([id, value]): [string, Json] => {
    const op = old?.get(names.get(id) ?? '')?.op
    return [id, op === undefined ? value : { ...recordOf(value), op }]
  })
  return Object.fromEntries(entries)
}

function entriesInNew<T>(
  old: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
  match: Match,
): Map<string, T> {
  return new Map(pairs(next, old, match).map(([key, value, before]) => [key, before ?? value]))
}

function pairs<T>(
  next: ReadonlyMap<string, T>,
  old: ReadonlyMap<string, T>,
  { names }: Match,
): [string, T, T | undefined][] {
  return [...next].map(([key, value]) => [key, value, old.get(names.get(key) ?? '')])
}

export function recordOf(value: unknown): JsonObject {
  // Only ever asked of JSON: canonical forms, and texts that were read as a document.
  return isRecord(value) ? (value as JsonObject) : {}
}

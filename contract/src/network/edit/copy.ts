/** Copies of nodes beside the originals. */
import type { Vocabulary } from '../document/canonical.ts'
import { type Document, type Node, networkLimits } from '../document/document.ts'
import { baseOf } from '../resolve/order.ts'
import { graphOf, insertNodes, type Scope } from './graph.ts'
import { namesOf } from './names.ts'
import { explicit, mapRefs } from './slots.ts'

/** Copies read what the originals read, or each other where both were copied. Nothing else changes. */
export function duplicateNodes(
  document: Document,
  scope: Scope,
  ids: Iterable<string>,
  vocabulary: Vocabulary,
): { document: Document; ids: string[] } {
  const ready = explicit(document, vocabulary)
  const graph = graphOf(ready, scope)
  const chosen = new Set(ids)
  const originals = [...(graph?.nodes ?? [])].filter(([id]) => chosen.has(id))
  const count = (graph?.nodes.size ?? 0) + originals.length
  if (originals.length === 0 || count > networkLimits.names) return { document, ids: [] }
  const names = namesOf(ready, scope)
  const copies = new Map(originals.map(([id, { op }]) => [id, names.follow(id, op)]))
  const entries = originals.map(([id, node]): [string, Node] => [copies.get(id) ?? id, copyOf(node, copies)])
  const after = originals.at(-1)?.[0] ?? null
  return { document: insertNodes(ready, scope, entries, after), ids: [...copies.values()] }
}

/** A node for another place: references and shares follow `names`; earlier weights belong to the original alone. */
export function copyOf({ was: _was, ...node }: Node, names: ReadonlyMap<string, string>): Node {
  const moved = mapRefs(node, (ref) => {
    const base = baseOf(ref)
    return (names.get(base) ?? base) + ref.slice(base.length)
  })
  return moved.share === undefined ? moved : { ...moved, share: names.get(moved.share) ?? moved.share }
}

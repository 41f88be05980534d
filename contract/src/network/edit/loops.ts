/** Whether an edit would make a graph feed itself. Whose weights a node shares comes before it, as what it reads. */
import type { Document, Node } from '../document/document.ts'
import { baseOf } from '../resolve/order.ts'
import { type Graph, graphOf, type Scope } from './graph.ts'
import { refsOf, spellOut } from './slots.ts'

/** Whether `target` would feed itself if it read `source`. */
export function wouldLoop(
  document: Document,
  scope: Scope,
  { source, target }: { source: string; target: string },
): boolean {
  const graph = graphOf(document, scope)
  if (graph === null) return false
  const nodes = spellOut(graph.nodes, graph.ports)
  const seen = new Set<string>()
  const pending = [baseOf(source)]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (id === target) return true
    const node = seen.has(id) ? undefined : nodes.get(id)
    seen.add(id)
    if (node === undefined) continue
    pending.push(...needsOf(node))
  }
  return false
}

/** Follows what leaves the chosen nodes through the others. */
export function comesBack({ nodes }: Graph, chosen: ReadonlySet<string>): boolean {
  const readers = new Map<string, string[]>()
  for (const [id, node] of nodes) {
    for (const source of needsOf(node)) {
      const known = readers.get(source)
      if (known === undefined) readers.set(source, [id])
      else known.push(id)
    }
  }
  const seen = new Set<string>()
  const outside = (id: string) => (readers.get(id) ?? []).filter((reader) => !chosen.has(reader))
  const pending = [...chosen].flatMap(outside)
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    if (readers.get(id)?.some((reader) => chosen.has(reader))) return true
    pending.push(...outside(id))
  }
  return false
}

function needsOf(node: Node): string[] {
  const needs = refsOf(node).map(baseOf)
  return node.share === undefined ? needs : [...needs, node.share]
}

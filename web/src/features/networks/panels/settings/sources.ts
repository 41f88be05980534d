/** What an input may be connected to: everything of its graph that does not itself come after it. Pure. */
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Document, Node } from '@neuroloom/contract/network/document/document'
import { graphOf, type Scope } from '@neuroloom/contract/network/edit/graph'
import { refsOf } from '@neuroloom/contract/network/edit/slots'
import { baseOf } from '@neuroloom/contract/network/resolve/order'

/** References in the order of the graph, its own inputs first. `target` null: a head, which nothing comes after. */
export function sourcesFor(
  document: Document,
  { scope, target }: { scope: Scope; target: string | null },
  { std }: Vocabulary,
): string[] {
  const graph = graphOf(document, scope)
  if (graph === null) return []
  const later = target === null ? new Set<string>() : readersOf(target, graph.nodes)
  const outlets = [...graph.nodes].flatMap(([id, { op }]) => {
    if (later.has(id)) return []
    const outputs = (document.blocks.get(op) ?? std.get(op))?.outputs
    return outputs === undefined || outputs.size < 2
      ? [id]
      : [...outputs.keys()].map((port) => `${id}.${port}`)
  })
  return [...graph.ports, ...outlets]
}

/** The node itself and all that read from it, however far behind. */
function readersOf(target: string, nodes: ReadonlyMap<string, Node>): Set<string> {
  const readers = new Map<string, string[]>()
  const add = (from: string, to: string) => readers.set(from, [...(readers.get(from) ?? []), to])
  for (const [id, node] of nodes) {
    for (const ref of refsOf(node)) add(baseOf(ref), id)
    if (node.share !== undefined) add(node.share, id)
  }
  const seen = new Set<string>()
  const pending = [target]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    pending.push(...(readers.get(id) ?? []))
  }
  return seen
}

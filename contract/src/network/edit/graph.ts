/** The graph that an edit works on: looking it up and putting it back, inputs aside. It knows no layer. */
import type { Block, Document, Head, Node, ParamSpec } from '../document/document.ts'
import { baseOf } from '../resolve/order.ts'

/** Name of the local block that is edited; null is the document itself. */
export type Scope = string | null

export interface Graph {
  nodes: ReadonlyMap<string, Node>
  /** Names of the graph's own inputs. */
  ports: readonly string[]
  params: ReadonlyMap<string, ParamSpec>
}

/** null: there is no such block. */
export function graphOf(document: Document, scope: Scope): Graph | null {
  if (scope === null) {
    return { nodes: document.nodes, ports: [...document.inputs.keys()], params: document.params }
  }
  const block = document.blocks.get(scope)
  return block === undefined ? null : { nodes: block.nodes, ports: block.inputs, params: block.params }
}

export function withNodes(document: Document, scope: Scope, nodes: ReadonlyMap<string, Node>): Document {
  if (scope === null) return { ...document, nodes: new Map(nodes) }
  return withBlock(document, scope, (block) => ({ ...block, nodes: new Map(nodes) }))
}

export function withBlock(document: Document, name: string, change: (block: Block) => Block): Document {
  const block = document.blocks.get(name)
  if (block === undefined) return document
  return { ...document, blocks: new Map(document.blocks).set(name, change(block)) }
}

/** The node that a block without named outputs gives: its last one. null where outputs are named. */
export function silentOutput(document: Document, scope: Scope): string | null {
  const block = scope === null ? undefined : document.blocks.get(scope)
  if (block === undefined || block.outputs !== undefined) return null
  return [...block.nodes.keys()].at(-1) ?? null
}

/** A block without named outputs goes on giving `ref`, whatever was put behind it. */
export function keepOutput(document: Document, scope: Scope, ref: string | null): Document {
  if (scope === null || ref === null || silentOutput(document, scope) === ref) return document
  return withBlock(document, scope, (block) => {
    if (block.outputs !== undefined) return block
    const node = block.nodes.get(ref)
    if (node === undefined) return { ...block, outputs: new Map([['out', ref]]) }
    const others = [...block.nodes].filter(([id]) => id !== ref)
    return { ...block, nodes: new Map([...others, [ref, node]]) }
  })
}

/** Rewrites what is read from outside the graph: outlets of heads, or output ports of the block. */
export function mapOutlets(document: Document, scope: Scope, change: (ref: string) => string): Document {
  if (scope === null) {
    const heads = mapMap(document.heads, (head) => ({ ...head, from: mapSource(head.from, change) }))
    return { ...document, heads }
  }
  return withBlock(document, scope, (block) =>
    block.outputs === undefined ? block : { ...block, outputs: mapMap(block.outputs, change) },
  )
}

/** Every reference that leaves the graph. */
export function exportedRefs(document: Document, scope: Scope): string[] {
  const refs: string[] = []
  mapOutlets(document, scope, (ref) => {
    refs.push(ref)
    return ref
  })
  const silent = silentOutput(document, scope)
  return silent === null ? refs : [...refs, silent]
}

export function mapSource(from: Head['from'], change: (ref: string) => string): Head['from'] {
  if (typeof from === 'string') return change(from)
  return Array.isArray(from) ? from.map((level) => mapMap(level, change)) : mapMap(from, change)
}

export function mapMap<T, U>(
  map: ReadonlyMap<string, T>,
  change: (value: T, key: string) => U,
): Map<string, U> {
  return new Map([...map].map(([key, value]) => [key, change(value, key)]))
}

export function hasSource({ nodes, ports }: Graph, ref: string): boolean {
  const base = baseOf(ref)
  return nodes.has(base) || ports.includes(base)
}

/** The same graph with another node under this id. */
export function withNode(document: Document, scope: Scope, id: string, node: Node): Document {
  const graph = graphOf(document, scope)
  return graph === null ? document : withNodes(document, scope, new Map(graph.nodes).set(id, node))
}

/** Behind the node `after` (null: at the end); a block without named outputs goes on giving what it gave. */
export function insertNodes(
  document: Document,
  scope: Scope,
  entries: readonly [string, Node][],
  after: string | null,
): Document {
  const graph = graphOf(document, scope)
  if (graph === null) return document
  const all = [...graph.nodes]
  const at = after === null ? all.length : all.findIndex(([id]) => id === after) + 1
  all.splice(at, 0, ...entries)
  return keepOutput(withNodes(document, scope, new Map(all)), scope, silentOutput(document, scope))
}

export function withoutShare({ share: _share, ...node }: Node): Node {
  return node
}

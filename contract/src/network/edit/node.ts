/** Pure edits of one node: its settings and its name. */
import { type Document, isReadableNode, type Node, type ParamValue } from '../document/document.ts'
import { baseOf } from '../resolve/order.ts'
import { graphOf, mapOutlets, type Scope, withNode, withNodes } from './graph.ts'
import { wouldLoop } from './loops.ts'
import { isFreeName } from './names.ts'
import { mapRefs, refsOf } from './slots.ts'

export interface NodeChange {
  /** undefined is the default again. */
  params?: ReadonlyMap<string, ParamValue | undefined>
  repeat?: Node['repeat']
  off?: Node['off']
  share?: string | undefined
  note?: string | undefined
}

/** A key that is given as undefined is taken away. Values that could not be written are refused. */
export function changeNode(document: Document, scope: Scope, id: string, change: NodeChange): Document {
  const graph = graphOf(document, scope)
  const node = graph?.nodes.get(id)
  if (graph === null || node === undefined) return document
  const { params: newParams, ...frame } = change
  const next: Node = { ...node, ...frame, params: new Map(node.params) }
  for (const [name, value] of newParams ?? []) {
    if (value === undefined) next.params.delete(name)
    else next.params.set(name, value)
  }
  for (const key of ['repeat', 'off', 'share', 'note'] as const) {
    if (next[key] === undefined || next[key] === false || next[key] === '') delete next[key]
  }
  const { share } = frame
  if (share !== undefined && share !== node.share) {
    if (!graph.nodes.has(share) || wouldLoop(document, scope, { source: share, target: id })) return document
  }
  return isReadableNode(next) ? withNode(document, scope, id, next) : document
}

/** References, heads, outputs and shares follow; the first id is kept as `was`, for the weights of earlier runs. */
export function renameNode(document: Document, scope: Scope, id: string, next: string): Document {
  const graph = graphOf(document, scope)
  const node = graph?.nodes.get(id)
  if (graph === null || node === undefined || !isFreeName(document, scope, next)) return document
  const rename = (ref: string) => (baseOf(ref) === id ? next + ref.slice(id.length) : ref)
  const nodes = new Map<string, Node>()
  for (const [key, old] of graph.nodes) {
    const wired = refsOf(old).some((ref) => rename(ref) !== ref) ? mapRefs(old, rename) : old
    const shared = wired.share === id ? { ...wired, share: next } : wired
    if (key === id) nodes.set(next, renamed(shared, id, next))
    else nodes.set(key, shared)
  }
  return mapOutlets(withNodes(document, scope, nodes), scope, rename)
}

function renamed({ was, ...node }: Node, id: string, next: string): Node {
  const first = was ?? id
  return first === next ? node : { ...node, was: first }
}

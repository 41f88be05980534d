/**
 * Pure edits of a network: documents in, new documents out, what did not change is shared. Whatever cannot be done
 * (unknown ids, a loop, no room) gives the document back as it was; nothing throws.
 */
import type { Vocabulary } from '../document/canonical.ts'
import {
  type Document,
  isReadableNode,
  type Node,
  networkLimits,
  type ParamValue,
} from '../document/document.ts'
import { headOutlets } from '../resolve/heads.ts'
import { baseOf } from '../resolve/order.ts'
import { connectHead, setOutput } from './frame.ts'
import {
  type Graph,
  graphOf,
  hasSource,
  insertNodes,
  keepOutput,
  mapOutlets,
  type Scope,
  silentOutput,
  withNode,
  withNodes,
  withoutShare,
} from './graph.ts'
import { wouldLoop } from './loops.ts'
import { namesOf } from './names.ts'
import { explicit, inputsAt, inputsOf, portsOf, refsOf, rewire, slotsOf } from './slots.ts'

// One import for whoever edits.
export { duplicateNodes } from './copy.ts'
export { wouldLoop } from './loops.ts'
export { changeNode, renameNode } from './node.ts'
export { explicit } from './slots.ts'
export { siblingsOf, swapOp } from './swap.ts'

export interface NewNode {
  op: string
  params?: ReadonlyMap<string, ParamValue>
  /** References in port order. */
  inputs?: readonly string[]
  id?: string
}

/** `id` is '' where nothing could be added. */
export interface Added {
  document: Document
  id: string
}

/** Stands behind what it reads, else at the end. A block without named outputs keeps its output. */
export function addNode(
  document: Document,
  scope: Scope,
  { op, params = new Map(), inputs = [], id }: NewNode,
  vocabulary: Vocabulary,
): Added {
  const ready = explicit(document, vocabulary)
  const graph = graphOf(ready, scope)
  const nothing = { document, id: '' }
  if (graph === null || graph.nodes.size >= networkLimits.names) return nothing
  const ports = portsOf(op, ready, vocabulary)
  const refs = inputs.slice(0, ports.most).map((ref) => (hasSource(graph, ref) ? ref : null))
  const node: Node = { op, in: inputsAt(refs, ports), params: new Map(params) }
  if (!isReadableNode(node)) return nothing
  const names = namesOf(ready, scope)
  const name = id === undefined ? names.make(op) : names.follow(id, op)
  const sources = new Set(refs.flatMap((ref) => (ref === null ? [] : baseOf(ref))))
  const after = [...graph.nodes.keys()].findLast((known) => sources.has(known)) ?? null
  return { document: insertNodes(ready, scope, [[name, node]], after), id: name }
}

/** A place where an edge ends. `target` is a node, `heads.<name>` (slot: which outlet) or `outputs.<port>` of a block. */
export interface Place {
  target: string
  slot: number
}

/** Splits the edge that ends there; where none does, the new node is connected all the same. */
export function insertOnEdge(
  document: Document,
  scope: Scope,
  place: Place,
  op: string,
  vocabulary: Vocabulary,
): Added {
  const ready = explicit(document, vocabulary)
  const source = sourceAt(ready, scope, place, vocabulary)
  if (source === undefined) return { document, id: '' }
  const added = addNode(ready, scope, { op, inputs: source === null ? [] : [source] }, vocabulary)
  if (added.id === '') return { document, id: '' }
  return { ...added, document: lead(added.document, scope, { ...place, source: added.id }, vocabulary) }
}

/** Whoever read a removed node reads what that node read first; nobody shares its weights any more. */
export function removeNodes(
  document: Document,
  scope: Scope,
  ids: Iterable<string>,
  vocabulary: Vocabulary,
): Document {
  const ready = explicit(document, vocabulary)
  const graph = graphOf(ready, scope)
  const gone = new Set([...ids].filter((id) => graph?.nodes.has(id)))
  if (graph === null || gone.size === 0) return document
  const bridge = (ref: string) => bridgeOver(ref, gone, graph)
  const nodes = new Map<string, Node>()
  for (const [id, node] of graph.nodes) {
    if (gone.has(id)) continue
    const wired = rewire(node, portsOf(node.op, ready, vocabulary), bridge)
    nodes.set(id, wired.share !== undefined && gone.has(wired.share) ? withoutShare(wired) : wired)
  }
  const output = silentOutput(ready, scope)
  const rest = mapOutlets(withNodes(ready, scope, nodes), scope, (ref) => bridge(ref) ?? ref)
  return keepOutput(rest, scope, output === null ? null : bridge(output))
}

/** A slot is the index of a port; ports without number take one more at the end. */
export function connect(
  document: Document,
  scope: Scope,
  { source, target, slot }: Place & { source: string },
  vocabulary: Vocabulary,
): Document {
  const ready = explicit(document, vocabulary)
  const graph = graphOf(ready, scope)
  const node = graph?.nodes.get(target)
  if (graph === null || node === undefined || !Number.isInteger(slot) || slot < 0) return document
  if (!hasSource(graph, source) || wouldLoop(ready, scope, { source, target })) return document
  const ports = portsOf(node.op, ready, vocabulary)
  const slots = slotsOf(node, ports)
  const at = ports.kind === 'fixed' ? slot : Math.min(slot, slots.length)
  const isNew = at >= slots.length
  if (isNew && (ports.kind === 'fixed' || slots.length >= ports.most)) return document
  slots[at] = { port: slots[at]?.port ?? null, ref: source }
  return withNode(ready, scope, target, { ...node, in: inputsOf(slots, ports) })
}

export function disconnect(
  document: Document,
  scope: Scope,
  { target, slot }: Place,
  vocabulary: Vocabulary,
): Document {
  const ready = explicit(document, vocabulary)
  const node = graphOf(ready, scope)?.nodes.get(target)
  if (node === undefined) return document
  const ports = portsOf(node.op, ready, vocabulary)
  const slots = slotsOf(node, ports)
  if (slots[slot] === undefined || slots[slot].ref === null) return document
  slots[slot] = { port: slots[slot].port, ref: null }
  return withNode(ready, scope, target, { ...node, in: inputsOf(slots, ports) })
}

/** null: nothing is left there. Chains of removed nodes are followed, also where they bite their tail. */
function bridgeOver(ref: string, gone: ReadonlySet<string>, { nodes }: Graph): string | null {
  const seen = new Set<string>()
  let found: string | undefined = ref
  while (found !== undefined && gone.has(baseOf(found))) {
    const id = baseOf(found)
    if (seen.has(id)) return null
    seen.add(id)
    const node = nodes.get(id)
    found = node === undefined ? undefined : refsOf(node)[0]
  }
  return found ?? null
}

/** What ends there: null where nothing does, undefined where there is no such place. */
function sourceAt(
  document: Document,
  scope: Scope,
  { target, slot }: Place,
  vocabulary: Vocabulary,
): string | null | undefined {
  const [where = '', name = ''] = target.split('.')
  if (name === '' && !target.includes('.')) {
    const node = graphOf(document, scope)?.nodes.get(target)
    if (node === undefined) return undefined
    const ports = portsOf(node.op, document, vocabulary)
    const found = slotsOf(node, ports)[slot]
    return found === undefined && ports.kind === 'fixed' ? undefined : (found?.ref ?? null)
  }
  const head = scope === null && where === 'heads' ? document.heads.get(name) : undefined
  if (head !== undefined) {
    const outlets = headOutlets(head)
    return outlets.length === 0 ? null : outlets[slot]?.ref
  }
  if (scope === null || where !== 'outputs') return undefined
  return document.blocks.get(scope)?.outputs?.get(name) ?? silentOutput(document, scope) ?? undefined
}

/** Ends an edge from `source` at a place of any kind. */
function lead(
  document: Document,
  scope: Scope,
  { source, target, slot }: Place & { source: string },
  vocabulary: Vocabulary,
): Document {
  const [where = '', name = ''] = target.split('.')
  if (!target.includes('.')) return connect(document, scope, { source, target, slot }, vocabulary)
  const head = document.heads.get(name)
  if (where === 'heads' && head !== undefined) {
    return connectHead(document, { head: name, outlet: headOutlets(head)[slot]?.outlet ?? '', source })
  }
  if (scope === null) return document
  const isNamed = document.blocks.get(scope)?.outputs !== undefined
  return isNamed ? setOutput(document, scope, name, source) : keepOutput(document, scope, source)
}

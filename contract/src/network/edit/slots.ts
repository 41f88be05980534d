/** The inputs of nodes: which slots a layer has, what is connected to each, and `in` written out. It knows no shapes. */
import type { Vocabulary } from '../document/canonical.ts'
import { type Block, type Document, type Node, type NodeInputs, networkLimits } from '../document/document.ts'
import { type Graph, graphOf, mapMap, withNodes } from './graph.ts'

/** Every `in` written out: a list in port order, names where a port in between is free, `[]` for nothing. */
export function explicit(document: Document, vocabulary: Vocabulary): Document {
  const tidy = (graph: Graph) => explicitNodes(graph, (op) => portsOf(op, document, vocabulary))
  let result = document
  for (const scope of [null, ...document.blocks.keys()]) {
    const graph = graphOf(document, scope)
    const nodes = graph === null ? null : tidy(graph)
    if (nodes !== null && nodes !== graph?.nodes) result = withNodes(result, scope, nodes)
  }
  return result
}

/** What an operation or block lets in. `list`: as many as one likes, in order; `unknown`: nobody knows the name. */
export interface OpPorts {
  kind: 'fixed' | 'list' | 'unknown'
  names: readonly string[]
  most: number
}

export function portsOf(
  op: string,
  { blocks }: { blocks: ReadonlyMap<string, Block> },
  vocabulary: Vocabulary,
): OpPorts {
  const block = blocks.get(op) ?? vocabulary.std.get(op)
  if (block !== undefined) return { kind: 'fixed', names: block.inputs, most: block.inputs.length }
  const entry = vocabulary.catalogue.get(op)
  if (entry === undefined) return { kind: 'unknown', names: [], most: networkLimits.inputs }
  const many = entry.in[0]?.many
  if (many !== undefined) return { kind: 'list', names: [], most: many[1] }
  return { kind: 'fixed', names: entry.in.map(({ name }) => name), most: entry.in.length }
}

/** One place for an edge. Without a port name it is known by its index alone. */
export interface Slot {
  port: string | null
  ref: string | null
}

/** All ports in order, free ones too; behind them what is connected too much. */
export function slotsOf(node: Node, ports: OpPorts): Slot[] {
  const inputs = typeof node.in === 'string' ? [node.in] : (node.in ?? [])
  if (Array.isArray(inputs)) {
    const count = Math.max(inputs.length, ports.names.length)
    return Array.from({ length: count }, (_, k) => ({ port: ports.names[k] ?? null, ref: inputs[k] ?? null }))
  }
  if (ports.kind === 'list') return [...inputs.values()].map((ref) => ({ port: null, ref }))
  const known = ports.names.map((port) => ({ port, ref: inputs.get(port) ?? null }))
  const others = [...inputs].filter(([port]) => !ports.names.includes(port))
  return [...known, ...others.map(([port, ref]) => ({ port, ref }))]
}

/** A list where the ports are filled from the first on, names where one in between is free. */
export function inputsOf(slots: readonly Slot[], ports: OpPorts): NodeInputs {
  const filled: { port: string | null; ref: string; at: number }[] = []
  slots.forEach(({ port, ref }, at) => {
    if (ref !== null) filled.push({ port, ref, at })
  })
  const isList = filled.every(({ port, at }, k) => {
    if (port === null) return ports.kind !== 'fixed' || at === k
    return at === k && ports.names[k] === port
  })
  if (isList) return filled.map(({ ref }) => ref)
  return new Map(filled.map(({ port, ref, at }) => [port ?? `in${at}`, ref]))
}

/** The same node where nothing changes. A reference that becomes null is disconnected. */
export function rewire(node: Node, ports: OpPorts, change: (ref: string) => string | null): Node {
  const slots = slotsOf(node, ports)
  const changed = slots.map(({ port, ref }) => ({ port, ref: ref === null ? null : change(ref) }))
  if (changed.every(({ ref }, k) => ref === slots[k]?.ref)) return node
  return { ...node, in: inputsOf(changed, ports) }
}

/** As `rewire`, where every reference stays one and no port has to be known. */
export function mapRefs(node: Node, change: (ref: string) => string): Node {
  if (node.in === undefined) return node
  if (typeof node.in === 'string') return { ...node, in: change(node.in) }
  return { ...node, in: Array.isArray(node.in) ? node.in.map(change) : mapMap(node.in, change) }
}

export function refsOf({ in: inputs = [] }: Node): string[] {
  if (typeof inputs === 'string') return [inputs]
  return Array.isArray(inputs) ? inputs : [...inputs.values()]
}

/** `in` left out means the line before; here it is written. Nodes that have it stay the same objects. */
export function spellOut(
  nodes: ReadonlyMap<string, Node>,
  ports: readonly string[],
): ReadonlyMap<string, Node> {
  if ([...nodes.values()].every((node) => node.in !== undefined)) return nodes
  const spelled = new Map<string, Node>()
  let before = ports.at(-1)
  for (const [id, node] of nodes) {
    spelled.set(id, node.in === undefined ? { ...node, in: before === undefined ? [] : [before] } : node)
    before = id
  }
  return spelled
}

function explicitNodes({ nodes, ports }: Graph, known: (op: string) => OpPorts): ReadonlyMap<string, Node> {
  const spelled = spellOut(nodes, ports)
  const tidied = new Map<string, Node>()
  for (const [id, node] of spelled) {
    const written = tidyInputs(node, known)
    if (written !== node.in) tidied.set(id, { ...node, in: written })
  }
  if (tidied.size === 0) return spelled
  return new Map([...spelled].map(([id, node]) => [id, tidied.get(id) ?? node]))
}

function tidyInputs(node: Node, known: (op: string) => OpPorts): NodeInputs {
  const { in: inputs = [] } = node
  if (Array.isArray(inputs)) return inputs
  if (typeof inputs === 'string') return [inputs]
  const ports = known(node.op)
  const written = inputsOf(slotsOf(node, ports), ports)
  const isSame = written instanceof Map && [...written.keys()].join() === [...inputs.keys()].join()
  return isSame ? inputs : written
}

/** References by index of the port; null is a free port. */
export function inputsAt(refs: readonly (string | null)[], ports: OpPorts): NodeInputs {
  return inputsOf(
    refs.map((ref, k) => ({ port: ports.names[k] ?? null, ref })),
    ports,
  )
}

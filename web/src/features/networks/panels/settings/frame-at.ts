/** Where a node stands: what the names in its formulas mean, and what arrives at it. Pure. */

import type { Block, Node } from '@neuroloom/contract/network/document/document'
import { type OpPorts, portsOf, slotsOf, spellOut } from '@neuroloom/contract/network/edit/slots'
import { bindParams, evaluateWritten, FrameScope, type Signal } from '@neuroloom/contract/network/frame'
import { bindDocument } from '@neuroloom/contract/network/resolve/bind'
import type { Value } from '@neuroloom/contract/network/resolve/expr'
import type { TensorType } from '@neuroloom/contract/network/resolve/plan'
import { ModelError } from '@neuroloom/contract/network/resolve/problems'
import type { EditorState } from '../../editor/store.ts'

export interface NodeFrame {
  /** Names of formulas; of a repeated node the first copy is meant. */
  scope: FrameScope
  /** Types of the inputs that are connected and worked out, in port order. */
  inputs: TensorType[]
}

type Known = Pick<EditorState, 'document' | 'vocabulary' | 'resolved' | 'data'>

/** null where the network around it is too broken to tell. */
export function frameAt(known: Known, path: string): NodeFrame | null {
  try {
    return walk(known, path.split('/'))
  } catch (error) {
    if (error instanceof ModelError) return null
    throw error
  }
}

/** The knobs of the network and its inputs, as formulas at the inputs see them. */
export function topScope({ document, data }: Pick<Known, 'document' | 'data'>): FrameScope | null {
  try {
    return new FrameScope(bindDocument(document, { data: data?.facts ?? {} }))
  } catch (error) {
    if (error instanceof ModelError) return null
    throw error
  }
}

type Names = { ports: ReadonlyMap<string, Signal>; params: ReadonlyMap<string, Value> }

function walk(known: Known, steps: string[]): NodeFrame | null {
  const { document, vocabulary, data } = known
  let names: Names = bindDocument(document, { data: data?.facts ?? {} })
  let nodes: ReadonlyMap<string, Node> = document.nodes
  let blocks: ReadonlyMap<string, Block> = document.blocks
  let before = ''
  for (const [k, id] of steps.entries()) {
    const node = nodes.get(id)
    if (node === undefined) return null
    const block: Block | undefined = blocks.get(node.op) ?? vocabulary.std.get(node.op)
    const arriving = signalsOf(node, portsOf(node.op, document, vocabulary), (ref) =>
      typeAt(known, names, before, ref),
    )
    const scope = new FrameScope(names, arriving[0]?.signal.type)
    if (k === steps.length - 1) return { scope, inputs: arriving.map(({ signal }) => signal.type) }
    if (block === undefined) return null
    // A library block sees the library alone.
    if (!blocks.has(node.op)) blocks = new Map()
    names = inside(node, block, scope, new Map(arriving.map(({ port, signal }) => [port, signal])))
    // Library blocks leave out what is the line before.
    nodes = spellOut(block.nodes, block.inputs)
    before += node.repeat === undefined ? `${id}/` : `${id}/0/`
  }
  return null
}

function inside(node: Node, block: Block, scope: FrameScope, ports: ReadonlyMap<string, Signal>): Names {
  const given = new Map<string, Value>()
  for (const [name, written] of node.params) given.set(name, evaluateWritten(written, name, scope))
  return { ports, params: bindParams(block.params, given, ports) }
}

type Arriving = { port: string; signal: Signal }

function signalsOf(node: Node, ports: OpPorts, typeOf: (ref: string) => TensorType | undefined): Arriving[] {
  return slotsOf(node, ports).flatMap(({ port, ref }, k) => {
    const type = ref === null ? undefined : typeOf(ref)
    return type === undefined ? [] : [{ port: port ?? ports.names[k] ?? '', signal: { id: ref ?? '', type } }]
  })
}

function typeAt({ resolved }: Known, { ports }: Names, before: string, ref: string): TensorType | undefined {
  return ports.get(ref)?.type ?? resolved.types.get(before + ref)
}

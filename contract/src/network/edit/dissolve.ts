/** The nodes of a block take the place of one use of it; its parameters are written into their settings. */
import type { Vocabulary } from '../document/canonical.ts'
import { type Block, type Document, type Node, networkLimits, type ParamValue } from '../document/document.ts'
import { baseOf } from '../resolve/order.ts'
import { isExpression, isExpressionText, mapValue, replaceNames, substitutionOf } from './expressions.ts'
import { type Graph, graphOf, keepOutput, mapOutlets, type Scope, silentOutput, withNodes } from './graph.ts'
import { namesOf } from './names.ts'
import { explicit, portsOf, refsOf, rewire, slotsOf, spellOut } from './slots.ts'

/**
 * `block`: there is no such block; `repeat`, `off`, `share`: the use is repeated, bypassed or shares weights;
 * `expression`: a setting asks for a shape that has no name outside; `names`: a block of the network hides one of the
 * library that is used inside; `size`: too many nodes.
 */
export type DissolveRefusal = 'block' | 'repeat' | 'off' | 'share' | 'expression' | 'names' | 'size'

/** A local block that nobody uses any more goes with its last use. */
export function dissolveBlock(
  document: Document,
  scope: Scope,
  id: string,
  vocabulary: Vocabulary,
): { document: Document; ids: string[] } | { refused: DissolveRefusal } {
  const ready = explicit(document, vocabulary)
  const graph = graphOf(ready, scope)
  const use = graph?.nodes.get(id)
  const block = use === undefined ? undefined : (ready.blocks.get(use.op) ?? vocabulary.std.get(use.op))
  if (graph === null || use === undefined || block === undefined) return { refused: 'block' }
  const refused = whyNot(ready, graph, id, block)
  if (refused !== null) return { refused }
  const { nodes, wire } = innerNodes(ready, { scope, id, use, block }, vocabulary)
  const settled = new Map<string, Node>()
  for (const [inner, node] of nodes) {
    const settings = new Settings({ block, use, graph, node, wire })
    const next = settings.written(node)
    if (next === null) return { refused: 'expression' }
    settled.set(inner, next)
  }
  const result = putInPlace(ready, { scope, id, block, wire }, settled, vocabulary)
  return { document: explicit(withoutUnused(result, use.op), vocabulary), ids: [...settled.keys()] }
}

function whyNot(document: Document, { nodes }: Graph, id: string, block: Block): DissolveRefusal | null {
  const { op, repeat, off = false, share } = nodes.get(id) ?? { op: '' }
  if (repeat !== undefined) return 'repeat'
  if (off !== false) return 'off'
  if (share !== undefined || [...nodes.values()].some((node) => node.share === id)) return 'share'
  const isLibrary = !document.blocks.has(op)
  if (isLibrary && [...block.nodes.values()].some((node) => document.blocks.has(node.op))) return 'names'
  return nodes.size + block.nodes.size > networkLimits.names ? 'size' : null
}

/** What a reference inside the block is outside; null: nothing is connected to that port. */
type Wire = (ref: string) => string | null

interface Use {
  scope: Scope
  id: string
  use: Node
  block: Block
}

/** The block's nodes under names of the graph around, connected to what the use was connected to. */
function innerNodes(
  document: Document,
  { scope, id, use, block }: Use,
  vocabulary: Vocabulary,
): { nodes: Map<string, Node>; wire: Wire } {
  const names = namesOf(document, scope)
  names.release(id)
  const moved = new Map([...block.nodes].map(([inner, { op }]) => [inner, names.follow(inner, op)]))
  const slots = slotsOf(use, portsOf(use.op, document, vocabulary))
  const sources = new Map(slots.map(({ port, ref }) => [port, ref]))
  const wire = (ref: string) => {
    const base = baseOf(ref)
    if (block.inputs.includes(base)) return sources.get(base) ?? null
    return (moved.get(base) ?? base) + ref.slice(base.length)
  }
  const nodes = new Map<string, Node>()
  for (const [inner, { was: _was, ...node }] of spellOut(block.nodes, block.inputs)) {
    const wired = rewire(node, portsOf(node.op, document, vocabulary), wire)
    const { share } = node
    nodes.set(
      moved.get(inner) ?? inner,
      share === undefined ? wired : { ...wired, share: moved.get(share) ?? share },
    )
  }
  return { nodes, wire }
}

function putInPlace(
  document: Document,
  { scope, id, block, wire }: Pick<Use, 'scope' | 'id' | 'block'> & { wire: Wire },
  settled: ReadonlyMap<string, Node>,
  vocabulary: Vocabulary,
): Document {
  const outputs = new Map([...(block.outputs ?? [])].map(([port, ref]) => [port, wire(ref)]))
  const last = [...block.nodes.keys()].at(-1) ?? block.inputs[0]
  const first =
    block.outputs === undefined ? (last === undefined ? null : wire(last)) : [...outputs.values()][0]
  const follow = (ref: string): string | null => {
    if (baseOf(ref) !== id) return ref
    return (ref === id ? first : outputs.get(ref.slice(id.length + 1))) ?? null
  }
  const silent = silentOutput(document, scope)
  const nodes = new Map<string, Node>()
  for (const [key, node] of graphOf(document, scope)?.nodes ?? []) {
    if (key !== id) nodes.set(key, rewire(node, portsOf(node.op, document, vocabulary), follow))
    else for (const [inner, settledNode] of settled) nodes.set(inner, settledNode)
  }
  const placed = mapOutlets(withNodes(document, scope, nodes), scope, (ref) => follow(ref) ?? ref)
  return keepOutput(placed, scope, silent === null ? null : follow(silent))
}

function withoutUnused(document: Document, op: string): Document {
  const isUsed = [document, ...document.blocks.values()].some(
    ({ nodes }) =>
      nodes !== document.blocks.get(op)?.nodes && [...nodes.values()].some((node) => node.op === op),
  )
  if (isUsed || !document.blocks.has(op)) return document
  return { ...document, blocks: new Map([...document.blocks].filter(([name]) => name !== op)) }
}

/** Settings of one inner node in the words of the graph around. */
class Settings {
  private readonly block: Block
  private readonly use: Node
  private readonly graph: Graph
  private readonly node: Node
  private readonly wire: Wire
  private isLost = false

  constructor(given: { block: Block; use: Node; graph: Graph; node: Node; wire: Wire }) {
    this.block = given.block
    this.use = given.use
    this.graph = given.graph
    this.node = given.node
    this.wire = given.wire
  }

  /** null: something cannot be said outside the block. */
  written(node: Node): Node | null {
    const params = new Map([...node.params].map(([name, value]) => [name, this.value(value)]))
    const next: Node = { ...node, params }
    const { repeat, off } = node
    if (isExpression(repeat)) next.repeat = this.number(repeat)
    if (isExpression(off)) next.off = this.flag(off)
    return this.isLost ? null : next
  }

  private number(text: string): number | string {
    const value = this.value(text)
    return typeof value === 'number' || isExpression(value) ? value : this.lose(text)
  }

  private flag(text: string): boolean | string {
    const value = this.value(text)
    return typeof value === 'boolean' || isExpression(value) ? value : `=${substitutionOf(value)}`
  }

  /** A setting in words of the block, of whose parameters it may use the first `known`. */
  private value(value: ParamValue, known = this.block.params.size): ParamValue {
    if (!Array.isArray(value)) return isExpression(value) ? this.text(value, known) : value
    return value.map((item) => {
      const written = isExpression(item) ? this.text(item, known) : item
      return Array.isArray(written) ? `=${substitutionOf(written)}` : written
    })
  }

  /** A text that is nothing but the name of a parameter becomes its value. */
  private text(text: string, known: number): ParamValue {
    const params = [...this.block.params.keys()].slice(0, known)
    const name = text.slice(1).trim()
    if (params.includes(name)) return this.param(name)
    const written = replaceNames(text, (word) => {
      if (params.includes(word)) return substitutionOf(this.param(word))
      return this.block.inputs.includes(word) ? this.signal(this.wire(word)) : null
    })
    return this.readable(text, written)
  }

  private param(name: string): ParamValue {
    // Defaults that use others twice double with each step: what is lost grows no further.
    if (this.isLost) return 0
    const given = this.use.params.get(name)
    if (given !== undefined) return this.given(given)
    const at = [...this.block.params.keys()].indexOf(name)
    const standard = this.block.params.get(name)?.default ?? 0
    return this.value(standard, at)
  }

  /** Written at the use, in words of the graph around: only `in` and `i` mean something else at an inner node. */
  private given(value: ParamValue): ParamValue {
    const [first] = refsOf(this.use)
    const rewrite = (text: string) => {
      const moved = replaceNames(text, (word) => {
        if (word === 'i') return '0'
        return word === 'in' ? this.signal(first ?? null) : null
      })
      return this.readable(text, moved)
    }
    return mapValue(value, rewrite)
  }

  /** A shape has a name outside when it is an input of the graph, or what the node itself receives. */
  private signal(ref: string | null): string {
    if (ref !== null && this.graph.ports.includes(ref)) return ref
    const isOwn = ref !== null && this.node.repeat === undefined && refsOf(this.node)[0] === ref
    return isOwn ? 'in' : this.lose('in')
  }

  private readable(before: string, after: string): string {
    return isExpressionText(after) || !isExpressionText(before) ? after : this.lose(after)
  }

  private lose(text: string): string {
    this.isLost = true
    return text
  }
}

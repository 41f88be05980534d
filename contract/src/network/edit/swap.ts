/** Puts a kindred layer in the place of another one; what fits of its settings and inputs stays. */

import type { OpEntry, OpParam } from '../catalogue.ts'
import type { Vocabulary } from '../document/canonical.ts'
import {
  type Document,
  isReadableNode,
  type Node,
  type ParamSpec,
  type ParamValue,
} from '../document/document.ts'
import { baseOf } from '../resolve/order.ts'
import { graphOf, mapOutlets, type Scope, withNodes, withoutShare } from './graph.ts'
import { explicit, inputsAt, mapRefs, portsOf, refsOf, slotsOf } from './slots.ts'

/** Readers stay connected; weights are of another kind now, so nothing is shared with this node any more. */
export function swapOp(
  document: Document,
  scope: Scope,
  id: string,
  op: string,
  vocabulary: Vocabulary,
): Document {
  const ready = explicit(document, vocabulary)
  const graph = graphOf(ready, scope)
  const node = graph?.nodes.get(id)
  if (graph === null || node === undefined || node.op === op) return document
  const next = swapped(node, op, ready, vocabulary)
  if (!isReadableNode(next)) return document
  const outputs = (ready.blocks.get(op) ?? vocabulary.std.get(op))?.outputs
  const follow = (ref: string) => {
    const port = ref.slice(baseOf(ref).length + 1)
    return baseOf(ref) === id && port !== '' && !outputs?.has(port) ? id : ref
  }
  const nodes = new Map<string, Node>()
  for (const [key, old] of graph.nodes) {
    const wired = refsOf(old).some((ref) => follow(ref) !== ref) ? mapRefs(old, follow) : old
    if (key === id) nodes.set(key, next)
    else nodes.set(key, wired.share === id ? withoutShare(wired) : wired)
  }
  return mapOutlets(withNodes(ready, scope, nodes), scope, follow)
}

/** Layers of the same category that take the same inputs and give the same kind; blocks have none. */
export function siblingsOf(op: string, { catalogue }: Vocabulary): string[] {
  const own = catalogue.get(op)
  if (own === undefined) return []
  const isSibling = ([name, entry]: [string, OpEntry]) =>
    name !== op && entry.cat === own.cat && leastInputs(entry) === leastInputs(own) && sharesKind(entry, own)
  return [...catalogue].filter(isSibling).map(([name]) => name)
}

function swapped(node: Node, op: string, document: Document, vocabulary: Vocabulary): Node {
  const ports = portsOf(op, document, vocabulary)
  const refs = slotsOf(node, portsOf(node.op, document, vocabulary)).map(({ ref }) => ref)
  const block = document.blocks.get(op) ?? vocabulary.std.get(op)
  const entry = vocabulary.catalogue.get(op)
  const params = new Map<string, ParamValue>()
  for (const [name, value] of node.params) {
    const fits =
      block === undefined
        ? fitsParam(entry?.params.get(name), value)
        : fitsSpec(block.params.get(name), value)
    if (fits) params.set(name, value)
  }
  return { ...withoutShare(node), op, in: inputsAt(refs.slice(0, ports.most), ports), params }
}

function fitsSpec(spec: ParamSpec | undefined, value: ParamValue): boolean {
  if (spec === undefined) return false
  return isExpression(value) || isExpression(spec.default) || typeof value === typeof spec.default
}

/** Expressions are kept: what they give is the resolver's to judge. */
function fitsParam(param: OpParam | undefined, value: ParamValue): boolean {
  if (param === undefined) return false
  if (isExpression(value)) return true
  const { t, min = -Infinity, max = Infinity } = param
  if (t === 'bool') return typeof value === 'boolean'
  if (t === 'enum') return typeof value === 'string' && param.enum?.includes(value) === true
  if (value === 'auto') return param.auto !== undefined
  const isList = t === 'ints' || t === 'floats'
  if (Array.isArray(value)) return isList || t === 'axis'
  return !isList && typeof value === 'number' && value >= min && value <= max
}

function isExpression(value: ParamValue): boolean {
  return typeof value === 'string' && value.startsWith('=')
}

/** How many inputs are required: a sum of two is kin to a difference, a resize to a reference is not kin to a resize. */
function leastInputs(entry: OpEntry): number {
  return entry.in[0]?.many?.[0] ?? entry.in.filter(({ optional }) => optional !== true).length
}

/** Whether there is a kind of input from which both make the same kind. */
function sharesKind(a: OpEntry, b: OpEntry): boolean {
  const ofB = kindsOf(b)
  return kindsOf(a).some((pair) => ofB.includes(pair))
}

/** `in → out` pairs; the rule of the output is a kind, `=` (as the input) or a choice between quoted kinds. */
function kindsOf({ in: [port], out: [out] }: OpEntry): string[] {
  return (port?.kinds.split('|') ?? []).flatMap((kind) => {
    if (out.kind === '=') return `${kind} ${kind}`
    return (out.kind.match(/map|vec|seq/g) ?? []).map((made) => `${kind} ${made}`)
  })
}

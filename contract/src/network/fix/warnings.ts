/** Repairs of networks that run but probably learn badly. */
import type { Document, Node } from '../document/document.ts'
import { changeNode, connect } from '../edit/edit.ts'
import { mapNode, replaceNames } from '../edit/expressions.ts'
import { setHead } from '../edit/frame.ts'
import { graphOf, mapOutlets, withNodes } from '../edit/graph.ts'
import { namesOf } from '../edit/names.ts'
import { inputsOf, mapRefs, portsOf, refsOf, slotsOf } from '../edit/slots.ts'
import { baseOf } from '../resolve/order.ts'
import type { WarningCode } from '../resolve/problems.ts'
import { activations } from '../resolve/warnings.ts'
import { insertLayers } from './insert.ts'
import type { Candidate } from './kinds.ts'
import { editable, type FixContext } from './place.ts'
import { removeLayer } from './wire.ts'

const convolutions = new Set(['conv', 'dwconv', 'deconv'])

export const warningRepairs: Record<WarningCode, (context: FixContext) => Iterable<Candidate>> = {
  dead_end: deadEnd,
  act_before_loss: removeLayer,
  fixed_size: fixedSize,
  double_act: removeLayer,
  bias_before_bn: biasOff,
  no_norm_deep: insertNorms,
  repeat_outputs: unroll,
}

function* deadEnd(context: FixContext): Generator<Candidate> {
  const { document } = context
  yield* removeLayer(context)
  const last = editable(context.levels).at(-1)
  if (last?.scope !== undefined) {
    const off = changeNode(document, last.scope, last.id, { off: true })
    yield { kind: 'switch_off', data: { node: last.id }, document: off }
  }
  if (last?.scope !== null || context.levels.length > 1) return
  const task = [...document.heads.values()][0]?.task ?? document.task
  const name = ['side', 'side2', 'side3'].find((free) => !document.heads.has(free))
  if (name === undefined) return
  const patched = setHead(document, name, { task, from: last.id })
  yield { kind: 'add_head', data: { source: last.id }, document: patched }
}

/** More than these in a row nobody would look at. */
const mostUnrolled = 16

/** The copies stand one by one, each reading all that the one before it gives: its first output, its second and so on. */
function* unroll({ document, levels, vocabulary }: FixContext): Generator<Candidate> {
  const last = levels.at(-1)
  const graph = last?.scope === undefined ? null : graphOf(document, last.scope)
  if (last?.scope === undefined || graph === null) return
  const { repeat, ...node } = last.node
  const outputs = [...(document.blocks.get(node.op)?.outputs?.keys() ?? [])]
  if (typeof repeat !== 'number' || repeat < 2 || repeat > mostUnrolled || outputs.length < 2) return
  const names = namesOf(document, last.scope)
  const ids = Array.from({ length: repeat }, (_, k) => (k === 0 ? last.id : names.follow(last.id, node.op)))
  const ports = portsOf(node.op, document, vocabulary)
  const slots = slotsOf(node, ports)
  const copies = ids.map((id, k): [string, Node] => {
    const before = ids[k - 1]
    const wired = slots.map(({ port, ref }, at) => {
      const output = outputs[at]
      return before === undefined || output === undefined
        ? { port, ref }
        : { port, ref: `${before}.${output}` }
    })
    // `i` counts the copies.
    const counted = mapNode(node, (text) => replaceNames(text, (word) => (word === 'i' ? String(k) : null)))
    return [id, { ...counted, in: inputsOf(wired, ports) }]
  })
  const end = ids.at(-1) ?? last.id
  const follow = (ref: string) => (baseOf(ref) === last.id ? end + ref.slice(last.id.length) : ref)
  const nodes = new Map<string, Node>()
  for (const [id, other] of graph.nodes) {
    if (id === last.id) for (const [name, copy] of copies) nodes.set(name, copy)
    else nodes.set(id, mapRefs(other, follow))
  }
  const patched = mapOutlets(withNodes(document, last.scope, nodes), last.scope, follow)
  yield { kind: 'unroll', data: { node: last.id, count: repeat }, document: patched }
}

/** The batch norm behind it takes away whatever the bias adds. */
function* biasOff({ document, levels }: FixContext): Generator<Candidate> {
  const last = levels.at(-1)
  if (last?.scope === undefined) return
  const patched = changeNode(document, last.scope, last.id, { params: new Map([['bias', false]]) })
  yield { kind: 'bias_off', data: { node: last.id }, document: patched }
}

/** Every convolution that an activation follows gets a batch norm between, everywhere in the network. */
function* insertNorms({ document }: FixContext): Generator<Candidate> {
  let patched = document
  let count = 0
  for (const scope of [null, ...document.blocks.keys()]) {
    const graph = graphOf(document, scope)
    const names = namesOf(document, scope)
    const nodes = new Map<string, Node>()
    const behind = new Map<string, string>()
    const readers = [...(graph?.nodes.values() ?? [])]
    for (const [id, node] of graph?.nodes ?? []) {
      const wired = mapRefs(node, (ref) => behind.get(ref) ?? ref)
      const next = readers.filter((reader) => refsOf(reader).includes(id))
      const isHidden = next.length > 0 && next.every(({ op }) => activations.has(op))
      if (!convolutions.has(node.op) || !isHidden) {
        nodes.set(id, wired)
        continue
      }
      const norm = names.make('bn')
      count += 1
      behind.set(id, norm)
      nodes.set(id, { ...wired, params: new Map(wired.params).set('bias', false) })
      nodes.set(norm, { op: 'bn', in: [id], params: new Map() })
    }
    patched = withNodes(patched, scope, nodes)
  }
  if (count > 0) yield { kind: 'insert_norms', data: { count }, document: patched }
}

/** Every picture is brought to the design size first. */
function* fixedSize(context: FixContext): Generator<Candidate> {
  const { document, before } = context
  let patched: Document = document
  const shown: string[] = []
  for (const name of document.inputs.keys()) {
    const type = before.types.get(`@${name}`)
    const slots = [...document.nodes].flatMap(([target, node]) =>
      refsOf(node).flatMap((ref, slot) => (ref === name ? [{ target, slot }] : [])),
    )
    const [first, ...others] = slots
    if (type?.k !== 'map' || first === undefined) continue
    const place = { scope: null, ...first }
    const resized = insertLayers(patched, place, [{ op: 'resize', params: { size: type.s } }], context)
    const id = [...(resized?.nodes.keys() ?? [])].find((known) => !patched.nodes.has(known))
    if (resized === null || id === undefined) continue
    patched = others.reduce(
      (next, other) => connect(next, null, { ...other, source: id }, context.vocabulary),
      resized,
    )
    shown.push(type.s.join('×'))
  }
  yield { kind: 'insert_input_resize', data: { size: shown.join(', ') }, document: patched }
}

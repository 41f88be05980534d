/** Repairs of networks that run but probably learn badly. */
import type { Document, Node } from './document.ts'
import { changeNode, connect } from './edit.ts'
import { setHead } from './edit-frame.ts'
import { graphOf, withNodes } from './edit-graph.ts'
import { namesOf } from './edit-names.ts'
import { mapRefs, refsOf } from './edit-slots.ts'
import { insertLayers } from './fix-insert.ts'
import type { Candidate } from './fix-kinds.ts'
import { editable, type FixContext } from './fix-place.ts'
import { removeLayer } from './fix-wire.ts'
import type { WarningCode } from './problems.ts'
import { activations } from './warnings.ts'

const convolutions = new Set(['conv', 'dwconv', 'deconv'])

export const warningRepairs: Record<WarningCode, (context: FixContext) => Iterable<Candidate>> = {
  dead_end: deadEnd,
  act_before_loss: removeLayer,
  fixed_size: fixedSize,
  double_act: removeLayer,
  bias_before_bn: biasOff,
  no_norm_deep: insertNorms,
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

/** Repairs around the layers: inputs, what the data asks for, formulas, and networks that are too large. */
import type { Document, DocumentInput, Node, ParamValue } from '../document/document.ts'
import { addNode, changeNode } from '../edit/edit.ts'
import { setInput, setKnob } from '../edit/frame.ts'
import { mapRefs } from '../edit/slots.ts'
import type { Candidate } from './kinds.ts'
import type { FixContext } from './place.ts'
import { reset, setDefault, setRepeat, sourceOf } from './set.ts'
import { removeLayer } from './wire.ts'

/** Pictures with another number of channels than the network takes. */
export function* dataChannels(context: FixContext): Generator<Candidate> {
  const { document, problem, vocabulary } = context
  const name = problem.node.slice(1)
  const input = document.inputs.get(name)
  const channels = Number(problem.data.channels)
  if (input === undefined) return
  const knob = typeof input.channels === 'string' ? sourceOf(input.channels) : null
  const spec = knob === null ? undefined : document.params.get(knob)
  if (knob !== null && spec !== undefined) {
    const patched = setKnob(document, knob, { ...spec, default: channels, role: 'channels' })
    yield { kind: 'set_knob', data: { param: knob, value: channels }, document: patched }
  }
  const patched = setInput(document, name, { ...input, channels })
  yield { kind: 'set_input_channels', data: { input: name, channels }, document: patched }
  const expected = Number(problem.data.expected)
  if (channels !== 1 || expected > 16) return
  const inputs = new Array<string>(expected).fill(name)
  const copies = addNode(patched, null, { op: 'concat', inputs, id: 'grey' }, vocabulary)
  const nodes = new Map<string, Node>()
  const copy = copies.document.nodes.get(copies.id)
  if (copies.id === '' || copy === undefined) return
  nodes.set(copies.id, copy)
  for (const [id, node] of patched.nodes) {
    nodes.set(
      id,
      mapRefs(node, (ref) => (ref === name ? copies.id : ref)),
    )
  }
  yield { kind: 'repeat_grey', data: { channels: expected }, document: { ...copies.document, nodes } }
}

const kindByRank: Record<number, DocumentInput['kind']> = { 1: 'signal', 2: 'image', 3: 'volume' }

/** Volumes where flat pictures were expected, and the other way round. */
export function* dataRank({ document, problem, options }: FixContext): Generator<Candidate> {
  const got = Number(problem.data.got)
  const kind = kindByRank[got]
  if (kind === undefined) return
  let patched = document
  let shown = ''
  for (const [name, input] of document.inputs) {
    if (input.size === undefined || input.kind === 'seq') continue
    const size = options.inputs?.[name]?.size ?? options.data?.size ?? input.size
    shown = size.join('×')
    patched = setInput(patched, name, { ...input, kind, size: [...size] })
  }
  yield { kind: 'set_input_kind', data: { rank: got, size: shown }, document: patched }
}

/** An input without a usable number of channels or size. */
export function* inputSize({ document, problem, options }: FixContext): Generator<Candidate> {
  const { input: name, param } = problem.data
  const input = typeof name === 'string' ? document.inputs.get(name) : undefined
  if (typeof name !== 'string' || input === undefined) return
  if (param === 'channels') {
    for (const channels of new Set([options.data?.channels ?? 3, 1])) {
      const patched = setInput(document, name, { ...input, channels })
      yield { kind: 'set_input_channels', data: { input: name, channels }, document: patched }
    }
    return
  }
  const rank = input.kind === 'volume' ? 3 : input.kind === 'image' ? 2 : 1
  for (const side of rank === 3 ? [64, 32] : [224, 64]) {
    const size = new Array<number>(rank).fill(side)
    const patched = setInput(document, name, { ...input, size })
    yield { kind: 'set_input_size', data: { size: size.join('×') }, document: patched }
  }
}

/** A formula with a wrong word in it, or one that cannot be worked out. */
export function* formula(context: FixContext): Generator<Candidate> {
  const { problem, levels, document } = context
  const { param, text, symbol, nearest } = problem.data
  if (typeof param !== 'string' || typeof text !== 'string') return
  const last = levels.at(-1)
  if (typeof nearest === 'string' && typeof symbol === 'string') {
    const next = text.replaceAll(/(^|[^\p{L}\p{M}\p{Nd}_.])([\p{L}\p{M}\p{Nd}_]+)/gu, (all, before, word) =>
      word === symbol ? before + nearest : all,
    )
    for (const patched of withText(context, { param, text, next })) {
      yield { kind: 'replace_word', data: { symbol, nearest }, document: patched }
    }
  }
  if (last === undefined) {
    yield* setDefault(document, param, 1)
    return
  }
  if (param === 'repeat') yield* setRepeat(context, levels, 1)
  if (param === 'off' && last.scope !== undefined) {
    const patched = changeNode(document, last.scope, last.id, { off: false })
    yield { kind: 'reset_param', data: { param }, document: patched }
  }
  yield* reset(context, param)
  yield* removeLayer(context)
}

/** The document with `text` written as `next` where the problem stands. */
function withText(
  { document, levels }: FixContext,
  { param, text, next }: { param: string; text: string; next: string },
): Document[] {
  const last = levels.at(-1)
  const change = (value: ParamValue): ParamValue =>
    Array.isArray(value) ? value.map((item) => (item === text ? next : item)) : value === text ? next : value
  if (last === undefined) {
    const spec = document.params.get(param)
    if (spec !== undefined) return [setKnob(document, param, { ...spec, default: change(spec.default) })]
    return [...document.inputs].flatMap(([name, input]) => {
      const channels = input.channels === text ? next : input.channels
      const size = input.size?.map((item) => (item === text ? next : item))
      const isSame = channels === input.channels && size?.join() === input.size?.join()
      return isSame ? [] : [setInput(document, name, { ...input, channels, ...(size && { size }) })]
    })
  }
  if (last.scope === undefined) return []
  if (param === 'repeat') return [changeNode(document, last.scope, last.id, { repeat: next })]
  if (param === 'off') return [changeNode(document, last.scope, last.id, { off: next })]
  const value = last.node.params.get(param)
  if (value === undefined) return []
  return [changeNode(document, last.scope, last.id, { params: new Map([[param, change(value)]]) })]
}

/** More layers than any device could run: fewer repetitions, the largest ones first. */
export function* tooBig(context: FixContext): Generator<Candidate> {
  const { document } = context
  const scopes = [null, ...document.blocks.keys()]
  const repeated = scopes.flatMap((scope) => {
    const nodes = scope === null ? document.nodes : document.blocks.get(scope)?.nodes
    return [...(nodes ?? [])].flatMap(([id, { repeat }]) =>
      typeof repeat === 'number' && repeat > 1 ? [{ scope, id, repeat }] : [],
    )
  })
  const largest = repeated.sort((a, b) => b.repeat - a.repeat).slice(0, 2)
  for (const shift of [1, 3, 8]) {
    for (const { scope, id, repeat } of largest) {
      const value = Math.max(1, repeat >> shift)
      const patched = changeNode(document, scope, id, { repeat: value })
      yield { kind: 'set_repeat', data: { node: id, value }, document: patched }
    }
  }
}

/** A layer whose numbers fit no device. */
export function* tooLarge(context: FixContext): Generator<Candidate> {
  const { levels } = context
  const last = levels.at(-1)
  if (last === undefined) return
  const { repeat } = last.node
  if (last.copy !== null && typeof repeat === 'number') yield* setRepeat(context, levels, last.copy)
  for (const param of last.node.params.keys()) yield* reset(context, param)
  yield* removeLayer(context)
}

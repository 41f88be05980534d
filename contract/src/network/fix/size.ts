/** Repairs of layers that ask for other sizes or other numbers of channels than arrive. */
import { changeNode } from '../edit/edit.ts'
import { setInput } from '../edit/frame.ts'
import { refsOf } from '../edit/slots.ts'
import { sizesOf } from '../resolve/rules.ts'
import { insert } from './insert.ts'
import type { Candidate } from './kinds.ts'
import { edgeAt, type FixContext, inputsAtNode, type Level, placeOf } from './place.ts'
import { divisorsNear, setNumbers, setParam } from './set.ts'
import { removeLayer } from './wire.ts'

/** Too small to shrink further, a kernel larger than the picture. */
export function* tooSmall(context: FixContext): Generator<Candidate> {
  const { levels } = context
  const last = levels.at(-1)
  const [size] = sizesOf(inputsAtNode(context, levels)[0]?.type ?? { k: 'vec', c: 1 })
  yield* removeLayer(context)
  if (last?.node.params.has('stride')) yield* setParam(context, levels, 'stride', 1)
  if (size !== undefined && last?.node.params.has('kernel')) yield* setParam(context, levels, 'kernel', size)
  if (last?.node.op === 'crop') yield* setParam(context, levels, 'amount', Math.floor(((size ?? 1) - 1) / 2))
  yield* workingSize(context)
}

/** Sizes of the network's picture at which every halving comes out even and leaves something, nearest first. */
export function* workingSize(context: FixContext): Generator<Candidate> {
  const { document, before } = context
  for (const [name, input] of document.inputs) {
    const type = before.types.get(`@${name}`)
    const sizes = type === undefined ? [] : sizesOf(type)
    const [now = 1] = sizes
    if (sizes.length === 0) continue
    const smallest = Math.min(...[...before.types.values()].flatMap((other) => sizesOf(other)[0] ?? now))
    const step = Math.min(64, 2 ** Math.ceil(Math.log2(Math.max(2, now / Math.max(1, smallest)))))
    const near = [
      Math.ceil(now / step),
      Math.floor(now / step),
      Math.ceil((2 * now) / step),
      Math.ceil((4 * now) / step),
    ]
    for (const side of new Set(near.map((count) => count * step))) {
      if (side < 1 || side === now) continue
      const size = new Array<number>(sizes.length).fill(side)
      const patched = setInput(document, name, { ...input, size })
      yield { kind: 'set_input_size', data: { size: size.join('×') }, document: patched }
    }
  }
}

/** A picture that cannot be cut into equal parts. */
export function* sizeMultiple(context: FixContext): Generator<Candidate> {
  const { problem, levels } = context
  const { factor } = problem.data
  const [edge, input] = [edgeAt(context, levels, 0), inputsAtNode(context, levels)[0]]
  if (edge !== null && input?.type?.k === 'map' && typeof factor === 'number') {
    const sizes = input.type.s
    const rounded = sizes.map((size) => Math.ceil(size / factor) * factor)
    const missing = rounded.map((size, k) => size - (sizes[k] ?? 0))
    if (missing.every((count) => count % 2 === 0)) {
      const amount = missing.map((count) => count / 2)
      const data = { amount: amount.join(', ') }
      yield* insert(context, placeOf(edge), [{ op: 'pad', params: { amount } }], { kind: 'insert_pad', data })
    }
    const data = { size: rounded.join('×') }
    yield* insert(context, placeOf(edge), [{ op: 'resize', params: { size: rounded } }], {
      kind: 'insert_resize',
      data,
    })
  }
  yield* workingSize(context)
  yield* removeLayer(context)
}

/** Channels that cannot be shared out evenly. */
export function* uneven(context: FixContext): Generator<Candidate> {
  const { problem, levels } = context
  const { c, out, groups, heads, factor } = problem.data
  const last = levels.at(-1)
  const parts = Number(groups ?? heads)
  const isConv = last?.node.op === 'conv' || last?.node.op === 'deconv'
  if (problem.code === 'shuffle_divide') {
    const rank = sizesOf(inputsAtNode(context, levels)[0]?.type ?? { k: 'vec', c: 1 }).length
    yield* channelsBefore(context, multiplesNear(Number(c), Number(factor) ** rank))
    return
  }
  if (problem.code === 'groups_divide_out')
    yield* setNumbers(context, 'out', multiplesNear(Number(out), parts))
  const param = groups === undefined ? 'heads' : 'groups'
  const counts = [c, isConv ? numberAt(context, 'out') : undefined].flatMap((value) =>
    value === undefined ? [] : [Number(value)],
  )
  yield* setNumbers(context, param, divisorsNear(counts.length === 0 ? [Number(out)] : counts, parts))
  if (c !== undefined) yield* channelsBefore(context, multiplesNear(Number(c), parts))
}

function numberAt({ levels }: FixContext, param: string): number | undefined {
  const written = levels.at(-1)?.node.params.get(param)
  return typeof written === 'number' ? written : undefined
}

/** Another number of channels out of the layer before, or by a convolution between. */
function* channelsBefore(context: FixContext, counts: readonly number[]): Generator<Candidate> {
  const { levels, document, vocabulary } = context
  const edge = edgeAt(context, levels, 0)
  if (edge === null) return
  const setter = setterOf(context, edge.levels, edge.input.ref)
  const type = edge.input.type
  for (const count of counts) {
    if (setter !== null) {
      const params = new Map([[setter.param, count]])
      const patched = changeNode(document, setter.level.scope ?? null, setter.level.id, { params })
      yield { kind: 'set_param_of', data: { ...setterData(setter), value: count }, document: patched }
    }
    const [op, kind] =
      type?.k === 'map' ? (['conv', 'insert_conv'] as const) : (['linear', 'insert_linear'] as const)
    const params = type?.k === 'map' ? { out: count, kernel: 1 } : { out: count }
    if (vocabulary.catalogue.has(op))
      yield* insert(context, placeOf(edge), [{ op, params }], { kind, data: { channels: count } })
  }
}

interface Setter {
  level: Level
  levels: readonly Level[]
  param: string
}

function setterData({ level, param }: Setter): { node: string; param: string } {
  return { node: level.id, param }
}

/** The layer that decides how many channels a reference has, behind activations, normalisation and the like. */
export function setterOf(context: FixContext, levels: readonly Level[], ref: string | null): Setter | null {
  const { document, vocabulary } = context
  const around = levels.slice(0, -1)
  const here = levels.at(-1)
  const seen = new Set<string>()
  let id = ref
  while (here !== undefined && id !== null && !seen.has(id)) {
    seen.add(id)
    const node = here.nodes.get(id)
    if (node === undefined) return null
    const block = document.blocks.get(node.op) ?? vocabulary.std.get(node.op)
    const entry = vocabulary.catalogue.get(node.op)
    const rule = entry?.out[0].c ?? ''
    const param = block === undefined ? rule : 'out'
    const isOwn = block === undefined ? entry?.params.has(param) === true : block.params.has(param)
    const level = { ...here, id, node, copy: null }
    if (isOwn) return { level, levels: [...around, level], param }
    if (block !== undefined || rule !== 'c') return null
    id = refsOf(node)[0] ?? null
  }
  return null
}

/** The next multiple above, and the one below. */
function multiplesNear(value: number, step: number): number[] {
  const above = Math.ceil(value / step) * step
  return [above, above - step].filter((count) => count > 0)
}

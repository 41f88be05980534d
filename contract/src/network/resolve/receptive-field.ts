/** How much of the input one element of a layer's output can see, by the catalogue's `rf` rules. */
import type { Catalogue, OpEntry } from '../catalogue.ts'
import type { Plan, PlanNode, TensorType } from './plan.ts'
import { RuleScope, sizesOf } from './rules.ts'

/** All in pixels of the input, one number an axis. */
export interface ReceptiveField {
  size: number[]
  /** From one element to the next. */
  stride: number[]
  /** Where the first element's field begins; negative where it reaches over the edge. */
  offset: number[]
}

/** By node; `global`: every element sees the whole input. Limits of the picture are left aside, as papers do. */
export function receptiveFields(
  plan: Pick<Plan, 'nodes' | 'inputs'>,
  catalogue: Catalogue,
): Map<string, ReceptiveField | 'global'> {
  const types = new Map<string, TensorType>()
  const fields = new Map<string, ReceptiveField | 'global'>()
  for (const [name, type] of Object.entries(plan.inputs)) {
    types.set(`@${name}`, type)
    fields.set(`@${name}`, type.k === 'map' ? point(type.s.length) : 'global')
  }
  for (const node of plan.nodes) {
    types.set(node.id, node.type)
    const entry = catalogue.get(node.op)
    const sources = Object.values(node.in).slice(0, readsShapeOnly.has(node.op) ? 1 : undefined)
    const before = union(sources.map((id) => fields.get(id) ?? 'global'))
    const inputs = Object.values(node.in).flatMap((id) => types.get(id) ?? [])
    const field = entry === undefined || before === 'global' ? 'global' : step(node, entry, inputs, before)
    fields.set(node.id, field)
  }
  for (const name of Object.keys(plan.inputs)) fields.delete(`@${name}`)
  return fields
}

/** Their second input lends its size and nothing else. */
const readsShapeOnly = new Set(['resize_like', 'crop_like', 'tokens_to_map'])
/** Layers without a rule that mix all places, because they mix all elements of a sequence. */
const mixing = new Set(['attention', 'lstm', 'gru', 'mean_tokens', 'take_token', 'flatten'])

function point(rank: number): ReceptiveField {
  const all = (value: number) => new Array<number>(rank).fill(value)
  return { size: all(1), stride: all(1), offset: all(0) }
}

/** From the first place that one of them sees to the last one. */
function union(fields: readonly (ReceptiveField | 'global')[]): ReceptiveField | 'global' {
  const [first, ...others] = fields
  if (first === undefined || first === 'global') return 'global'
  let all = first
  for (const field of others) {
    if (field === 'global') return 'global'
    all = both(all, field)
  }
  return all
}

function both(a: ReceptiveField, b: ReceptiveField): ReceptiveField {
  const offset = a.offset.map((from, k) => Math.min(from, b.offset[k] ?? from))
  const end = (field: ReceptiveField, k: number) => (field.offset[k] ?? 0) + (field.size[k] ?? 1)
  const size = offset.map((from, k) => Math.max(end(a, k), end(b, k)) - from)
  return { size, stride: a.stride, offset }
}

function step(
  node: PlanNode,
  entry: OpEntry,
  inputs: readonly TensorType[],
  before: ReceptiveField,
): ReceptiveField | 'global' {
  if (entry.rf === 'global' || mixing.has(node.op)) return 'global'
  const windows = windowsOf(node, entry, inputs)
  return {
    size: before.size.map((size, k) => size + ((windows[k]?.kernel ?? 1) - 1) * (before.stride[k] ?? 1)),
    stride: before.stride.map((stride, k) => stride * (windows[k]?.stride ?? 1)),
    offset: before.offset.map((from, k) => from - (windows[k]?.pad ?? 0) * (before.stride[k] ?? 1)),
  }
}

/** What one output element reads on one axis, in elements of the layer's input. */
interface Window {
  kernel: number
  stride: number
  pad: number
}

function windowsOf(node: PlanNode, entry: OpEntry, inputs: readonly TensorType[]): Window[] {
  const [first] = inputs
  const sizes = first === undefined ? [] : sizesOf(first)
  const scope = new RuleScope(entry, node.params, inputs).withOutput(node.type)
  const pads = padsOf(node, sizes.length)
  const { rf } = entry
  if (rf !== undefined && rf !== 'global') {
    return scope.eachAxis((axis) => {
      const stride = scope.number(rf.s)
      // A transposed convolution reads from where its kernel reaches back to.
      const back =
        stride < 1 && pads.length > 0 ? Math.floor(((kernelAt(node, axis) ?? 1) - 1) * stride) : null
      return { kernel: scope.number(rf.k), stride, pad: back ?? pads[axis] ?? 0 }
    })
  }
  if (node.op === 'pad' || node.op === 'crop') {
    const sign = node.op === 'pad' ? 1 : -1
    return listOf(node.params.amount).map((amount) => ({ kernel: 1, stride: 1, pad: sign * amount }))
  }
  if (node.op === 'patches')
    return listOf(node.params.size).map((size) => ({ kernel: size, stride: size, pad: 0 }))
  if (node.op === 'window_attention') {
    const window = Number(node.params.window)
    return sizes.map(() => ({ kernel: window, stride: 1, pad: 0 }))
  }
  return resized(node, sizes)
}

/** Layers that resize to a given size have no rule, because their step follows from the sizes. */
function resized(node: PlanNode, sizes: readonly number[]): Window[] {
  if (node.op !== 'resize' && node.op !== 'resize_like') return []
  const kernel = node.params.mode === 'nearest' ? 1 : 2
  return sizesOf(node.type).map((size, k) => ({ kernel, stride: (sizes[k] ?? size) / size, pad: 0 }))
}

function padsOf({ params }: PlanNode, rank: number): number[] {
  return listOf(params.pad).slice(0, rank)
}

function kernelAt({ params }: PlanNode, axis: number): number | undefined {
  return listOf(params.kernel)[axis]
}

function listOf(value: PlanNode['params'][string] | undefined): number[] {
  return Array.isArray(value) ? value : []
}

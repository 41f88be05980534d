/** What training keeps of one sample between the forward and the backward pass, by the catalogue's `keep` rules. */
import type { Catalogue, OpEntry } from './catalogue.ts'
import type { Plan, PlanNode, TensorType } from './resolve/plan.ts'
import { elementsOf, RuleScope } from './resolve/rules.ts'

/** Single precision. */
export const bytesPerNumber = 4

/**
 * The union of all kept tensors: `conv → bn → relu → conv` keeps three pictures, not six, because the output of one is
 * the input of the next; a view shares its input's storage. A layer keeps nothing when no gradient passes through it.
 * `byNode` counts a tensor at the node that made it (`@image` for an input).
 */
export function keptBytes(
  nodes: readonly PlanNode[],
  inputs: Plan['inputs'],
  catalogue: Catalogue,
): { kept: number; transient: number; byNode: Map<string, number> } {
  const storage = new Map<string, Storage>()
  for (const [name, type] of Object.entries(inputs)) {
    storage.set(`@${name}`, { root: `@${name}`, type, bytes: bytesOf(type), hasGradient: false })
  }
  const kept = new Map<string, number>()
  const extra = new Map<string, number>()
  let transient = 0
  for (const node of nodes) {
    const entry = catalogue.get(node.op)
    if (entry === undefined) continue
    const sources = Object.values(node.in).flatMap((id) => storage.get(id) ?? [])
    const own = storageOf(node, entry, sources)
    storage.set(node.id, own)
    const rules = keepRules(entry, node, sources, own)
    for (const { root, bytes } of rules.tensors) kept.set(root, bytes)
    if (rules.bytes !== 0) extra.set(node.id, rules.bytes)
    const around = sources.reduce((sum, source) => sum + bytesOf(source.type), bytesOf(node.type))
    transient = Math.max(transient, around)
  }
  const byNode = new Map(kept)
  for (const [id, bytes] of extra) byNode.set(id, (kept.get(id) ?? 0) + bytes)
  return { kept: [...byNode.values()].reduce((sum, bytes) => sum + bytes, 0), transient, byNode }
}

interface Storage {
  /** The node that made the memory; a view points to where its data lies. */
  root: string
  type: TensorType
  bytes: number
  /** Whether a gradient flows back into it: something learnable stands at or before it. */
  hasGradient: boolean
}

function bytesOf(type: TensorType): number {
  return bytesPerNumber * elementsOf(type)
}

function storageOf(node: PlanNode, entry: OpEntry, sources: readonly Storage[]): Storage {
  const hasGradient = node.learn > 0 || sources.some((source) => source.hasGradient)
  const [first] = sources
  if (entry.keep === 'view' && first !== undefined) {
    return { root: first.root, type: node.type, bytes: first.bytes, hasGradient }
  }
  return { root: node.id, type: node.type, bytes: bytesOf(node.type), hasGradient }
}

function keepRules(
  entry: OpEntry,
  node: PlanNode,
  sources: readonly Storage[],
  own: Storage,
): { tensors: Storage[]; bytes: number } {
  if (!own.hasGradient) return { tensors: [], bytes: 0 }
  if (typeof entry.keep === 'string') {
    const names = entry.keep.split(' ')
    const tensors = [...(names.includes('in') ? sources : []), ...(names.includes('out') ? [own] : [])]
    return { tensors, bytes: 0 }
  }
  const { in: input = '0', out = '0', peers = '0', bytes = '0' } = entry.keep
  const isLive = sources.some((source) => source.hasGradient)
  const types = sources.map((source) => source.type)
  const scope = new RuleScope(entry, node.params, types, isLive).withOutput(node.type)
  const tensors: Storage[] = []
  if (scope.truth(input)) tensors.push(...sources)
  if (scope.truth(out)) tensors.push(own)
  if (scope.truth(peers)) {
    tensors.push(...sources.filter((_, k) => sources.some((other, j) => j !== k && other.hasGradient)))
  }
  return { tensors, bytes: scope.number(bytes) }
}

/** Where a problem stands: the graphs around it, what arrives at its inputs, and what could be connected there. */
import type { Vocabulary } from '../document/canonical.ts'
import type { Document, Node, ParamSpec } from '../document/document.ts'
import { wouldLoop } from '../edit/edit.ts'
import { graphOf, type Scope } from '../edit/graph.ts'
import { portsOf, type Slot, slotsOf, spellOut } from '../edit/slots.ts'
import { baseOf } from '../resolve/order.ts'
import type { TensorType } from '../resolve/plan.ts'
import type { ErrorCode, Problem, WarningCode } from '../resolve/problems.ts'
import type { Resolved, ResolveOptions } from '../resolve/resolve.ts'

/** One step of a path: a node and the graph in which it stands. */
export interface Level {
  /** undefined: a block of the library, which cannot be changed. */
  scope: Scope | undefined
  nodes: ReadonlyMap<string, Node>
  ports: readonly string[]
  params: ReadonlyMap<string, ParamSpec>
  id: string
  node: Node
  /** Path of the use around with a slash behind, '' at the top. */
  prefix: string
  copy: number | null
}

export interface FixContext {
  problem: Problem<ErrorCode | WarningCode>
  /** Every `in` is written out. */
  document: Document
  vocabulary: Vocabulary
  options: ResolveOptions
  before: Resolved
  /** From the document down to the node of the problem; none for heads, inputs and the whole. */
  levels: readonly Level[]
}

export function levelsOf(document: Document, vocabulary: Vocabulary, path: string): Level[] {
  const levels: Level[] = []
  let scope: Scope | undefined = null
  let graph = graphOf(document, null)
  let prefix = ''
  for (const step of path.split('/')) {
    const last = levels.at(-1)
    if (/^\d+$/.test(step) && last !== undefined) {
      last.copy = Number(step)
      prefix += `${step}/`
      continue
    }
    const node = graph?.nodes.get(step)
    if (graph === null || node === undefined) return []
    const nodes = spellOut(graph.nodes, graph.ports)
    const { ports, params } = graph
    levels.push({ scope, nodes, ports, params, id: step, node: nodes.get(step) ?? node, prefix, copy: null })
    prefix += `${step}/`
    const isLocal: boolean = scope !== undefined && document.blocks.has(node.op)
    const block = isLocal ? document.blocks.get(node.op) : vocabulary.std.get(node.op)
    scope = isLocal ? node.op : undefined
    graph = block === undefined ? null : { nodes: block.nodes, ports: block.inputs, params: block.params }
  }
  return levels
}

/** The deepest place that can be changed, with the levels above it. */
export function editable(levels: readonly Level[]): Level[] {
  const first = levels.findIndex(({ scope }) => scope === undefined)
  return first < 0 ? [...levels] : levels.slice(0, first)
}

export interface Input extends Slot {
  slot: number
  type: TensorType | undefined
}

/** All inputs of the last level's node, free ones too. */
export function inputsAtNode(context: FixContext, levels: readonly Level[]): Input[] {
  const level = levels.at(-1)
  if (level === undefined) return []
  const slots = slotsOf(level.node, portsOf(level.node.op, context.document, context.vocabulary))
  const own = level.prefix + level.id
  const before = level.copy !== null && level.copy > 0 ? `${own}/${level.copy - 1}` : null
  return slots.map((slot, k) => {
    const isChained = k === 0 && before !== null
    const type = isChained ? context.before.types.get(before) : typeOfRef(context, levels, slot.ref)
    return { ...slot, slot: k, type }
  })
}

/** What comes out of a reference in the last level's graph, where that is known. */
export function typeOfRef(
  context: FixContext,
  levels: readonly Level[],
  ref: string | null,
): TensorType | undefined {
  const level = levels.at(-1)
  if (level === undefined || ref === null) return undefined
  const { types } = context.before
  const port = level.ports.indexOf(ref)
  if (port < 0) return types.get(level.prefix + ref)
  const above = levels.slice(0, -1)
  const use = above.at(-1)
  if (use === undefined) return types.get(`@${ref}`)
  return inputsAtNode(context, above)[port]?.type
}

/** A place where an edge ends that can be changed: an input of a library block is one of its use. */
export interface Edge {
  levels: readonly Level[]
  level: Level & { scope: Scope }
  input: Input
}

export function edgeAt(context: FixContext, levels: readonly Level[], slot: number): Edge | null {
  const level = levels.at(-1)
  const input = inputsAtNode(context, levels)[slot]
  if (level === undefined || input === undefined) return null
  const { scope } = level
  if (scope !== undefined) return { levels, level: { ...level, scope }, input }
  const port = input.ref === null ? -1 : level.ports.indexOf(input.ref)
  return port < 0 ? null : edgeAt(context, levels.slice(0, -1), port)
}

/** As edits take it. */
export interface Target {
  scope: Scope
  target: string
  slot: number
}

export function placeOf({ level, input }: Edge): Target {
  return { scope: level.scope, target: level.id, slot: input.slot }
}

/** Everything that could be connected to the last level's node, nearest above it first. */
export function sourcesFor(
  context: FixContext,
  levels: readonly Level[],
): { ref: string; type: TensorType }[] {
  const level = levels.at(-1)
  const scope = level?.scope
  if (level === undefined || scope === undefined) return []
  const ids = [...level.nodes.keys()]
  const at = ids.indexOf(level.id)
  const names = [...ids.slice(0, at).reverse(), ...[...level.ports].reverse(), ...ids.slice(at + 1)]
  return names.flatMap((ref) => {
    const type = typeOfRef(context, levels, ref)
    const isLoop = () => wouldLoop(context.document, scope, { source: ref, target: level.id })
    return type === undefined || isLoop() ? [] : [{ ref, type }]
  })
}

/** Place of a name in the written order: ports come first. */
export function orderOf(level: Pick<Level, 'nodes' | 'ports'>, ref: string): number {
  return [...level.ports, ...level.nodes.keys()].indexOf(baseOf(ref))
}

/** Nodes become a block of their own: its ports are the cut edges, its parameters the names that the nodes use. */
import type { Vocabulary } from '../document/canonical.ts'
import { type Block, type Document, type Node, networkLimits, type ParamSpec } from '../document/document.ts'
import { baseOf } from '../resolve/order.ts'
import { expressionsOf, isExpression, namesOfText } from './expressions.ts'
import {
  exportedRefs,
  type Graph,
  graphOf,
  mapMap,
  mapOutlets,
  type Scope,
  silentOutput,
  withNodes,
} from './graph.ts'
import { comesBack } from './loops.ts'
import { blockNames, Names, namesOf } from './names.ts'
import { explicit, mapRefs, refsOf } from './slots.ts'

// One import for whoever edits blocks.
export { makeLocal } from './adopt.ts'
export { dissolveBlock } from './dissolve.ts'
export { type BlockNumber, liftParameter, parametersOf } from './parameters.ts'

/**
 * `loop`: a way leaves the nodes and comes back to them; `share`: weights are shared across the border; `inputs`: more
 * ports than a block may have; `empty`: none of the nodes is there.
 */
export type GroupRefusal = 'empty' | 'loop' | 'share' | 'inputs'

/**
 * The network means the same afterwards: same layers, same numbers, one level deeper. `id`: the one node in place of
 * them; `block`: what it uses.
 */
export function groupNodes(
  document: Document,
  scope: Scope,
  ids: Iterable<string>,
  name: string,
  vocabulary: Vocabulary,
): { document: Document; id: string; block: string } | { refused: GroupRefusal } {
  const ready = explicit(document, vocabulary)
  const graph = graphOf(ready, scope)
  const chosen = new Set([...ids].filter((id) => graph?.nodes.has(id)))
  if (graph === null || chosen.size === 0) return { refused: 'empty' }
  if (sharesAcross(graph, chosen)) return { refused: 'share' }
  if (comesBack(graph, chosen)) return { refused: 'loop' }
  const inputs = cutInputs(graph, chosen)
  if (inputs.size > networkLimits.inputs) return { refused: 'inputs' }
  const outputs = cutOutputs(ready, scope, graph, chosen)
  const blockName = blockNames(ready, vocabulary).make(name)
  const block = makeBlock(graph, chosen, { inputs, outputs })
  const blocks = new Map(ready.blocks).set(blockName, block)
  const id = namesOf(ready, scope).make(name)
  const use: Node = {
    op: blockName,
    in: [...inputs.keys()].filter((ref) => ref !== nothing),
    params: new Map([...block.params.keys()].map((param) => [param, `=${param}`])),
  }
  const follow = (ref: string) => {
    const port = outputs.get(ref)
    if (port === undefined) return ref
    return outputs.size === 1 ? id : `${id}.${port}`
  }
  const nodes = replaceNodes(graph, chosen, [id, use], follow)
  const after = mapOutlets(withNodes({ ...ready, blocks }, scope, nodes), scope, follow)
  return { document: after, id, block: blockName }
}

/** Stands for the input that a block must have although its nodes read nothing. No reference looks like it. */
const nothing = ''

function sharesAcross({ nodes }: Graph, chosen: ReadonlySet<string>): boolean {
  return [...nodes].some(([id, { share }]) => share !== undefined && chosen.has(id) !== chosen.has(share))
}

/** What the nodes read from outside, and the port it becomes. Names that expressions ask for a shape stay. */
function cutInputs({ nodes, ports, params }: Graph, chosen: ReadonlySet<string>): Map<string, string> {
  const inner = [...nodes].filter(([id]) => chosen.has(id)).map(([, node]) => node)
  const spoken = new Set(inner.flatMap(expressionsOf).flatMap(namesOfText))
  const asked = ports.filter((port) => spoken.has(port))
  const refs = inner.flatMap(refsOf).filter((ref) => !chosen.has(baseOf(ref)))
  const names = new Names(['in', 'i', ...params.keys(), ...chosen, ...asked])
  const inputs = new Map<string, string>()
  for (const ref of new Set([...refs, ...asked])) {
    inputs.set(ref, asked.includes(ref) ? ref : names.make(ref.replace('.', '_')))
  }
  return inputs.size === 0 ? new Map([[nothing, names.make('x')]]) : inputs
}

/** What is read from outside, and the port that gives it; what the scope gave silently comes first. */
function cutOutputs(
  document: Document,
  scope: Scope,
  { nodes }: Graph,
  chosen: ReadonlySet<string>,
): Map<string, string> {
  const silent = silentOutput(document, scope)
  const others = [...nodes].filter(([id]) => !chosen.has(id)).flatMap(([, node]) => refsOf(node))
  const first = silent === null ? [] : [silent]
  const refs = [...first, ...others, ...exportedRefs(document, scope)].filter((ref) =>
    chosen.has(baseOf(ref)),
  )
  const names = new Names([])
  return new Map([...new Set(refs)].map((ref) => [ref, names.make(ref.replace('.', '_'))]))
}

function makeBlock(
  graph: Graph,
  chosen: ReadonlySet<string>,
  { inputs, outputs }: { inputs: ReadonlyMap<string, string>; outputs: ReadonlyMap<string, string> },
): Block {
  const inner = [...graph.nodes].filter(([id]) => chosen.has(id))
  const nodes = new Map(inner.map(([id, node]) => [id, mapRefs(node, (ref) => inputs.get(ref) ?? ref)]))
  const used = inner.flatMap(([, node]) => expressionsOf(node)).flatMap(namesOfText)
  const params = mapMap(paramsFor(graph.params, used), withoutRole)
  const block: Block = { inputs: [...inputs.values()], params, nodes }
  const [only] = outputs.keys()
  const isLast = outputs.size === 0 || (outputs.size === 1 && only === inner.at(-1)?.[0])
  return isLast ? block : { ...block, outputs: new Map([...outputs].map(([ref, port]) => [port, ref])) }
}

/** With the parameters that their defaults speak of, in the order they had. */
export function paramsFor(
  params: ReadonlyMap<string, ParamSpec>,
  used: readonly string[],
): Map<string, ParamSpec> {
  const wanted = new Set(used)
  for (const [name, { default: standard }] of [...params].toReversed()) {
    if (!wanted.has(name)) continue
    for (const text of [standard].flat().filter(isExpression)) {
      for (const word of namesOfText(text)) wanted.add(word)
    }
  }
  const needed = [...params].filter(([name]) => wanted.has(name))
  return new Map(needed)
}

/** Data binds the parameters of the network alone; a block is given them. */
export function withoutRole({ role: _role, ...spec }: ParamSpec): ParamSpec {
  return spec
}

/** One node instead of many, where the last of them stood. */
function replaceNodes(
  graph: Graph,
  chosen: ReadonlySet<string>,
  use: [string, Node],
  follow: (ref: string) => string,
): Map<string, Node> {
  const last = [...graph.nodes.keys()].findLast((id) => chosen.has(id))
  const nodes = new Map<string, Node>()
  for (const [id, node] of graph.nodes) {
    if (id === last) nodes.set(...use)
    if (!chosen.has(id)) nodes.set(id, mapRefs(node, follow))
  }
  return nodes
}

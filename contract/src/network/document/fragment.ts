/** Copy and paste: nodes as a text of their own, and that text into another graph. Wrong texts come back as problems. */

import { adoptBlocks, insideFirst, opsOf, withOp } from '../edit/adopt.ts'
import { paramsFor, withoutRole } from '../edit/blocks.ts'
import { copyOf } from '../edit/copy.ts'
import { expressionsOf, namesOfText } from '../edit/expressions.ts'
import {
  type Graph,
  graphOf,
  hasSource,
  insertNodes,
  type Scope,
  withBlock,
  withoutShare,
} from '../edit/graph.ts'
import { namesOf } from '../edit/names.ts'
import { explicit, portsOf, rewire, spellOut } from '../edit/slots.ts'
import { baseOf } from '../resolve/order.ts'
import type { DocumentProblem } from '../resolve/problems.ts'
import { writeFragment } from '../yaml/write.ts'
import { readFragmentYaml } from '../yaml/yaml.ts'
import type { Vocabulary } from './canonical.ts'
import { type Document, type Fragment, type Node, networkLimits } from './document.ts'

/** With the local blocks that the nodes need, and the parameters that their expressions use. */
export function copyFragment(
  document: Document,
  scope: Scope,
  ids: Iterable<string>,
  vocabulary: Vocabulary,
): string {
  const graph = graphOf(explicit(document, vocabulary), scope)
  const chosen = new Set(ids)
  const nodes = new Map<string, Node>()
  for (const [id, node] of graph?.nodes ?? []) if (chosen.has(id)) nodes.set(id, copyOf(node, new Map()))
  const needed = insideFirst(opsOf({ nodes }), (op) => document.blocks.get(op))
  const blocks = new Map([...document.blocks].filter(([name]) => needed.has(name)))
  return writeFragment(
    { params: paramsFor(graph?.params ?? new Map(), wordsOf(nodes)), blocks, nodes },
    vocabulary,
  )
}

/**
 * New ids where the old ones are taken; references to what is not there are left open. Blocks and parameters come along
 * unless they are there already; a block of that name that is another one stays, and the pasted one is renamed.
 */
export function pasteFragment(
  document: Document,
  scope: Scope,
  text: string,
  vocabulary: Vocabulary,
): { document: Document; ids: string[] } | { problems: DocumentProblem[] } {
  const { fragment, problems } = readFragmentYaml(text)
  if (fragment === null) return { problems }
  const ready = explicit(document, vocabulary)
  const graph = graphOf(ready, scope)
  if (graph === null) return { document, ids: [] }
  const adopted = adoptBlocks(ready, opsOf(fragment), fragment.blocks, vocabulary)
  const most = networkLimits.names
  for (const [path, count] of [
    ['nodes', graph.nodes.size + fragment.nodes.size],
    ['blocks', adopted.document.blocks.size],
  ] as const) {
    if (count > most) return { problems: [tooMany(path, most, count)] }
  }
  const whole = withParams(adopted.document, scope, fragment)
  const names = namesOf(whole, scope)
  const moved = new Map([...fragment.nodes].map(([id, { op }]) => [id, names.follow(id, op)]))
  const entries = [...spellOut(fragment.nodes, [])].map(([id, node]): [string, Node] => [
    moved.get(id) ?? id,
    pasted(withOp(node, adopted.names), { moved, graph, whole, vocabulary }),
  ])
  const result = insertNodes(whole, scope, entries, null)
  return { document: explicit(result, vocabulary), ids: [...moved.values()] }
}

interface Place {
  moved: ReadonlyMap<string, string>
  /** As it was before. */
  graph: Graph
  whole: Document
  vocabulary: Vocabulary
}

function pasted(node: Node, { moved, graph, whole, vocabulary }: Place): Node {
  const isKnown = (ref: string) => moved.has(baseOf(ref)) || hasSource(graph, ref)
  const known = rewire(node, portsOf(node.op, whole, vocabulary), (ref) => (isKnown(ref) ? ref : null))
  const { share } = known
  const isShared = share === undefined || moved.has(share) || graph.nodes.get(share)?.op === node.op
  return copyOf(isShared ? known : withoutShare(known), moved)
}

function withParams(document: Document, scope: Scope, { params, nodes }: Fragment): Document {
  const graph = graphOf(document, scope)
  if (graph === null) return document
  const merged = new Map(graph.params)
  const roles = new Set([...merged.values()].map(({ role }) => role))
  for (const [name, spec] of paramsFor(params, wordsOf(nodes))) {
    const isTaken = merged.has(name) || graph.ports.includes(name) || merged.size >= networkLimits.inputs
    if (isTaken) continue
    merged.set(name, scope !== null || roles.has(spec.role) ? withoutRole(spec) : spec)
  }
  if (scope === null) return { ...document, params: merged }
  return withBlock(document, scope, (block) => ({ ...block, params: merged }))
}

function wordsOf(nodes: ReadonlyMap<string, Node>): string[] {
  return [...nodes.values()].flatMap(expressionsOf).flatMap(namesOfText)
}

function tooMany(path: string, most: number, count: number): DocumentProblem {
  return { code: 'too_many', path, line: null, column: null, data: { most, count } }
}

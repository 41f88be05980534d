/** Brings blocks into a document, from its library or from elsewhere, so that they mean there what they meant before. */
import { canonicalDocument, type Vocabulary } from '../document/canonical.ts'
import { type Block, type Document, documentVersion, type Node, networkLimits } from '../document/document.ts'
import { graphOf, mapMap, type Scope, withNode } from './graph.ts'
import { blockNames } from './names.ts'
import { explicit } from './slots.ts'

/** The node gets a copy of its block that nobody else uses, ready to be changed. Layers have none. */
export function makeLocal(document: Document, scope: Scope, id: string, vocabulary: Vocabulary): Document {
  const node = graphOf(document, scope)?.nodes.get(id)
  const own = node === undefined ? undefined : document.blocks.get(node.op)
  const block = node === undefined ? undefined : (own ?? vocabulary.std.get(node.op))
  if (node === undefined || block === undefined || document.blocks.size >= networkLimits.names)
    return document
  const name = blockNames(document, vocabulary).make(node.op)
  const inside = own === undefined ? adoptBlocks(document, opsOf(block), new Map(), vocabulary) : null
  const blocks = new Map(inside?.document.blocks ?? document.blocks)
  blocks.set(name, inside === null ? block : withOps(block, inside.names))
  return explicit(withNode({ ...document, blocks }, scope, id, { ...node, op: name }), vocabulary)
}

/**
 * Everything that `ops` need from `foreign`, and from the library where a block of this document hides it. `names` says
 * what an op is called here; a block that is here already, the same in every word, is not brought twice.
 */
export function adoptBlocks(
  document: Document,
  ops: Iterable<string>,
  foreign: ReadonlyMap<string, Block>,
  vocabulary: Vocabulary,
): { document: Document; names: ReadonlyMap<string, string> } {
  const find = (op: string) =>
    foreign.get(op) ?? (document.blocks.has(op) ? vocabulary.std.get(op) : undefined)
  const taken = blockNames(document, vocabulary)
  const blocks = new Map(document.blocks)
  const names = new Map<string, string>()
  for (const op of insideFirst(ops, find)) {
    const found = find(op)
    if (found === undefined) continue
    const block = withOps(found, names)
    const here = document.blocks.get(op)
    if (here !== undefined && isSame(here, block, vocabulary)) continue
    const name = taken.make(op)
    if (name !== op) names.set(op, name)
    blocks.set(name, block)
  }
  return { document: { ...document, blocks }, names }
}

export function withOps(block: Block, names: ReadonlyMap<string, string>): Block {
  return { ...block, nodes: mapMap(block.nodes, (node) => withOp(node, names)) }
}

export function withOp(node: Node, names: ReadonlyMap<string, string>): Node {
  return { ...node, op: names.get(node.op) ?? node.op }
}

export function opsOf({ nodes }: Pick<Block, 'nodes'>): string[] {
  return [...new Set([...nodes.values()].map(({ op }) => op))]
}

/** Each op behind those that it needs. With a stack of its own: blocks may lie in each other thousands deep. */
export function insideFirst(
  ops: Iterable<string>,
  find: (op: string) => Block | undefined,
): ReadonlySet<string> {
  const done = new Set<string>()
  const open = new Set<string>()
  const pending = [...ops].toReversed()
  for (let op = pending.at(-1); op !== undefined; op = pending.at(-1)) {
    const block = open.has(op) || done.has(op) ? undefined : find(op)
    if (block === undefined) {
      pending.pop()
      done.add(op)
      continue
    }
    open.add(op)
    pending.push(...opsOf(block).filter((inner) => !open.has(inner)))
  }
  return done
}

function isSame(a: Block, b: Block, vocabulary: Vocabulary): boolean {
  const [first, second] = [a, b].map((block) => JSON.stringify(canonicalDocument(alone(block), vocabulary)))
  return first === second
}

function alone(block: Block): Document {
  const empty = { dripe: documentVersion, name: '', task: '', params: new Map(), inputs: new Map() } as const
  return { ...empty, nodes: new Map(), heads: new Map(), blocks: new Map([['alone', block]]) }
}

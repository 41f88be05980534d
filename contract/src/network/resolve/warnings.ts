/** Amber notes on a network that runs but is probably not what was meant. */
import type { Block, Document } from '../document/document.ts'
import type { Plan, PlanNode } from './plan.ts'
import type { Problem, ProblemData, WarningCode } from './problems.ts'

type Graph = Pick<Plan, 'nodes' | 'heads' | 'inputs'>

/** Blocks of the library are right as they are: what is odd in them was published so. */
export function findWarnings(
  graph: Graph,
  document: Document,
  { std, notes: expanded }: { std: ReadonlyMap<string, Block>; notes: readonly Problem<WarningCode>[] },
): Problem<WarningCode>[] {
  const readers = readersOf(graph)
  const notes = [
    ...graph.nodes.filter(({ id }) => !readers.has(id)).map((node) => note('dead_end', node)),
    ...tiedToSize(graph).map((node) => note('fixed_size', node)),
    ...activationsBeforeLoss(graph),
    ...doubleActivations(graph),
    ...biasBeforeNorm(graph, readers),
    ...deepWithoutNorm(graph),
    ...expanded,
  ]
  return notes.filter(({ node }) => isOwn(node, document, std))
}

function note(code: WarningCode, { id, op }: PlanNode, data: ProblemData = {}): Problem<WarningCode> {
  return { code, node: id, port: null, data: { op, ...data } }
}

/** Heads read too: their name stands for the reading layer. */
function readersOf({ nodes, heads }: Graph): Map<string, string[]> {
  const readers = new Map<string, string[]>()
  const add = (source: string, reader: string) => {
    const known = readers.get(source)
    if (known === undefined) readers.set(source, [reader])
    else known.push(reader)
  }
  for (const { in: inputs, op } of nodes) for (const source of Object.values(inputs)) add(source, op)
  for (const { from } of Object.values(heads)) add(from, 'head')
  return readers
}

const sizing = new Set(['resize', 'adaptavg', 'adaptmax', 'globalavg', 'globalmax', 'to_map'])
const likeReference = new Set(['resize_like', 'crop_like', 'tokens_to_map'])

/**
 * Position embeddings have as many numbers as the picture has patches, and a fully connected layer on a flattened
 * picture as many as that has pixels; unless something before has brought every picture to one size.
 */
function tiedToSize({ nodes, inputs }: Graph): PlanNode[] {
  const sizes = new Set(
    Object.keys(inputs).flatMap((name) => (inputs[name]?.k === 'map' ? [`@${name}`] : [])),
  )
  const counts = new Set<string>()
  const tied: PlanNode[] = []
  for (const node of nodes) {
    const sources = Object.values(node.in)
    const asks = likeReference.has(node.op) ? sources.slice(1) : sources
    const follows = !sizing.has(node.op) && asks.some((source) => sizes.has(source))
    const counted = sources.some((source) => counts.has(source))
    if ((node.op === 'pos_embed' && follows) || (node.op === 'linear' && counted)) tied.push(node)
    if (node.type.k !== 'vec' && follows) sizes.add(node.id)
    if (node.type.k === 'vec' && node.op !== 'linear' && (counted || (node.op === 'flatten' && follows)))
      counts.add(node.id)
  }
  return tied
}

function activationsBeforeLoss({ nodes, heads }: Graph): Problem<WarningCode>[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return Object.values(heads).flatMap(({ task, from }) => {
    const last = byId.get(from)
    if (last === undefined || (task !== 'classification' && task !== 'segmentation')) return []
    return last.op === 'softmax' || last.op === 'sigmoid' ? note('act_before_loss', last) : []
  })
}

/** Those that stand between layers; gates and probabilities may well follow another one. */
export const activations = new Set(
  'relu relu6 leaky prelu elu selu gelu silu mish hardswish softplus'.split(' '),
)

function doubleActivations({ nodes }: Graph): Problem<WarningCode>[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return nodes.flatMap((node) => {
    const before = byId.get(Object.values(node.in)[0] ?? '')
    const isDouble = activations.has(node.op) && before !== undefined && activations.has(before.op)
    return isDouble ? note('double_act', node) : []
  })
}

/** Batch norm subtracts the mean, and with it whatever the bias adds. */
function biasBeforeNorm({ nodes }: Graph, readers: ReadonlyMap<string, string[]>): Problem<WarningCode>[] {
  return nodes.flatMap((node) => {
    const next = readers.get(node.id) ?? []
    const isLost = node.params.bias === true && next.length > 0 && next.every((op) => op === 'bn')
    return isLost ? note('bias_before_bn', node) : []
  })
}

const weighted = new Set(['conv', 'dwconv', 'deconv', 'linear'])
const norms = new Set(['bn', 'gn', 'ln', 'inorm', 'lrn', 'l2norm', 'attention', 'window_attention'])
/** VGG-16 still learns with its sixteen layers in a row. */
const mostWithoutNorm = 20

/** The longest row of layers that no norm and no shortcut interrupts; told once, where it has grown too long. */
function deepWithoutNorm({ nodes }: Graph): Problem<WarningCode>[] {
  const depths = new Map<string, number>()
  let found: PlanNode | null = null
  for (const node of nodes) {
    const before = Object.values(node.in).map((source) => depths.get(source) ?? 0)
    const depth = norms.has(node.op) ? 0 : Math.min(...before) + (weighted.has(node.op) ? 1 : 0)
    depths.set(node.id, depth)
    if (depth > mostWithoutNorm) found ??= node
  }
  return found === null ? [] : [note('no_norm_deep', found, { count: Math.max(...depths.values()) })]
}

function isOwn(path: string, document: Document, std: ReadonlyMap<string, Block>): boolean {
  let nodes: Block['nodes'] | undefined = document.nodes
  for (const step of path.split('/')) {
    if (/^\d+$/.test(step)) continue
    if (nodes === undefined) return false
    const op: string = nodes.get(step)?.op ?? ''
    nodes = document.blocks.get(op)?.nodes ?? (std.has(op) ? undefined : new Map())
  }
  return true
}

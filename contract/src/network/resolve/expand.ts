/** Expands a document into single layers: blocks, repeats, shared weights and bypasses. Mistakes become problems. */
import type { Catalogue } from '../catalogue.ts'
import { type Block, type Node, networkLimits } from '../document/document.ts'
import {
  bindParams,
  type Definition,
  evaluateWritten,
  type Frame,
  FrameScope,
  findDefinition,
  type Placed,
  type Signal,
  waiting,
} from '../frame.ts'
import { isTrue, type Value } from './expr.ts'
import { ExpressionError } from './expr-parse.ts'
import { type Inferred, inferOp } from './infer.ts'
import { requireRange, wrongType } from './op-params.ts'
import { type GraphNode, orderGraph } from './order.ts'
import type { PlanNode, TensorType } from './plan.ts'
import { ModelError, type Problem, type WarningCode } from './problems.ts'
import { connect, type Slot, signalOf } from './wiring.ts'

/** Uses of blocks and bypassed nodes count too, or empty blocks in blocks would expand for ever. */
const mostSteps = 4 * networkLimits.operations
/** An afternoon of typing must not fill the page's memory. */
const mostInferred = 20 * networkLimits.operations

type Graph = Pick<Block, 'nodes'>

/** Layers worked out before, by operation, settings and inputs: live edits ask for the same ones again. */
export type InferMemory = Map<string, Inferred>

export class Expansion {
  readonly nodes: PlanNode[] = []
  readonly problems: Problem[] = []
  readonly notes: Problem<WarningCode>[] = []
  /** Paths that have no result because something before them failed. */
  readonly waiting: string[] = []
  /** What comes out of everything that has a path: nodes, uses of blocks (`stage2`), their copies, ports (`h3.cls`). */
  readonly types = new Map<string, TensorType>()
  private readonly catalogue: Catalogue
  private readonly byId = new Map<string, PlanNode>()
  private readonly reported = new Set<string>()
  private readonly inferred: InferMemory
  private steps = 0
  private isStopped = false

  constructor(catalogue: Catalogue, inferred: InferMemory = new Map()) {
    this.catalogue = catalogue
    this.inferred = inferred
  }

  /** Places every node of a graph; afterwards each has an entry, waiting or not. */
  placeGraph(graph: Graph, frame: Frame): Map<string, Placed> {
    const placed = new Map<string, Placed>([...graph.nodes.keys()].map((id) => [id, waiting]))
    const { nodes, loops } = orderGraph(graph.nodes, [...frame.ports.keys()])
    for (const loop of loops) {
      const [first = ''] = loop
      this.report(new ModelError('cycle', { loop: loop.join(' → ') }), frame, graph, first)
    }
    for (const node of nodes) {
      const done = this.placeNode(node, { graph, frame, placed })
      this.note(frame.path + node.id, done)
      placed.set(node.id, done)
    }
    return placed
  }

  /** Runs one step of the work; a mistake of the model is reported at `id`, and null comes back. */
  attempt<T>(work: () => T, frame: Frame, graph: Graph, id: string): T | null {
    try {
      return work()
    } catch (error) {
      if (error instanceof ModelError) this.report(error, frame, graph, id)
      else if (error instanceof ExpressionError) {
        // Rules of the catalogue are parsed when it is loaded: only numbers beyond all bounds are left to fail.
        this.report(new ModelError('too_large', { input: '∞' }), frame, graph, id)
      } else throw error
      return null
    }
  }

  private placeNode(node: GraphNode, place: Place): Placed {
    const { graph, frame, placed } = place
    const prepared = this.attempt(
      () => {
        const definition = findDefinition(node.node.op, frame.home, this.catalogue)
        const slots = connect(definition, node, frame, placed)
        return { definition, slots, copies: copiesOf(node.node, frame, slots) }
      },
      frame,
      graph,
      node.id,
    )
    if (prepared === null || prepared.copies === null) {
      if (prepared !== null) this.waiting.push(frame.path + node.id)
      return waiting
    }
    return this.placeCopies(node, prepared.definition, prepared.slots, prepared.copies, place)
  }

  private placeCopies(
    { id, node }: GraphNode,
    definition: Definition,
    slots: readonly Slot[],
    copies: number,
    { graph, frame }: Place,
  ): Placed {
    if (copies > 1 && definition.kind === 'block') this.noteOutputs(definition.block, { id, node }, frame)
    let inputs = slots
    let result = passThrough(slots)
    for (let i = 0; i < copies && result.first !== null; i += 1) {
      const name = node.repeat === undefined ? id : `${id}/${i}`
      const done = this.attempt(
        () => this.placeCopy({ definition, node, id, i, name, slots: inputs }, { graph, frame }),
        frame,
        graph,
        name,
      )
      if (done === null) return waiting
      if (node.repeat !== undefined) this.note(frame.path + name, done)
      result = done
      inputs = inputs.map((slot, k) => (k === 0 ? { ...slot, signal: done.first } : slot))
    }
    return result
  }

  /** A copy hands its first output on to the next one; what it gives besides only the last one gives. */
  private noteOutputs(block: Block, { id, node }: Pick<GraphNode, 'id' | 'node'>, frame: Frame): void {
    const [first, ...others] = block.outputs?.keys() ?? []
    if (first === undefined || others.length === 0) return
    const data = { op: node.op, first, others: others.join(', ') }
    this.notes.push({ code: 'repeat_outputs', node: frame.path + id, port: null, data })
  }

  private placeCopy(copy: Copy, { graph, frame }: { graph: Graph; frame: Frame }): Placed {
    this.count()
    if (this.isStopped) return waiting
    const { definition, node, slots } = copy
    const scope = new FrameScope(frame, slots[0]?.signal?.type, copy.i)
    if (node.off !== undefined && isOff(node.off, scope)) return passThrough(slots)
    const given = new Map<string, Value>()
    for (const [name, written] of node.params) given.set(name, evaluateWritten(written, name, scope))
    const owner = ownerPath(copy, graph, frame)
    if (definition.kind === 'op') return this.placeOp(copy, given, frame.path + copy.name, owner)
    return this.placeBlock(copy, definition, given, { frame, owner })
  }

  private placeBlock(
    { name, node, slots }: Copy,
    { block, home }: Extract<Definition, { kind: 'block' }>,
    given: ReadonlyMap<string, Value>,
    { frame, owner }: { frame: Frame; owner: string | null },
  ): Placed {
    const around = [...frame.around, block]
    if (frame.around.includes(block) || around.length > networkLimits.depth) {
      throw new ModelError('too_deep', { op: node.op })
    }
    const ports = new Map<string, Signal>()
    for (const { port, signal } of slots) if (signal !== null) ports.set(port, signal)
    const inner: Frame = {
      home,
      path: `${frame.path}${name}/`,
      around,
      ports,
      params: bindParams(block.params, given, ports),
      sharedFrom: owner === null ? null : `${owner}/`,
    }
    return this.blockOutputs(block, inner, this.placeGraph(block, inner))
  }

  private blockOutputs(block: Block, frame: Frame, placed: ReadonlyMap<string, Placed>): Placed {
    if (block.outputs === undefined) {
      const last = [...block.nodes.keys()].at(-1)
      const first = last === undefined ? [...frame.ports.values()][0] : placed.get(last)?.first
      return { first: first ?? null, outputs: new Map() }
    }
    const outputs = new Map<string, Signal | null>()
    for (const [port, ref] of block.outputs) outputs.set(port, signalOf(ref, frame, placed))
    return { first: [...outputs.values()][0] ?? null, outputs }
  }

  private placeOp(
    { definition, node, slots }: Copy,
    given: ReadonlyMap<string, Value>,
    id: string,
    owner: string | null,
  ): Placed {
    if (definition.kind !== 'op') return waiting
    const signals = slots.flatMap(({ signal }) => (signal === null ? [] : [signal]))
    const types = signals.map(({ type }) => type)
    const result = this.infer(node.op, given, types, () => inferOp(definition.entry, given, types))
    const share = owner === null ? null : this.shareRoot(owner, node.op, result)
    const ports = slots.map(({ port }, k): [string, string] => [port, signals[k]?.id ?? ''])
    const { params, type, learn, buffers, macs } = result
    const planned: PlanNode = {
      id,
      op: node.op,
      in: Object.fromEntries(ports),
      params,
      type,
      learn,
      buffers,
      macs,
      share,
    }
    this.nodes.push(planned)
    this.byId.set(id, planned)
    return { first: { id, type }, outputs: new Map() }
  }

  /** The same layer on the same input comes often (repeats, live edits), and rules take most of the time. */
  private infer(
    op: string,
    given: ReadonlyMap<string, Value>,
    types: readonly TensorType[],
    work: () => Inferred,
  ): Inferred {
    const settings = given.size === 0 ? '' : JSON.stringify([...given])
    const key = `${op} ${settings} ${types.map(keyOf).join(' ')}`
    const known = this.inferred.get(key)
    if (known !== undefined) return known
    const result = work()
    if (this.inferred.size >= mostInferred) this.inferred.clear()
    this.inferred.set(key, result)
    return result
  }

  /** Follows shares of shares to the node that owns the weights; it must be the same layer in every setting. */
  private shareRoot(path: string, op: string, { params, learn }: Inferred): string | null {
    const target = this.byId.get(path)
    const root = target?.share ?? path
    const owner = this.byId.get(root)
    const isSame =
      owner?.op === op && owner.learn === learn && JSON.stringify(owner.params) === JSON.stringify(params)
    if (!isSame) throw new ModelError('share_differs', { share: path })
    return learn === 0 ? null : root
  }

  private note(path: string, { first, outputs }: Placed): void {
    if (first !== null) this.types.set(path, first.type)
    for (const [port, signal] of outputs) if (signal !== null) this.types.set(`${path}.${port}`, signal.type)
  }

  private count(): void {
    this.steps += 1
    if (this.isStopped) return
    if (this.nodes.length < networkLimits.operations && this.steps <= mostSteps) return
    this.isStopped = true
    this.problems.push({ code: 'too_big', node: '', port: null, data: { most: networkLimits.operations } })
  }

  /** A mistake inside a block is one mistake, however often the block is used. */
  private report(error: ModelError, frame: Frame, graph: Graph, id: string): void {
    const { code, data, port } = error
    const node = frame.path + id
    const where = frame.path === '' ? '' : this.numberOf(graph)
    const key = JSON.stringify([where, frame.path === '' ? id : id.replace(/\/\d+$/, ''), code, data])
    if (this.reported.has(key)) return
    this.reported.add(key)
    this.problems.push({ code, node, port, data })
  }

  private readonly graphs: Graph[] = []

  private numberOf(graph: Graph): number {
    const known = this.graphs.indexOf(graph)
    return known >= 0 ? known : this.graphs.push(graph) - 1
  }
}

/** Types are the same objects again and again: an edit of a thousand nodes must not write each of them anew. */
const typeKeys = new WeakMap<TensorType, string>()

function keyOf(type: TensorType): string {
  const known = typeKeys.get(type)
  if (known !== undefined) return known
  const key = JSON.stringify(type)
  typeKeys.set(type, key)
  return key
}

interface Place {
  graph: Graph
  frame: Frame
  placed: ReadonlyMap<string, Placed>
}

interface Copy {
  definition: Definition
  node: Node
  id: string
  /** Which copy, and its name in the graph: `stage2/0`. */
  i: number
  name: string
  slots: readonly Slot[]
}

/** null: an input waits. */
function copiesOf(node: Node, frame: Frame, slots: readonly Slot[]): number | null {
  if (slots.some(({ signal }) => signal === null)) return null
  if (node.repeat === undefined) return 1
  const value = evaluateWritten(node.repeat, 'repeat', new FrameScope(frame, slots[0]?.signal?.type))
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType('repeat', 'int', value)
  requireRange('repeat', value, { min: 0, max: networkLimits.repeat })
  return value
}

function isOff(written: NonNullable<Node['off']>, scope: FrameScope): boolean {
  const value = evaluateWritten(written, 'off', scope)
  if (typeof value === 'object' || typeof value === 'string') {
    throw wrongType('off', 'bool', value)
  }
  return isTrue(value)
}

function passThrough(slots: readonly Slot[]): Placed {
  return { first: slots[0]?.signal ?? null, outputs: new Map() }
}

/** Where the weights come from: the node's own `share`, else the shared use of the block around it. */
function ownerPath({ node, id, i, name }: Copy, graph: Graph, frame: Frame): string | null {
  if (node.share === undefined) return frame.sharedFrom === null ? null : frame.sharedFrom + name
  const target = graph.nodes.get(node.share)
  if (target === undefined) throw new ModelError('unknown_ref', { ref: node.share })
  if (target.op !== node.op) throw new ModelError('share_differs', { share: node.share, node: id })
  return frame.path + (target.repeat === undefined ? node.share : `${node.share}/${i}`)
}

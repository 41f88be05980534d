/** Puts the nodes of one graph into an order in which each comes after what it reads; knows nothing of shapes. */
import type { Node } from '../document/document.ts'

export interface GraphNode {
  id: string
  node: Node
  /** References in port order, `in` left out filled by the line before; a port name where the text gives one. */
  inputs: { ref: string; port: string | null }[]
}

export interface GraphOrder {
  nodes: GraphNode[]
  /** Each loop once, as the ids along it. Its nodes are not in `nodes`. */
  loops: string[][]
}

/** Written order is kept wherever it works. `ports` are the names of the graph's own inputs. */
export function orderGraph(nodes: ReadonlyMap<string, Node>, ports: readonly string[]): GraphOrder {
  const all = withInputs(nodes, ports)
  const state = new Map<string, 'open' | 'done'>()
  const order: GraphOrder = { nodes: [], loops: [] }
  const inLoop = new Set<string>()
  for (const start of all.keys()) walk({ all, state, order, inLoop }, start)
  order.nodes = order.nodes.filter(({ id }) => !inLoop.has(id))
  return order
}

/** The node that a reference names (`h3` of `h3.cls`). */
export function baseOf(ref: string): string {
  const dot = ref.indexOf('.')
  return dot < 0 ? ref : ref.slice(0, dot)
}

function withInputs(nodes: ReadonlyMap<string, Node>, ports: readonly string[]): Map<string, GraphNode> {
  const all = new Map<string, GraphNode>()
  let before = ports.at(-1)
  for (const [id, node] of nodes) {
    all.set(id, { id, node, inputs: inputsOf(node, before) })
    before = id
  }
  return all
}

function inputsOf(node: Node, before: string | undefined): GraphNode['inputs'] {
  const written = node.in ?? before
  if (written === undefined) return []
  if (typeof written === 'string') return [{ ref: written, port: null }]
  if (Array.isArray(written)) return written.map((ref) => ({ ref, port: null }))
  return [...written].map(([port, ref]) => ({ ref, port }))
}

interface Walk {
  all: ReadonlyMap<string, GraphNode>
  state: Map<string, 'open' | 'done'>
  order: GraphOrder
  inLoop: Set<string>
}

/** Depth first with a stack of its own: five thousand nodes in a row must not exhaust the call stack. */
function walk({ all, state, order, inLoop }: Walk, start: string): void {
  const stack: { node: GraphNode; needs: string[] }[] = []
  const open = (id: string) => {
    const node = all.get(id)
    if (node === undefined || state.get(id) === 'done') return
    if (state.get(id) === 'open') {
      const loop = stack.slice(stack.findIndex((step) => step.node.id === id)).map((step) => step.node.id)
      order.loops.push([...loop, id])
      for (const member of loop) inLoop.add(member)
      return
    }
    state.set(id, 'open')
    stack.push({ node, needs: needsOf(node) })
  }
  open(start)
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.needs.pop()
    if (next !== undefined) {
      open(next)
      continue
    }
    state.set(top.node.id, 'done')
    order.nodes.push(top.node)
    stack.pop()
  }
}

/** Last one first, because they are popped. Whose weights a node shares is built before it. */
function needsOf({ node, inputs }: GraphNode): string[] {
  const needs = inputs.map(({ ref }) => baseOf(ref))
  if (node.share !== undefined) needs.push(node.share)
  return needs.reverse()
}

import type { Plan, TensorType } from '@neuroloom/contract/network/resolve/plan'

const BYTES_PER_NUMBER = 4
/** Interpreter, PyTorch and its kernels. */
const BASE_BYTES = 400_000_000
/** A layer may need as much again as it gives, and the allocator rounds up. */
const SLACK = 2
/** Weights read from a file stand in memory three times for a moment: the file, its tensors, the network. */
const COPIES = 3

/** Memory that one image through a network takes at most. */
export function lookBytes(plan: Plan): number {
  const weights = (plan.learn + plan.buffers) * BYTES_PER_NUMBER
  return BASE_BYTES + COPIES * weights + SLACK * peakBytes(plan)
}

/** What is alive at the worst moment: a tensor is forgotten after the last layer that reads it. */
function peakBytes({ inputs, nodes, heads }: Plan): number {
  const lastUse = new Map<string, number>()
  for (const [index, node] of nodes.entries())
    for (const source of Object.values(node.in)) lastUse.set(source, index)
  for (const { from } of Object.values(heads)) lastUse.set(from, nodes.length)
  const sizes = new Map(Object.entries(inputs).map(([name, type]) => [`@${name}`, bytesOf(type)]))
  let live = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  let peak = live
  for (const [index, node] of nodes.entries()) {
    const size = bytesOf(node.type)
    sizes.set(node.id, size)
    live += size
    peak = Math.max(peak, live)
    const done = [...new Set([...Object.values(node.in), node.id])]
    for (const id of done) if ((lastUse.get(id) ?? index) === index) live -= sizes.get(id) ?? 0
  }
  return peak
}

function bytesOf(type: TensorType): number {
  const places = type.k === 'map' ? type.s.reduce((product, side) => product * side, 1) : 1
  return BYTES_PER_NUMBER * type.c * (type.k === 'seq' ? type.n : places)
}

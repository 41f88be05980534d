/**
 * A queue of numbered nodes by whole costs that only grow: R. B. Dial, "Algorithm 360: Shortest-Path Forest with Topological
 * Ordering", Communications of the ACM 12 (1969). One ring of buckets, each a list with links both ways.
 */

export type BucketQueue = {
  /** The cost of each node; `UNREACHED` until it is offered the first time. Final once it was taken. */
  costs: Uint32Array
  heads: Int32Array
  next: Int32Array
  previous: Int32Array
  /** Of the node taken last. */
  cost: number
  waiting: number
}

export const UNREACHED = 2 ** 32 - 1

/** `longest`: no step costs more than this. */
export function makeBucketQueue(nodes: number, longest: number): BucketQueue {
  return {
    costs: new Uint32Array(nodes).fill(UNREACHED),
    heads: new Int32Array(longest + 1).fill(-1),
    next: new Int32Array(nodes),
    previous: new Int32Array(nodes),
    cost: 0,
    waiting: 0,
  }
}

/** For a node that costs less than it did: call only with such a cost, at most `longest` above the node taken last. */
export function offer(queue: BucketQueue, node: number, cost: number): void {
  const { costs, heads, next, previous } = queue
  const before = costs[node] ?? UNREACHED
  if (before === UNREACHED) queue.waiting++
  else unlink(queue, node, before)
  costs[node] = cost
  const bucket = cost % heads.length
  const head = heads[bucket] ?? -1
  next[node] = head
  previous[node] = -1
  if (head >= 0) previous[head] = node
  heads[bucket] = node
}

/** The cheapest node, or −1 when none waits. */
export function take(queue: BucketQueue): number {
  if (queue.waiting === 0) return -1
  const { heads, next, previous } = queue
  let bucket = queue.cost % heads.length
  while ((heads[bucket] ?? -1) < 0) {
    queue.cost++
    bucket = bucket + 1 === heads.length ? 0 : bucket + 1
  }
  const node = heads[bucket] ?? -1
  const follower = next[node] ?? -1
  heads[bucket] = follower
  if (follower >= 0) previous[follower] = -1
  queue.waiting--
  return node
}

function unlink({ heads, next, previous }: BucketQueue, node: number, cost: number) {
  const [before, after] = [previous[node] ?? -1, next[node] ?? -1]
  if (before < 0) heads[cost % heads.length] = after
  else next[before] = after
  if (after >= 0) previous[after] = before
}

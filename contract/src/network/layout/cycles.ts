/** Makes of any graph what layers can be made of: known ends, no doubles, no circles, one connected part at a time. */

export interface Graph {
  nodes: readonly { id: string; width: number; height: number }[]
  /** Ends that are no nodes, loops and doubles do no harm. */
  edges: readonly { from: string; to: string }[]
}

/** A connected part: nodes by their number in the whole graph, edges between such numbers, without circles. */
export interface Part {
  nodes: number[]
  edges: [from: number, to: number][]
}

/** Edges by the numbers of their nodes; those that close a circle are turned round. */
export function connect({ nodes, edges }: Graph): Part {
  const numbers = new Map(nodes.map(({ id }, k) => [id, k]))
  const seen = new Set<number>()
  const known: [number, number][] = []
  for (const edge of edges) {
    const [from, to] = [numbers.get(edge.from), numbers.get(edge.to)]
    if (from === undefined || to === undefined || from === to) continue
    const key = from * nodes.length + to
    if (seen.has(key)) continue
    seen.add(key)
    known.push([from, to])
  }
  const finished = finishOrder(nodes.length, known)
  const turned = known.map(([from, to]): [number, number] => {
    return (finished[from] ?? 0) > (finished[to] ?? 0) ? [from, to] : [to, from]
  })
  return { nodes: nodes.map((_, k) => k), edges: turned }
}

/** When a depth-first walk leaves each node: every edge leads to an earlier number, except those that close a circle. */
function finishOrder(count: number, edges: readonly [number, number][]): Int32Array {
  const targets: number[][] = Array.from({ length: count }, () => [])
  const entered = new Uint8Array(count)
  for (const [from, to] of edges) {
    targets[from]?.push(to)
    entered[to] = 1
  }
  const finished = new Int32Array(count).fill(-1)
  const visited = new Uint8Array(count)
  const step = new Int32Array(count)
  let order = 0
  const walk = (start: number) => {
    const stack = [start]
    visited[start] = 1
    while (stack.length > 0) {
      const node = stack[stack.length - 1] ?? 0
      const next = targets[node]?.[step[node] ?? 0]
      if (next === undefined) {
        finished[node] = order++
        stack.pop()
        continue
      }
      step[node] = (step[node] ?? 0) + 1
      if (visited[next] === 1) continue
      visited[next] = 1
      stack.push(next)
    }
  }
  // From the sources first, so that a circle is cut where it leads back, not where the list happens to begin.
  for (let node = 0; node < count; node++) if (entered[node] === 0) walk(node)
  for (let node = 0; node < count; node++) if (visited[node] === 0) walk(node)
  return finished
}

/** Connected parts, the largest first, otherwise in the order of their first nodes. */
export function partsOf({ nodes, edges }: Part): Part[] {
  const leader = Int32Array.from(nodes, (_, k) => k)
  const find = (start: number): number => {
    let node = start
    while ((leader[node] ?? node) !== node) {
      const up = leader[node] ?? node
      leader[node] = leader[up] ?? up
      node = up
    }
    return node
  }
  for (const [from, to] of edges) {
    const [a, b] = [find(from), find(to)]
    leader[Math.max(a, b)] = Math.min(a, b)
  }
  const parts = new Map<number, Part>()
  for (const node of nodes) {
    const part = parts.get(find(node))
    if (part === undefined) parts.set(find(node), { nodes: [node], edges: [] })
    else part.nodes.push(node)
  }
  for (const edge of edges) parts.get(find(edge[0]))?.edges.push(edge)
  return [...parts.values()].sort((a, b) => b.nodes.length - a.nodes.length)
}

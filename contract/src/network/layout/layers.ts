/** Puts the nodes of one part into layers by the longest path, and fills the layers that a long edge passes. */
import type { Graph, Part } from './cycles.ts'

export const layoutGaps = { layer: 44, node: 36, lane: 18, part: 64 } as const

/** A node, or the place where a long edge passes a layer. */
export interface Cell {
  layer: number
  width: number
  height: number
  isLane: boolean
}

export interface Layered {
  /** The part's nodes first, in their order, lanes after them. */
  cells: Cell[]
  /** Cells of each layer from left to right. */
  layers: number[][]
  /** Between cells of neighbouring layers. */
  links: [upper: number, lower: number][]
  /** Edges between the part's nodes, with the lanes that they pass. */
  routes: { from: number; to: number; via: number[] }[]
}

/** So many lanes a node are laid out at most; still longer edges are drawn straight. */
const lanesPerNode = 4

export function layersOf({ nodes, edges }: Part, sizes: Graph['nodes']): Layered {
  const local = new Map(nodes.map((node, k) => [node, k]))
  const inner = edges.map(([from, to]): [number, number] => [local.get(from) ?? 0, local.get(to) ?? 0])
  const depth = depths(nodes.length, inner)
  const cells = nodes.map((node, k): Cell => {
    const { width, height } = sizes[node] ?? { width: 0, height: 0 }
    return { layer: depth[k] ?? 0, width, height, isLane: false }
  })
  const layered: Layered = { cells, layers: [], links: [], routes: [] }
  const spanOf = ([from, to]: [number, number]) => (depth[to] ?? 0) - (depth[from] ?? 0)
  /** One chain of lanes a source serves all its long edges. */
  const lanes = new Map<number, number[]>()
  let free = 200 + lanesPerNode * nodes.length
  for (const edge of [...inner].sort((a, b) => spanOf(a) - spanOf(b))) {
    const [from, to] = edge
    const chain = lanes.get(from) ?? []
    const missing = spanOf(edge) - 1 - chain.length
    if (missing > free) continue
    free -= Math.max(0, missing)
    lanes.set(from, chain)
    const via = passLanes(layered, { from, chain, count: spanOf(edge) - 1 })
    layered.links.push([via.at(-1) ?? from, to])
    layered.routes.push({ from, to, via })
  }
  cells.forEach(({ layer }, k) => {
    layered.layers[layer] ??= []
    layered.layers[layer].push(k)
  })
  return layered
}

/** Extends a source's chain where it is too short, and gives its first lanes. */
function passLanes(
  { cells, links }: Layered,
  { from, chain, count }: { from: number; chain: number[]; count: number },
): number[] {
  while (chain.length < count) {
    const above = chain.at(-1) ?? from
    const lane = cells.length
    const layer = (cells[above]?.layer ?? 0) + 1
    cells.push({ layer, width: layoutGaps.lane, height: 0, isLane: true })
    links.push([above, lane])
    chain.push(lane)
  }
  return chain.slice(0, count)
}

/** Longest path from the sources; a source itself stands right above its first reader. */
function depths(count: number, edges: readonly [number, number][]): Int32Array {
  const targets: number[][] = Array.from({ length: count }, () => [])
  const waiting = new Int32Array(count)
  for (const [from, to] of edges) {
    targets[from]?.push(to)
    waiting[to] = (waiting[to] ?? 0) + 1
  }
  const sources = Array.from({ length: count }, (_, k) => k).filter((k) => waiting[k] === 0)
  const depth = new Int32Array(count)
  const ready = [...sources]
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    for (const to of targets[node] ?? []) {
      depth[to] = Math.max(depth[to] ?? 0, (depth[node] ?? 0) + 1)
      waiting[to] = (waiting[to] ?? 0) - 1
      if (waiting[to] === 0) ready.push(to)
    }
  }
  for (const source of sources) {
    const below = (targets[source] ?? []).map((to) => depth[to] ?? 0)
    if (below.length > 0) depth[source] = Math.min(...below) - 1
  }
  return depth
}

/** Where the nodes of a graph stand: layers from top to bottom, chains straight, long connections at the side. Pure, and the same for the same graph. */
import { placeAcross } from './layout-across.ts'
import { connect, type Graph, type Part, partsOf } from './layout-cycles.ts'
import { layersOf, layoutGaps } from './layout-layers.ts'
import { orderLayers } from './layout-order.ts'

export type Point = [x: number, y: number]

export interface Placed {
  /** Upper left corners. */
  places: Map<string, Point>
  /** Between which points an edge that skips layers should pass, in its direction, without its two ends. */
  routes: Map<string, Point[]>
  width: number
  height: number
}

/** Upper left corners by id. Copes with circles and with parts that are not connected. */
export function layoutGraph(graph: Graph): Map<string, Point> {
  return placeGraph(graph).places
}

export const routeKey = (from: string, to: string): string => `${from}>${to}`

export function placeGraph(graph: Graph): Placed {
  const connected = connect(graph)
  const placed: Placed = { places: new Map(), routes: new Map(), width: 0, height: 0 }
  const parts = partsOf(connected).map((part) => placePart(part, graph))
  const shelfWidth = widthOfShelf(parts)
  let [x, y, height] = [0, 0, 0]
  for (const part of parts) {
    if (x > 0 && x + part.width > shelfWidth) [x, y, height] = [0, y + height + layoutGaps.part, 0]
    for (const [id, [left, top]] of part.places) placed.places.set(id, [left + x, top + y])
    for (const [key, points] of part.routes) {
      placed.routes.set(
        key,
        points.map(([left, top]): Point => [left + x, top + y]),
      )
    }
    placed.width = Math.max(placed.width, x + part.width)
    placed.height = Math.max(placed.height, y + part.height)
    height = Math.max(height, part.height)
    x += part.width + layoutGaps.part
  }
  return placed
}

/** Parts stand side by side until their row is about as wide as all of them together are high. */
function widthOfShelf(parts: readonly Placed[]): number {
  const area = parts.reduce(
    (sum, part) => sum + (part.width + layoutGaps.part) * (part.height + layoutGaps.part),
    0,
  )
  return Math.max(1.5 * Math.sqrt(area), ...parts.slice(0, 1).map(({ width, height }) => width + height))
}

function placePart(part: Part, graph: Graph): Placed {
  const layered = layersOf(part, graph.nodes)
  orderLayers(layered)
  const centres = placeAcross(layered)
  const { layers, cells } = layered
  const left = cells.reduce((least, { width }, k) => Math.min(least, (centres[k] ?? 0) - width / 2), Infinity)
  const tops: number[] = []
  let height = -layoutGaps.layer
  for (const layer of layers) {
    tops.push(height + layoutGaps.layer)
    height += layoutGaps.layer + layer.reduce((most, cell) => Math.max(most, cells[cell]?.height ?? 0), 0)
  }
  const middles = tops.map(
    (top, k) => (top + (tops[k + 1] ?? height + layoutGaps.layer) - layoutGaps.layer) / 2,
  )
  const at = (cell: number): Point => [
    Math.round((centres[cell] ?? 0) - left),
    Math.round(middles[cells[cell]?.layer ?? 0] ?? 0),
  ]
  const placed: Placed = { places: new Map(), routes: new Map(), width: 0, height: Math.round(height) }
  for (const [k, node] of part.nodes.entries()) {
    const { id, width, height: own } = graph.nodes[node] ?? { id: '', width: 0, height: 0 }
    const [x, y] = at(k)
    placed.places.set(id, [Math.round(x - width / 2), Math.round(y - own / 2)])
  }
  for (const { from, to, via } of layered.routes) {
    const [source, target] = [graph.nodes[from]?.id ?? '', graph.nodes[to]?.id ?? '']
    placed.routes.set(routeKey(source, target), via.map(at))
    placed.routes.set(routeKey(target, source), via.map(at).reverse())
  }
  const right = cells.reduce((most, { width }, k) => Math.max(most, (centres[k] ?? 0) + width / 2), 0)
  placed.width = Math.ceil(right - left)
  return placed
}

/** Where the nodes of a graph stand: layers from top to bottom or from left to right, chains straight, long connections at the side. Pure, and the same for the same graph. */
import { placeAcross } from './across.ts'
import { connect, type Graph, type Part, partsOf } from './cycles.ts'
import { type Cell, type Layered, layersOf, layoutGaps } from './layers.ts'
import { orderLayers } from './order.ts'

export type Point = [x: number, y: number]

export interface Placed {
  /** Upper left corners. */
  places: Map<string, Point>
  /** Between which points an edge should pass that would else cross others, in its direction, without its two ends. */
  routes: Map<string, Point[]>
  width: number
  height: number
}

export const routeKey = (from: string, to: string): string => `${from}>${to}`

/** Room between columns for the sizes that are written on lines. */
const lettersRoom = 48

/** Copes with circles and with parts that are not connected. `right`: the same with both axes swapped. */
export function placeGraph(graph: Graph, direction: 'down' | 'right' = 'down'): Placed {
  if (direction === 'down') return placeDown(graph)
  const nodes = graph.nodes.map((node) => ({ ...node, width: node.height, height: node.width + lettersRoom }))
  const { places, routes, width, height } = placeDown({ ...graph, nodes })
  const turn = ([x, y]: Point): Point => [y, x]
  return {
    places: new Map([...places].map(([id, [x, y]]) => [id, [y + lettersRoom / 2, x]])),
    routes: new Map([...routes].map(([key, points]) => [key, points.map(turn)])),
    width: height,
    height: width,
  }
}

function placeDown(graph: Graph): Placed {
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
  const { cells } = layered
  const centres = placeAcross(layered)
  const left = cells.reduce((least, { width }, k) => Math.min(least, (centres[k] ?? 0) - width / 2), Infinity)
  const right = cells.reduce((most, { width }, k) => Math.max(most, (centres[k] ?? 0) + width / 2), 0)
  const { rows, height } = rowsOf(layered)
  const at = centres.map((centre) => Math.round(centre - left))
  const placed: Placed = { places: new Map(), routes: new Map(), width: Math.ceil(right - left), height }
  for (const [k, node] of part.nodes.entries()) {
    const { id, width, height: own } = graph.nodes[node] ?? { id: '', width: 0, height: 0 }
    const { top, bottom } = rows[cells[k]?.layer ?? 0] ?? { top: 0, bottom: 0 }
    placed.places.set(id, [Math.round((at[k] ?? 0) - width / 2), Math.round((top + bottom - own) / 2)])
  }
  for (const { from, to, via } of layered.routes) {
    const route = routeThrough([from, ...via, to], { cells, rows, at })
    if (route.length === 0) continue
    const [source, target] = [idOf(part.nodes[from], graph), idOf(part.nodes[to], graph)]
    placed.routes.set(routeKey(source, target), route)
    placed.routes.set(routeKey(target, source), [...route].reverse())
  }
  return placed
}

const idOf = (node: number | undefined, graph: Graph): string => graph.nodes[node ?? 0]?.id ?? ''

interface Row {
  top: number
  bottom: number
}

function rowsOf({ layers, cells }: Layered): { rows: Row[]; height: number } {
  let bottom = -layoutGaps.layer
  const rows = layers.map((layer) => {
    const top = bottom + layoutGaps.layer
    bottom = top + layer.reduce((most, cell) => Math.max(most, cells[cell]?.height ?? 0), 0)
    return { top, bottom }
  })
  return { rows, height: Math.round(bottom) }
}

/** A card that is lower than its row by more than this sends its lines down to the edge of the row first. */
const mostLower = 16

/** Bends lie between rows alone: a line passes a row upright, and leaves and enters one upright. */
function routeThrough(
  passed: readonly number[],
  { cells, rows, at }: { cells: readonly Cell[]; rows: readonly Row[]; at: readonly number[] },
): Point[] {
  const points = passed.flatMap((number, k): Point[] => {
    const cell = cells[number]
    const row = rows[cell?.layer ?? 0]
    if (cell === undefined || row === undefined) return []
    const [x, top, bottom] = [at[number] ?? 0, Math.round(row.top), Math.round(row.bottom)]
    const ends: Point[] = [
      [x, top],
      [x, bottom],
    ]
    if (cell.isLane) return ends
    if ((bottom - top - cell.height) / 2 <= mostLower) return []
    return ends.slice(k === 0 ? 1 : 0, k === 0 ? 2 : 1)
  })
  return points.filter(([x], k) => points[k - 1]?.[0] !== x || points[k + 1]?.[0] !== x)
}

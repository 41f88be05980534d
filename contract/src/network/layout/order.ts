/** Orders each layer from left to right so that few edges cross: barycentre sweeps, the best order seen is kept. */
import type { Layered } from './layers.ts'

const sweeps = 8
const passes = 4
/** Pairs of links looked at for one exchange: a hub of a thousand links is left where it is. */
const mostPairs = 400

export function orderLayers(layered: Layered): void {
  const { cells, links } = layered
  const above: number[][] = cells.map(() => [])
  const below: number[][] = cells.map(() => [])
  for (const [upper, lower] of links) {
    above[lower]?.push(upper)
    below[upper]?.push(lower)
  }
  const place = new Int32Array(cells.length)
  const number = (layer: readonly number[]) => {
    for (const [k, cell] of layer.entries()) place[cell] = k
  }
  for (const layer of layered.layers) number(layer)
  let best = layered.layers
  let fewest = Infinity
  let current = layered.layers
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0
    current = [...current]
    for (let step = 1; step < current.length; step++) {
      const k = isDown ? step : current.length - 1 - step
      const sorted = sortLayer(current[k] ?? [], isDown ? above : below, place)
      number(sorted)
      current[k] = sorted
    }
    const crossings = countCrossings(current, below, place)
    if (crossings < fewest) [best, fewest] = [current, crossings]
  }
  best = best.map((layer) => [...layer])
  for (const layer of best) number(layer)
  exchange(best, [above, below], place)
  layered.layers = best
}

/** By the mean place of the neighbours; who has none keeps its place, and equals keep their order. */
function sortLayer(layer: readonly number[], neighbours: readonly number[][], place: Int32Array): number[] {
  if (layer.length < 2) return [...layer]
  const centres: { cell: number; centre: number }[] = []
  for (const cell of layer) {
    const others = neighbours[cell] ?? []
    if (others.length === 0) continue
    let sum = 0
    for (const other of others) sum += place[other] ?? 0
    centres.push({ cell, centre: sum / others.length })
  }
  centres.sort((a, b) => a.centre - b.centre)
  let next = 0
  return layer.map((cell) => {
    if ((neighbours[cell]?.length ?? 0) === 0) return cell
    const sorted = centres[next]?.cell ?? cell
    next += 1
    return sorted
  })
}

/** Swaps neighbours in a layer as long as that leaves fewer crossings. */
function exchange(layers: number[][], sides: readonly (readonly number[][])[], place: Int32Array): void {
  for (let pass = 0; pass < passes; pass++) {
    let isBetter = false
    for (const layer of layers) {
      for (let k = 1; k < layer.length; k++) {
        const [left, right] = [layer[k - 1] ?? 0, layer[k] ?? 0]
        let gain = 0
        for (const side of sides) gain += gainOf(side[left] ?? [], side[right] ?? [], place)
        if (gain <= 0) continue
        layer[k - 1] = right
        layer[k] = left
        place[right] = k - 1
        place[left] = k
        isBetter = true
      }
    }
    if (!isBetter) return
  }
}

/** Crossings that go away when the owners of these links change places. */
function gainOf(left: readonly number[], right: readonly number[], place: Int32Array): number {
  if (left.length * right.length > mostPairs) return 0
  let gain = 0
  for (const a of left) for (const b of right) gain += Math.sign((place[a] ?? 0) - (place[b] ?? 0))
  return gain
}

/** Pairs of links in the wrong order, layer by layer, with a tree of counts. */
function countCrossings(layers: readonly number[][], below: readonly number[][], place: Int32Array): number {
  let crossings = 0
  for (const [k, layer] of layers.entries()) {
    const size = layers[k + 1]?.length ?? 0
    if (layer.length < 2 || size < 2) continue
    const tree = new Int32Array(size + 1)
    let placed = 0
    for (const cell of layer) {
      const ends = (below[cell] ?? []).map((other) => place[other] ?? 0).sort((a, b) => a - b)
      for (const end of ends) crossings += placed - sumTo(tree, end)
      for (const end of ends) addAt(tree, end)
      placed += ends.length
    }
  }
  return crossings
}

/** How many entries stand at `index` or before it. */
function sumTo(tree: Int32Array, index: number): number {
  let sum = 0
  for (let k = index + 1; k > 0; k -= k & -k) sum += tree[k] ?? 0
  return sum
}

function addAt(tree: Int32Array, index: number): void {
  for (let k = index + 1; k < tree.length; k += k & -k) tree[k] = (tree[k] ?? 0) + 1
}

/** Places ordered layers from left to right: what follows each other in a chain stands in one straight column. */

import { type Layered, layoutGaps } from './layers.ts'

/** Rounds in which columns move towards what they are connected with. */
const rounds = 6

/** The middle of every cell. */
export function placeAcross(layered: Layered): number[] {
  const column = columnsOf(layered)
  const columns = describe(layered, column)
  packLeft(columns)
  for (let round = 0; round < rounds; round++) {
    for (const one of columns.order) settle(one, columns)
    for (const one of [...columns.order].reverse()) settle(one, columns)
  }
  return layered.cells.map((_, cell) => columns.x[column[cell] ?? 0] ?? 0)
}

/** The number of each cell's column. Links are joined by importance, unless that would cross what is joined already. */
function columnsOf({ cells, layers, links }: Layered): number[] {
  const place = new Int32Array(cells.length)
  for (const layer of layers) for (const [k, cell] of layer.entries()) place[cell] = k
  const importance = importanceOf({ cells, layers, links, routes: [] })
  const sorted = links.map((_, k) => k).sort((a, b) => (importance[b] ?? 0) - (importance[a] ?? 0) || a - b)
  const up = new Int32Array(cells.length).fill(-1)
  const down = new Int32Array(cells.length).fill(-1)
  const joined: [number, number][][] = layers.map(() => [])
  for (const k of sorted) {
    const [upper, lower] = links[k] ?? [0, 0]
    if (down[upper] !== -1 || up[lower] !== -1) continue
    if (!join(joined[cells[upper]?.layer ?? 0] ?? [], [place[upper] ?? 0, place[lower] ?? 0])) continue
    down[upper] = lower
    up[lower] = upper
  }
  const column: number[] = new Array(cells.length).fill(-1)
  let count = 0
  for (const layer of layers) {
    for (const cell of layer) column[cell] = up[cell] === -1 ? count++ : (column[up[cell] ?? 0] ?? 0)
  }
  return column
}

/** Keeps the joined links of a layer sorted by both ends; false where the new one would cross another. */
function join(joined: [number, number][], link: [number, number]): boolean {
  let [low, high] = [0, joined.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((joined[middle]?.[0] ?? 0) < link[0]) low = middle + 1
    else high = middle
  }
  if (low > 0 && (joined[low - 1]?.[1] ?? 0) > link[1]) return false
  if (low < joined.length && (joined[low]?.[1] ?? 0) < link[1]) return false
  joined.splice(low, 0, link)
  return true
}

/** Nodes that follow each other first, by the length of the chain through them; then lanes; then what leads to a lane. */
function importanceOf({ cells, layers, links }: Layered): number[] {
  const height = new Int32Array(cells.length)
  const below: number[][] = cells.map(() => [])
  for (const [upper, lower] of links) below[upper]?.push(lower)
  for (const layer of [...layers].reverse()) {
    for (const cell of layer) {
      for (const other of below[cell] ?? [])
        height[cell] = Math.max(height[cell] ?? 0, (height[other] ?? 0) + 1)
    }
  }
  const rank = 2 * layers.length + 2
  return links.map(([upper, lower]) => {
    const [from, to] = [cells[upper], cells[lower]]
    const lanes = Number(from?.isLane) + Number(to?.isLane)
    const chain = height[lower] ?? 0
    if (lanes === 0) return 2 * rank + chain
    return (lanes === 2 ? rank : 0) + chain
  })
}

interface Neighbour {
  column: number
  away: number
}

interface Columns {
  /** From left to right, so that a column comes after all that must stand left of it. */
  order: number[]
  x: number[]
  /** Columns that must stand at the right, and how far away at least. */
  right: Neighbour[][]
  left: Neighbour[][]
  /** Columns at the other ends of its links. */
  wishes: number[][]
}

function describe({ cells, layers, links }: Layered, column: readonly number[]): Columns {
  const count = Math.max(...column) + 1
  const right: Neighbour[][] = Array.from({ length: count }, () => [])
  const left: Neighbour[][] = Array.from({ length: count }, () => [])
  for (const layer of layers) {
    for (let k = 1; k < layer.length; k++) {
      const [a, b] = [layer[k - 1] ?? 0, layer[k] ?? 0]
      const [from, to] = [column[a] ?? 0, column[b] ?? 0]
      const [one, other] = [cells[a], cells[b]]
      const gap = one?.isLane && other?.isLane ? 0 : layoutGaps.node
      const away = ((one?.width ?? 0) + (other?.width ?? 0)) / 2 + gap
      keep(right[from], { column: to, away })
      keep(left[to], { column: from, away })
    }
  }
  const wishes: number[][] = Array.from({ length: count }, () => [])
  for (const [upper, lower] of links) {
    const [a, b] = [column[upper] ?? 0, column[lower] ?? 0]
    if (a === b) continue
    wishes[a]?.push(b)
    wishes[b]?.push(a)
  }
  return { order: leftToRight(right, left), x: new Array(count).fill(0), right, left, wishes }
}

/** Two columns beside each other in many layers are one neighbour, as far away as the widest pair needs. */
function keep(neighbours: Neighbour[] | undefined, { column, away }: Neighbour): void {
  const last = neighbours?.at(-1)
  if (last?.column === column) last.away = Math.max(last.away, away)
  else neighbours?.push({ column, away })
}

function leftToRight(right: readonly Neighbour[][], left: readonly Neighbour[][]): number[] {
  const waiting = left.map(({ length }) => length)
  const ready = waiting.flatMap((size, k) => (size === 0 ? [k] : [])).reverse()
  const order: number[] = []
  for (let one = ready.pop(); one !== undefined; one = ready.pop()) {
    order.push(one)
    for (const { column: other } of right[one] ?? []) {
      waiting[other] = (waiting[other] ?? 0) - 1
      if (waiting[other] === 0) ready.push(other)
    }
  }
  return order
}

function packLeft({ order, x, left }: Columns): void {
  for (const one of order) {
    let least = 0
    for (const { column: other, away } of left[one] ?? []) least = Math.max(least, (x[other] ?? 0) + away)
    x[one] = least
  }
}

/** Moves a column as near to the middle of its wishes as its neighbours leave room. */
function settle(one: number, { x, left, right, wishes }: Columns): void {
  const others = wishes[one] ?? []
  if (others.length === 0) return
  let wish = others.reduce((sum, other) => sum + (x[other] ?? 0), 0) / others.length
  for (const { column: other, away } of right[one] ?? []) wish = Math.min(wish, (x[other] ?? 0) - away)
  for (const { column: other, away } of left[one] ?? []) wish = Math.max(wish, (x[other] ?? 0) + away)
  x[one] = wish
}

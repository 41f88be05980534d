/**
 * Contours of a map by marching squares: lines at a level, and the areas between two. Sample (i, j) lies at the whole coordinates
 * (i, j), the middle of its voxel, so that contours lie on the image without a shift (d3-contour puts it at i + ½, j + ½). A cell
 * with a corner that is no number is outside. Where two opposite corners are above, the mean of the four says whether they hang
 * together. Pure.
 */
import type { Samples } from './slice.ts'

export const LEVELS = 11

/** 11 levels from −top to top; without the one at 0 unless asked for. None where the top is 0. */
export function symmetricLevels(top: number, zero: 'with' | 'without' = 'without'): number[] {
  if (!(top > 0)) return []
  const levels = Array.from({ length: LEVELS }, (_, at) => (top * (2 * at - LEVELS + 1)) / (LEVELS - 1))
  return levels.filter((level) => level !== 0 || zero === 'with')
}

/** Of what is never below 0: 11 levels up to the top. */
export const risingLevels = (top: number): number[] =>
  top > 0 ? Array.from({ length: LEVELS }, (_, at) => (top * (at + 1)) / LEVELS) : []

export type ScalarMap = { values: Samples; width: number; height: number }

/** x and y after each other, in voxels. A closed line ends where it begins. */
export type Contour = { points: Float64Array; isClosed: boolean }

export type Contours = {
  /** Lines at a level. Higher values lie to the right of a line as it goes on the screen (x to the right, y down). */
  lines: (level: number) => Contour[]
  /** Rings around all that is at least `level`; −Infinity: all that is known. To be filled by the even-odd rule. */
  above: (level: number) => Float64Array[]
  /** Rings of what is at least `from` and below `to`, both of which may be infinite. To be filled by the even-odd rule. */
  band: (from: number, to: number) => Float64Array[]
}

/** Looked through once for all levels. */
export function contoursOf(map: ScalarMap): Contours {
  const cells = cellsOf(map)
  const chainedAt = (pieces: readonly Piece[], level: number) =>
    chained(pieces, (node) => placeOf(node, map, level))
  const above = (level: number) =>
    chainedAt([...piecesInside(map, cells, level), ...piecesAround(map, cells, level)], level).map(
      ({ points }) => points,
    )
  return {
    lines: (level) => chainedAt(piecesInside(map, cells, level), level),
    above,
    band: (from, to) => [...above(from), ...above(to)],
  }
}

/** A place: 3·sample + 0 on the edge to the right of a sample, + 1 on the edge below it, + 2 the sample itself. */
type Node = number
type Piece = readonly [from: Node, to: Node]

type Cells = {
  /** Of the four corners of each cell, by its first one; NaN where one is no number. */
  low: Float64Array
  high: Float64Array
  /** Cells with an edge that no other known cell shares: the upper, the right, the lower or the left one. */
  open: { at: number; isOpen: readonly boolean[] }[]
}

function cellsOf({ values, width, height }: ScalarMap): Cells {
  const low = new Float64Array(values.length).fill(Number.NaN)
  const high = low.slice()
  for (let row = 0; row < height - 1; row++) {
    for (let at = row * width; at < (row + 1) * width - 1; at++) {
      const [a, b] = [values[at] ?? 0, values[at + 1] ?? 0]
      const [c, d] = [values[at + width + 1] ?? 0, values[at + width] ?? 0]
      if (!Number.isFinite(a + b + c + d)) continue
      low[at] = Math.min(a, b, c, d)
      high[at] = Math.max(a, b, c, d)
    }
  }
  const isKnown = (at: number) => !Number.isNaN(low[at] ?? Number.NaN)
  const open: Cells['open'] = []
  for (let at = 0; at < low.length; at++) {
    if (!isKnown(at)) continue
    // The last column begins no cell, so that no row goes on into the next.
    const isOpen = [!isKnown(at - width), !isKnown(at + 1), !isKnown(at + width), !isKnown(at - 1)]
    if (isOpen.includes(true)) open.push({ at, isOpen })
  }
  return { low, high, open }
}

/** Through the cells that the level cuts. */
function piecesInside(map: ScalarMap, { low, high }: Cells, level: number): Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < low.length; at++) {
    if (!((high[at] ?? 0) >= level && (low[at] ?? 0) < level)) continue
    const corners = cornersOf(map, at)
    const mean = corners.reduce((sum, corner) => sum + (map.values[corner] ?? 0), 0) / 4
    const above = corners.map((corner) => (map.values[corner] ?? 0) >= level)
    pieces.push(...through(above, crossingsOf(map, at), mean >= level))
  }
  return pieces
}

/** Along the edges of what is known. */
function piecesAround(map: ScalarMap, { high, open }: Cells, level: number): Piece[] {
  return open.flatMap(({ at, isOpen }) => {
    if (!((high[at] ?? 0) >= level)) return []
    const corners = cornersOf(map, at)
    const above = corners.map((corner) => (map.values[corner] ?? 0) >= level)
    return alongEdges(above, { crossings: crossingsOf(map, at), corners, isOpen })
  })
}

/** Around the cell: right, down, left, up. */
const cornersOf = ({ width }: ScalarMap, at: number): number[] => [at, at + 1, at + width + 1, at + width]
const crossingsOf = ({ width }: ScalarMap, at: number): Node[] => [
  3 * at,
  3 * (at + 1) + 1,
  3 * (at + width),
  3 * at + 1,
]

/** From where the way around the cell leaves the part to where it comes into it again. */
function through(above: readonly boolean[], crossings: readonly Node[], isJoined: boolean): Piece[] {
  const isLeaving = (edge: number) => above[edge] === true && above[(edge + 1) % 4] === false
  const isEntering = (edge: number) => above[edge] === false && above[(edge + 1) % 4] === true
  const edges = [0, 1, 2, 3]
  const leaves = edges.filter(isLeaving)
  return leaves.map((leave) => {
    // Joined, it goes around the corner below the level; parted, around the one above.
    const order = isJoined || leaves.length === 1 ? [1, 2, 3] : [3, 2, 1]
    const enter = order.map((step) => (leave + step) % 4).find(isEntering) ?? leave
    return [crossings[leave] ?? 0, crossings[enter] ?? 0]
  })
}

type Cell = { crossings: readonly Node[]; corners: readonly number[]; isOpen: readonly boolean[] }

/** The parts of edges that no other cell shares. */
function alongEdges(above: readonly boolean[], { crossings, corners, isOpen }: Cell): Piece[] {
  return [0, 1, 2, 3].flatMap((edge): Piece[] => {
    const [first, second] = [above[edge], above[(edge + 1) % 4]]
    if (!isOpen[edge] || (!first && !second)) return []
    const crossing = crossings[edge] ?? 0
    return [
      [
        first ? 3 * (corners[edge] ?? 0) + 2 : crossing,
        second ? 3 * (corners[(edge + 1) % 4] ?? 0) + 2 : crossing,
      ],
    ]
  })
}

function placeOf(node: Node, { values, width }: ScalarMap, level: number): [number, number] {
  const at = Math.floor(node / 3)
  const [x, y] = [at % width, Math.floor(at / width)]
  const kind = node % 3
  if (kind === 2) return [x, y]
  const [from, to] = [values[at] ?? 0, values[kind === 0 ? at + 1 : at + width] ?? 0]
  const share = (level - from) / (to - from)
  return kind === 0 ? [x + share, y] : [x, y + share]
}

/** Pieces end to end: first those with an open beginning, then rings. */
function chained(pieces: readonly Piece[], placeAt: (node: Node) => [number, number]): Contour[] {
  const onward = new Map<Node, Node[]>()
  for (const [from, to] of pieces) {
    const ways = onward.get(from)
    if (ways) ways.push(to)
    else onward.set(from, [to])
  }
  const ends = new Set(pieces.map(([, to]) => to))
  const begins = pieces.map(([from]) => from)
  const contours: Contour[] = []
  for (const begin of [...begins.filter((node) => !ends.has(node)), ...begins]) {
    let node = onward.get(begin)?.pop()
    if (node === undefined) continue
    const points = [...placeAt(begin)]
    for (; node !== undefined; node = node === begin ? undefined : onward.get(node)?.pop()) {
      points.push(...placeAt(node))
    }
    const [x, y] = placeAt(begin)
    contours.push({
      points: Float64Array.from(points),
      isClosed: points.at(-2) === x && points.at(-1) === y,
    })
  }
  return contours
}

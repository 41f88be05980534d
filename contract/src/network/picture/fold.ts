/** Lays a very tall drawing out in columns, read like a page: its lines turn from the foot of one to the head of the next. */
import type { Point } from '../layout/layout.ts'
import type { Label, Scene, Stroke } from './draw.ts'

/** A drawing ready to be put on paper, with its upper left corner at 0, 0. */
export interface Sheet {
  cards: Scene['cards']
  labels: readonly Label[]
  strokes: Stroke[]
  width: number
  height: number
}

export function toSheet(scene: Scene, labels: readonly Label[]): Sheet {
  const cuts = chooseCuts(scene, labels)
  const columns = columnsOf(scene, labels, cuts)
  const inColumn = (y: number) => columns[columnAt(y, cuts)] ?? unmoved
  const cards = scene.cards.map(({ card, box }) => {
    const [x, y] = moved([box.x, box.y], inColumn(box.y))
    return { card, box: { ...box, x, y } }
  })
  const movedLabels = labels.map((label) => ({
    ...label,
    at: moved(label.at, inColumn(label.at[1] - labelDrop)),
  }))
  const strokes = scene.lines.flatMap(({ from, points, isSkip }) => {
    const parts = partsOf(points, cuts)
    return parts.flatMap((part, k): Stroke[] => {
      const column = columns[part.column] ?? unmoved
      const placed = part.points.map((point) => moved(point, column))
      const stroke: Stroke = { points: placed, isSkip, kind: k === parts.length - 1 ? 'end' : 'middle' }
      const before = parts[k - 1]
      const [last, first] = [before?.points.at(-1), placed[0]]
      const left = before === undefined ? undefined : columns[before.column]
      if (last === undefined || first === undefined || left === undefined) return [stroke]
      const turn = turnBetween(moved(last, left), first, {
        left,
        rank: left.ranks.get(keyOf(from, last)) ?? 0,
      })
      return [{ points: turn, isSkip, kind: 'turn' }, stroke]
    })
  })
  const width = Math.max(0, ...columns.map(({ right }) => right))
  const height = Math.max(0, ...columns.map(({ bottom }) => bottom))
  return { cards, labels: movedLabels, strokes, width, height }
}

/** Labels stand this far below the card that they belong to. */
const labelDrop = 16

/** The space between two rows at which a new column begins. */
interface Cut {
  top: number
  bottom: number
}

/** Wide networks may be higher; with more lines to turn than this nobody would follow them. */
const page = { height: 1500, shape: 1.25, mostColumns: 6, mostTurns: 6, mostCards: 500 }

function chooseCuts(scene: Scene, labels: readonly Label[]): Cut[] {
  if (scene.cards.length > page.mostCards) return []
  const { height, width } = extentOf(scene, labels)
  const limit = (count: number) => Math.max(page.height, page.shape * count * (width + 70))
  let count = 1
  while (count < page.mostColumns && height / count > limit(count)) count += 1
  const gaps = gapsOf(scene)
  const cuts: Cut[] = []
  for (let k = 1; k < count; k++) {
    const ideal = (height * k) / count
    const priced = gaps
      .filter(({ top }) => Math.abs(top - ideal) < (0.35 * height) / count)
      .map((gap) => ({ gap, turns: turnsAt(scene, [gap], 0).size }))
      .map(({ gap, turns }) => ({ gap, turns, price: 60 * turns + Math.abs(gap.top - ideal) }))
      .sort((a, b) => a.price - b.price)
    const [best] = priced
    if (best === undefined || best.turns > page.mostTurns) return []
    cuts.push(best.gap)
  }
  const isFollowed = scene.lines.every(({ points }) => {
    const columns = partsOf(points, cuts).map(({ column }) => column)
    return columns.every((column, k) => k === 0 || column === (columns[k - 1] ?? 0) + 1)
  })
  return isFollowed ? cuts : []
}

function extentOf({ cards }: Scene, labels: readonly Label[]): { width: number; height: number } {
  const rights = [...cards.map(({ box }) => box.x + box.width), ...labels.map(({ right }) => right)]
  return {
    width: Math.max(0, ...rights) - Math.min(0, ...labels.map(({ left }) => left)),
    height: Math.max(0, ...cards.map(({ box }) => box.y + box.height)),
  }
}

/** How far the cards behind a repeated one look out. */
const copiesAside = 8

function gapsOf({ cards }: Scene): Cut[] {
  const boxes = cards.map(({ box }) => box).sort((a, b) => a.y - b.y)
  const gaps: Cut[] = []
  let bottom = boxes[0]?.y ?? 0
  for (const { y, height } of boxes) {
    if (y - copiesAside > bottom + 20) gaps.push({ top: bottom, bottom: y - copiesAside })
    bottom = Math.max(bottom, y + height)
  }
  return gaps
}

const columnAt = (y: number, cuts: readonly Cut[]): number =>
  cuts.filter(({ top, bottom }) => y > (top + bottom) / 2).length

interface LinePart {
  column: number
  points: Point[]
}

/** A line column by column. Where it passes a cut upright, it gets an end above and a beginning below. */
function partsOf(points: readonly Point[], cuts: readonly Cut[]): LinePart[] {
  const parts: LinePart[] = []
  const add = (point: Point) => {
    const column = columnAt(point[1], cuts)
    const part = parts.at(-1)
    if (part?.column === column) part.points.push(point)
    else parts.push({ column, points: [point] })
  }
  for (const [k, point] of points.entries()) {
    const before = points[k - 1]
    const passed = cuts.filter(
      ({ top, bottom }) => before !== undefined && before[1] <= top && bottom <= point[1],
    )
    for (const { top, bottom } of before?.[0] === point[0] ? passed : []) {
      add([point[0], top])
      add([point[0], bottom])
    }
    add(point)
  }
  return parts
}

const keyOf = (from: string, [x]: Point): string => `${from} ${Math.round(x)}`

/** Lines that leave a column at its foot, by where they do; those of one source that share a lane count once. */
function turnsAt({ lines }: Scene, cuts: readonly Cut[], column: number): Map<string, number> {
  const found = new Map<string, number>()
  for (const { from, points } of lines) {
    const parts = partsOf(points, cuts)
    const last = parts.find((part, k) => part.column === column && k < parts.length - 1)?.points.at(-1)
    if (last !== undefined) found.set(keyOf(from, last), last[0])
  }
  return found
}

interface Column {
  dx: number
  dy: number
  /** Edges of what stands in it, in the sheet. */
  right: number
  bottom: number
  /** Of the lines that leave at its foot: the one farthest right turns first. */
  ranks: ReadonlyMap<string, number>
}
const unmoved: Column = { dx: 0, dy: 0, right: 0, bottom: 0, ranks: new Map() }

const turnGap = { level: 9, foot: 26, head: 16, side: 20 }

function columnsOf(scene: Scene, labels: readonly Label[], cuts: readonly Cut[]): Column[] {
  const columns: Column[] = []
  let [x, head] = [0, 0]
  for (let k = 0; k <= cuts.length; k++) {
    const points = [
      ...scene.cards.flatMap(({ box }): Point[] => [
        [box.x, box.y],
        [box.x + box.width + copiesAside, box.y + box.height],
      ]),
      ...labels.flatMap(({ left, right, at }): Point[] => [
        [left, at[1] - labelDrop],
        [right, at[1] - labelDrop],
      ]),
      ...scene.lines.flatMap((line) => partsOf(line.points, cuts).flatMap((part) => part.points)),
    ].filter(([, y]) => columnAt(y, cuts) === k)
    const [xs, ys] = [points.map((point) => point[0]), points.map((point) => point[1])]
    const [left, top] = [Math.min(...xs), k === 0 ? 0 : (cuts[k - 1]?.bottom ?? 0)]
    const sorted = [...turnsAt(scene, cuts, k)].sort((a, b) => b[1] - a[1])
    const ranks = new Map(sorted.map(([key], rank) => [key, rank]))
    const right = x + Math.max(...xs) - left
    const foot = ranks.size === 0 ? 0 : turnGap.foot + turnGap.level * ranks.size
    columns.push({ dx: x - left, dy: head - top, right, bottom: head + Math.max(...ys) - top + foot, ranks })
    x = right + 2 * turnGap.side + turnGap.level * ranks.size
    head = turnGap.head + turnGap.level * ranks.size
  }
  return columns
}

const moved = ([x, y]: Point, { dx, dy }: Column): Point => [x + dx, y + dy]

/** Down, to the side, up and down into the next column. */
function turnBetween(start: Point, end: Point, { left, rank }: { left: Column; rank: number }): Point[] {
  const foot = left.bottom - turnGap.level * (left.ranks.size - rank)
  const side = left.right + turnGap.side + turnGap.level * rank
  const head = turnGap.level * rank
  return [start, [start[0], foot], [side, foot], [side, head], [end[0], head], end]
}

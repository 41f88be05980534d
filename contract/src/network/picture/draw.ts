/** How cards and connections of the structure picture look: sizes, colours, where lines begin and end. */
import { type Placed, type Point, routeKey } from '../layout/layout.ts'
import type { Card, Cards } from './cards.ts'
import { boxAt, cornersThrough, lineThrough, shorten, textAt, widthOf } from './svg.ts'

export const paper = '#ffffff'
const ink = { line: '#93a7b0', skip: '#12839b' }
const card = { height: 50, pill: 40, least: 136, most: 300, padding: 16 }

/** Colours of the theme and its neighbours: light ground, line, strong edge at the left. In the order of the legend. */
export const looks: ReadonlyMap<string, { fill: string; stroke: string; edge: string }> = new Map([
  ['block', { fill: '#d9ebef', stroke: '#86bac7', edge: '#074a5a' }],
  ['conv', { fill: '#eef8fa', stroke: '#b9dae2', edge: '#12839b' }],
  ['linear', { fill: '#e8ebf7', stroke: '#c5cbe8', edge: '#4453a6' }],
  ['pool', { fill: '#e9f0f8', stroke: '#c3d6ea', edge: '#3a6ea5' }],
  ['norm', { fill: '#eef2f3', stroke: '#d3dde1', edge: '#6b808a' }],
  ['activation', { fill: '#e5f4ec', stroke: '#bfe0cf', edge: '#17704a' }],
  ['regular', { fill: '#fdf3e1', stroke: '#f0d9ae', edge: '#a15c07' }],
  ['merge', { fill: '#fcefe9', stroke: '#f0cdbf', edge: '#e0704f' }],
  ['shape', { fill: '#f3eef7', stroke: '#d9cbe6', edge: '#7a5299' }],
  ['token', { fill: '#f9ecf3', stroke: '#e7c4d8', edge: '#a8437c' }],
])
const unknown = { fill: '#f4f8f9', stroke: '#c3d1d7', edge: '#5d717d' }

interface Size {
  width: number
  height: number
}
type Box = Size & { x: number; y: number }

export function sizeOf({ kind, title, note, copies }: Card): Size {
  const badge = copies > 1 ? widthOf(`×${copies}`, 'strong') + 22 : 0
  const isNode = kind === 'node'
  const head = widthOf(isNode ? title : pillText(title, note), 'strong') + badge
  const wanted = Math.max(head, isNode ? widthOf(note, 'small') : 0) + 2 * card.padding
  const width = Math.ceil(Math.min(card.most, Math.max(card.least, wanted)) / 2) * 2
  return { width, height: isNode ? card.height : card.pill }
}

const pillText = (title: string, note: string): string => (note === '' ? title : `${title} · ${note}`)

/** Cards with their boxes, in the coordinates of the layout. */
export interface Scene {
  cards: readonly { card: Card; box: Box }[]
  lines: readonly Line[]
}

interface Line {
  from: string
  to: string
  points: Point[]
  isSkip: boolean
}

export function sceneOf({ cards, edges }: Cards, placed: Placed): Scene {
  const boxes = new Map<string, Box & { tip: number }>()
  const drawn = cards.map((one) => {
    const [x, y] = placed.places.get(one.id) ?? [0, 0]
    const box = { x, y, ...sizeOf(one) }
    boxes.set(one.id, { ...box, tip: y - (one.copies > 1 ? 2 * copyStep : 0) })
    return { card: one, box }
  })
  const seen = new Set<string>()
  const lines: Line[] = []
  for (const { from, to } of edges) {
    const key = routeKey(from, to)
    const [source, target] = [boxes.get(from), boxes.get(to)]
    if (seen.has(key) || source === undefined || target === undefined || from === to) continue
    seen.add(key)
    const via = placed.routes.get(key) ?? []
    const start: Point = [source.x + source.width / 2, source.y + source.height]
    const end: Point = [target.x + target.width / 2, target.tip]
    lines.push({ from, to, points: [start, ...via, end], isSkip: via.length > 0 })
  }
  spread(lines, 'to', boxes)
  spread(lines, 'from', boxes)
  return { cards: drawn, lines }
}

const endGap = 16

/** Ends are spread over the edge of a card in the order in which lines come from; what comes straight stays straight. */
function spread(lines: readonly Line[], end: 'from' | 'to', boxes: ReadonlyMap<string, Box>): void {
  const [place, next] = end === 'to' ? [-1, -2] : [0, 1]
  const away = ({ points }: Line) => (points.at(next)?.[0] ?? 0) - (points.at(place)?.[0] ?? 0)
  for (const [id, group] of groupBy(lines, end)) {
    const room = ((boxes.get(id)?.width ?? 0) - 32) / 2
    for (const side of [-1, 1]) {
      const outer = group.filter((line) => side * away(line) > 1)
      // Lines that share a lane leave together.
      const ways = [...new Set(outer.map((line) => Math.round(away(line))))].sort((a, b) => side * (a - b))
      const gap = Math.min(endGap, room / Math.max(1, ways.length))
      const starts = outer.map((line) => ({ line, way: ways.indexOf(Math.round(away(line))) }))
      for (const { line, way } of starts) {
        const point = line.points.at(place)
        if (point !== undefined) point[0] += side * gap * (way + 1)
      }
    }
  }
}

function groupBy(lines: readonly Line[], end: 'from' | 'to'): Map<string, Line[]> {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const group = groups.get(line[end])
    if (group === undefined) groups.set(line[end], [line])
    else group.push(line)
  }
  return groups
}

export interface Label {
  text: string
  at: Point
  anchor: 'start' | 'end'
  left: number
  right: number
}

/** The shape that leaves a card stands below it: on the side where fewer lines bend, and not over another one. */
export function labelsOf({ cards, lines }: Scene): Label[] {
  const labels: Label[] = []
  const beside = new Map<number, Label[]>()
  const [outOf, into] = [groupBy(lines, 'from'), groupBy(lines, 'to')]
  for (const {
    card: { id, shape },
    box,
  } of cards) {
    const outgoing = outOf.get(id) ?? []
    if (shape === '' || outgoing.length === 0) continue
    const middle = box.x + box.width / 2
    const straight = outgoing.find(({ points }) => Math.abs((points.at(-1)?.[0] ?? 0) - middle) < 1)
    const incoming = straight === undefined ? [] : (into.get(straight.to) ?? [])
    const bends = (side: number) =>
      outgoing.filter(({ points }) => side * ((points[1]?.[0] ?? 0) - middle) > 1).length +
      incoming.filter(({ points }) => side * ((points.at(-2)?.[0] ?? 0) - middle) > 1).length
    const sides = bends(1) <= bends(-1) ? ([1, -1] as const) : ([-1, 1] as const)
    const choices = sides.map((side) => labelAt([middle, box.y + box.height + 16], shape, side))
    // Cards of a row end at heights that differ by a few points only.
    const row = Math.round((box.y + box.height) / 30)
    const others = [row - 1, row, row + 1].flatMap((near) => beside.get(near) ?? [])
    const chosen = choices.find((label) => !others.some((other) => overlaps(label, other))) ?? choices[0]
    if (chosen === undefined) continue
    labels.push(chosen)
    beside.set(row, [...(beside.get(row) ?? []), chosen])
  }
  return labels
}

function labelAt([x, y]: Point, text: string, side: 1 | -1): Label {
  const width = widthOf(text, 'mono')
  const start = x + 8 * side
  const [left, right] = side === 1 ? [start, start + width] : [start - width, start]
  return { text, at: [start, y], anchor: side === 1 ? 'start' : 'end', left, right }
}

function overlaps(one: Label, other: Label): boolean {
  return Math.abs(one.at[1] - other.at[1]) < 14 && one.left < other.right + 6 && other.left < one.right + 6
}

export interface Stroke {
  points: Point[]
  isSkip: boolean
  /** `turn`: a way between two columns, of upright and level pieces. */
  kind: 'middle' | 'end' | 'turn'
}

export function drawStroke({ points, isSkip, kind }: Stroke): string {
  const colour = isSkip ? ink.skip : ink.line
  if (kind === 'turn') return cornersThrough(points, colour)
  return lineThrough(points, colour, { hasArrow: kind === 'end' })
}

export function drawLabel({ text, at, anchor }: Label): string {
  return textAt(at, text, { font: 'mono', anchor, halo: paper })
}

const copyStep = 4

export function drawCard({ card: one, box }: Scene['cards'][number]): string {
  return one.kind === 'node' ? drawNode(one, box) : drawPill(one, box)
}

function drawNode({ category, title, note, copies, isOff }: Card, box: Box): string {
  const { x, y, width, height } = box
  const { fill, stroke, edge } = looks.get(category) ?? unknown
  const look = { stroke, radius: 10, isDashed: isOff }
  const parts: string[] = []
  for (const away of copies > 1 ? [2 * copyStep, copyStep] : []) {
    parts.push(boxAt({ ...box, x: x + away, y: y - away }, { ...look, fill: paper }))
  }
  parts.push(boxAt(box, { ...look, fill: isOff ? paper : fill }))
  const bar = `M${x + 6} ${y + 12}v${height - 24}`
  parts.push(`<path d="${bar}" stroke="${edge}" stroke-width="3" stroke-linecap="round"/>`)
  const inner = width - 2 * card.padding
  const badge = `×${copies}`
  const badgeWidth = copies > 1 ? widthOf(badge, 'strong') + 14 : 0
  const head = shorten(title, 'strong', inner - badgeWidth)
  parts.push(textAt([x + card.padding, y + 21], head, { font: 'strong' }))
  parts.push(textAt([x + card.padding, y + 39], shorten(note, 'small', inner), { font: 'small' }))
  if (copies > 1) {
    const pill = { x: x + width - badgeWidth - 8, y: y + 7, width: badgeWidth, height: 19 }
    parts.push(boxAt(pill, { fill: edge, stroke: edge, radius: 9 }))
    const middle: Point = [pill.x + badgeWidth / 2, y + 21]
    parts.push(textAt(middle, badge, { font: 'strong', anchor: 'middle', ink: paper }))
  }
  return parts.join('')
}

function drawPill({ kind, title, note }: Card, box: Box): string {
  const colour = kind === 'input' ? '#074a5a' : '#b4512f'
  const text = shorten(pillText(title, note), 'strong', box.width - 2 * card.padding)
  const middle: Point = [box.x + box.width / 2, box.y + box.height / 2 + 5]
  const ground = boxAt(box, { fill: colour, stroke: colour, radius: box.height / 2 })
  return ground + textAt(middle, text, { font: 'strong', anchor: 'middle', ink: paper })
}

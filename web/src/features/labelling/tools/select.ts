/** Chooses things, moves them and their points, and turns boxes. */
import { ringsOf } from '@neuroloom/contract/labelling/corners'
import type { Shape, Thing } from '@neuroloom/contract/labelling/things'
import type { Pane } from '../canvas/pane.ts'
import { cornersOf, moved, nearestOn, turned } from '../canvas/shapes.ts'
import { drawShape } from '../canvas/things-layer.ts'
import { type Point, toScreen } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import { changeThing } from './making.ts'
import type { Press } from './press.ts'
import type { Tool } from './tool.ts'

/** `point`: of a ring or a line; `corner`: of a box, clockwise from the left upper one; `turn`: above a box. */
type Handle =
  | { kind: 'point'; ring: number; index: number }
  | { kind: 'corner'; index: number }
  | { kind: 'turn' }
type Moving = { thing: Thing; from: Press; handle: Handle | null; now: Shape }

export function select(): Tool {
  let moving: Moving | null = null
  return {
    cursor: 'default',
    isStroke: true,
    down(bench, at) {
      const chosen = onlyChosen(bench, at.pane)
      const handle = chosen && bench.isWritable ? handleAt(chosen, at) : null
      if (chosen && handle?.kind === 'point' && at.isAlt) return dropPoint(bench, chosen, handle)
      const thing = handle ? chosen : (bench.things(at.pane).at(at, at.reach)[0] ?? null)
      const { selected } = bench.desk.getState()
      if (!thing) return bench.select([])
      if (at.isShift && !handle) {
        const others = selected.filter((id) => id !== thing.id)
        return bench.select(others.length < selected.length ? others : [...selected, thing.id])
      }
      if (!selected.includes(thing.id)) bench.select([thing.id])
      if (bench.isWritable) moving = { thing, from: at, handle, now: thing.shape }
    },
    drag(_, points) {
      const to = points.at(-1)
      if (!moving || !to || to.pane !== moving.from.pane) return
      const isFirst = moving.now === moving.thing.shape
      if (isFirst && Math.hypot(to.x - moving.from.x, to.y - moving.from.y) < to.reach / 3) return
      moving.now = changedBy(moving, to)
      if (isFirst) to.pane.things.hide([moving.thing], to.pane.ratio)
      to.pane.renew('things', 'above')
    },
    up(bench) {
      if (!moving) return
      const { thing, now, from } = moving
      moving = null
      from.pane.things.hide([], from.pane.ratio)
      from.pane.renew('things')
      if (now !== thing.shape) changeThing(bench, thing, { after: { ...thing, shape: now }, tool: 'move' })
    },
    double(bench, at) {
      const chosen = onlyChosen(bench, at.pane)
      if (chosen && bench.isWritable) addPoint(bench, chosen, at)
    },
    cancel(bench) {
      const wasMoving = moving !== null
      if (moving) moving.from.pane.things.hide([], moving.from.pane.ratio)
      moving = null
      const hadChosen = bench.desk.getState().selected.length > 0
      bench.select([])
      bench.renew('things')
      return wasMoving || hadChosen
    },
    draw: (bench, context, pane) => drawChosen(bench, context, { pane, moving }),
  }
}

/** Strong, with handles where one alone is chosen; also shown while other tools are at work. */
export function drawChosen(
  bench: Bench,
  context: CanvasRenderingContext2D,
  { pane, moving = null }: { pane: Pane; moving?: Moving | null },
): void {
  const { selected } = bench.desk.getState()
  for (const id of selected) {
    const thing = bench.journal.marks.things.get(id)
    const style = thing && bench.isOn(thing, pane) ? bench.styleOf(thing) : null
    if (!thing || !style) continue
    const shape = moving?.thing.id === id ? moving.now : thing.shape
    drawShape(context, shape, { ...pane, ...style, isStrong: true })
    if (selected.length === 1) drawHandles(context, pane, { shape, colour: style.colour })
  }
}

function drawHandles(
  context: CanvasRenderingContext2D,
  pane: Pane,
  { shape, colour }: { shape: Shape; colour: string },
) {
  const size = 4 * pane.ratio
  const all = handlesOf(shape, (TURN_AWAY / pane.view.scale) * pane.ratio)
  if (all.length > MOST_HANDLES) return
  for (const { at } of all) {
    const { x, y } = toScreen(pane.view, pane.plane, at)
    context.fillStyle = 'white'
    context.strokeStyle = colour
    context.lineWidth = 1.5 * pane.ratio
    context.beginPath()
    context.rect(x - size, y - size, 2 * size, 2 * size)
    context.fill()
    context.stroke()
  }
}

/** CSS pixels above the box. */
const TURN_AWAY = 28
/** More would hide the outline. */
const MOST_HANDLES = 400

function onlyChosen(bench: Bench, pane: Pane): Thing | null {
  const { selected } = bench.desk.getState()
  const thing = selected.length === 1 ? bench.journal.marks.things.get(selected[0] ?? '') : undefined
  return thing && bench.isOn(thing, pane) ? thing : null
}

function handlesOf(shape: Shape, turnAway: number): { at: Point; handle: Handle }[] {
  if (shape.kind === 'box') {
    const corners = cornersOf(shape).map((at, index) => ({ at, handle: { kind: 'corner' as const, index } }))
    const above = { x: shape.x + shape.width / 2, y: shape.y - turnAway }
    return [...corners, { at: turned(above, middleOf(shape), shape.angle), handle: { kind: 'turn' } }]
  }
  return ringsOf(shape).flatMap((ring, number) =>
    ring.flatMap((x, at) =>
      at % 2 === 0
        ? [
            {
              at: { x, y: ring[at + 1] ?? 0 },
              handle: { kind: 'point' as const, ring: number, index: at / 2 },
            },
          ]
        : [],
    ),
  )
}

const middleOf = ({ x, y, width, height }: Extract<Shape, { kind: 'box' }>): Point => ({
  x: x + width / 2,
  y: y + height / 2,
})

function handleAt({ shape }: Thing, at: Press): Handle | null {
  const turnAway = (TURN_AWAY / at.pane.view.scale) * at.pane.ratio
  const near = handlesOf(shape, turnAway)
    .map(({ at: place, handle }) => ({ handle, away: Math.hypot(place.x - at.x, place.y - at.y) }))
    .sort((one, other) => one.away - other.away)[0]
  return near && near.away <= at.reach * 1.2 ? near.handle : null
}

function changedBy({ thing: { shape }, from, handle }: Moving, to: Press): Shape {
  if (handle === null) return moved(shape, { x: to.x - from.x, y: to.y - from.y })
  if (shape.kind === 'box') {
    if (handle.kind === 'turn') {
      const middle = middleOf(shape)
      const degrees = (Math.atan2(to.y - middle.y, to.x - middle.x) * 180) / Math.PI + 90
      const angle = to.isShift ? Math.round(degrees / 15) * 15 : degrees
      return { ...shape, angle: ((angle + 540) % 360) - 180 }
    }
    return handle.kind === 'corner' ? resized(shape, handle.index, to) : shape
  }
  if (handle.kind !== 'point') return shape
  const changed = (points: readonly number[]) =>
    points.map((value, at) => (at === handle.index * 2 ? to.x : at === handle.index * 2 + 1 ? to.y : value))
  if (shape.kind === 'outline')
    return { ...shape, rings: shape.rings.map((ring, at) => (at === handle.ring ? changed(ring) : ring)) }
  return { ...shape, points: changed(shape.points) }
}

/** The corner across stays where it is, also of a box that is turned. */
function resized(shape: Extract<Shape, { kind: 'box' }>, index: number, to: Point): Shape {
  const fixed = cornersOf(shape)[(index + 2) % 4] ?? to
  const middle = { x: (fixed.x + to.x) / 2, y: (fixed.y + to.y) / 2 }
  const [one, other] = [turned(fixed, middle, -shape.angle), turned(to, middle, -shape.angle)]
  return {
    ...shape,
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.max(Math.abs(one.x - other.x), 0.5),
    height: Math.max(Math.abs(one.y - other.y), 0.5),
  }
}

function addPoint(bench: Bench, thing: Thing, at: Press): void {
  const { shape } = thing
  if (shape.kind !== 'outline' && shape.kind !== 'line') return
  const isRing = shape.kind === 'outline'
  let best: { ring: number; index: number; x: number; y: number; distance: number } | null = null
  ringsOf(shape).forEach((points, ring) => {
    for (let index = 0; index < points.length / 2 - (isRing ? 0 : 1); index++) {
      const next = ((index + 1) * 2) % points.length
      const from = { x: points[index * 2] ?? 0, y: points[index * 2 + 1] ?? 0 }
      const found = nearestOn(from, { x: points[next] ?? 0, y: points[next + 1] ?? 0 }, at)
      if (!best || found.distance < best.distance) best = { ring, index, ...found }
    }
  })
  // Assigned in the closure above, which the checker does not follow.
  const edge = best as { ring: number; index: number; x: number; y: number; distance: number } | null
  if (!edge || edge.distance > at.reach) return
  const added = (points: readonly number[]) => [
    ...points.slice(0, edge.index * 2 + 2),
    ...[edge.x, edge.y],
    ...points.slice(edge.index * 2 + 2),
  ]
  const after: Shape =
    shape.kind === 'outline'
      ? { ...shape, rings: shape.rings.map((ring, number) => (number === edge.ring ? added(ring) : ring)) }
      : { ...shape, points: added(shape.points) }
  changeThing(bench, thing, { after: { ...thing, shape: after }, tool: 'add-point' })
}

function dropPoint(bench: Bench, thing: Thing, { ring, index }: { ring: number; index: number }): void {
  const { shape } = thing
  const without = (points: readonly number[]) => points.filter((_, at) => Math.floor(at / 2) !== index)
  if (shape.kind === 'line' && shape.points.length > 4)
    changeThing(bench, thing, {
      after: { ...thing, shape: { ...shape, points: without(shape.points) } },
      tool: 'drop-point',
    })
  if (shape.kind !== 'outline' || (shape.rings[ring]?.length ?? 0) <= 6) return
  const rings = shape.rings.map((points, at) => (at === ring ? without(points) : points))
  changeThing(bench, thing, { after: { ...thing, shape: { ...shape, rings } }, tool: 'drop-point' })
}

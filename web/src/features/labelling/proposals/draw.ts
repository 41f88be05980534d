/** What is proposed and nobody has said anything to: dashed and hatched, with how sure the network is. */
import type { ProposedObject } from '@neuroloom/contract/labelling/proposals'
import { formatPercent } from '../../../lib/format.ts'
import { colours } from '../../../ui/tokens.ts'
import type { Pane } from '../canvas/pane.ts'
import { toScreen } from '../canvas/view.ts'
import type { Bench } from '../tools/bench.ts'
import { boundsOf } from './taking.ts'

/** CSS pixels. */
const DASH = [5, 4]
const HATCH = 9

export function drawObjects(
  bench: Bench,
  { context, pane }: { context: CanvasRenderingContext2D; pane: Pane },
  { objects, chosen }: { objects: readonly ProposedObject[]; chosen: number | null },
): void {
  for (const object of objects) {
    const kind = bench.classOf(object.class)
    const rings = pane.plane.axis === 2 ? ringsOn(object, pane.plane.slice) : []
    if (!kind || rings.length === 0 || bench.desk.getState().hidden.has(object.class)) continue
    const path = pathOf(rings, pane)
    const isChosen = object.number === chosen
    context.save()
    context.strokeStyle = kind.colour
    context.lineWidth = (isChosen ? 3 : 1.5) * pane.ratio
    context.setLineDash(DASH.map((length) => length * pane.ratio))
    context.stroke(path)
    context.clip(path, 'evenodd')
    hatch(context, rings, pane)
    context.restore()
    if (object.confidence !== null) write(context, { text: formatPercent(object.confidence, 0), rings, pane })
  }
}

export function ringsOn({ shape }: ProposedObject, slice: number): readonly (readonly number[])[] {
  switch (shape.kind) {
    case 'tag':
      return []
    case 'region':
      return shape.slices.find((one) => one.slice === slice)?.rings ?? []
    case 'box': {
      const { x, y, width, height } = shape
      return slice === 0 ? [[x, y, x + width, y, x + width, y + height, x, y + height]] : []
    }
  }
}

function pathOf(rings: readonly (readonly number[])[], { view, plane }: Pane): Path2D {
  const path = new Path2D()
  for (const ring of rings) {
    for (let at = 0; at + 1 < ring.length; at += 2) {
      const { x, y } = toScreen(view, plane, { x: ring[at] ?? 0, y: ring[at + 1] ?? 0 })
      if (at === 0) path.moveTo(x, y)
      else path.lineTo(x, y)
    }
    path.closePath()
  }
  return path
}

/** Slanted lines within what is clipped. */
function hatch(
  context: CanvasRenderingContext2D,
  rings: readonly (readonly number[])[],
  { view, plane, area, ratio }: Pane,
): void {
  const bounds = boundsOf(rings)
  const one = toScreen(view, plane, { x: bounds.left, y: bounds.top })
  const other = toScreen(view, plane, { x: bounds.right, y: bounds.bottom })
  const [left, right] = [
    Math.max(0, Math.min(one.x, other.x)),
    Math.min(area.width, Math.max(one.x, other.x)),
  ]
  const [top, bottom] = [
    Math.max(0, Math.min(one.y, other.y)),
    Math.min(area.height, Math.max(one.y, other.y)),
  ]
  const height = bottom - top
  context.setLineDash([])
  context.lineWidth = ratio
  context.globalAlpha = 0.55
  context.beginPath()
  const step = HATCH * ratio
  for (let x = Math.floor((left - height) / step) * step; x < right; x += step) {
    context.moveTo(x, bottom)
    context.lineTo(x + height, top)
  }
  context.stroke()
}

type Written = { text: string; rings: readonly (readonly number[])[]; pane: Pane }

function write(context: CanvasRenderingContext2D, { text, rings, pane }: Written): void {
  const { left, top } = boundsOf(rings)
  const at = toScreen(pane.view, pane.plane, { x: left, y: top })
  context.font = `${11 * pane.ratio}px sans-serif`
  context.lineWidth = 3 * pane.ratio
  context.strokeStyle = colours.ink[0]
  context.fillStyle = colours.surface[0]
  context.strokeText(text, at.x, at.y - 4 * pane.ratio)
  context.fillText(text, at.x, at.y - 4 * pane.ratio)
}

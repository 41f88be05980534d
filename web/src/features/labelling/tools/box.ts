/** A box from one corner to the other: by a stroke, or by a press at each corner. */
import type { Shape } from '@neuroloom/contract/labelling/things'
import type { Point } from '../canvas/view.ts'
import { drawDraft, makeThing } from './making.ts'
import type { Press } from './press.ts'
import type { Tool } from './tool.ts'

export function box(): Tool {
  let from: Press | null = null
  let to: Press | null = null
  const reset = () => {
    from = null
    to = null
  }
  return {
    cursor: 'crosshair',
    down(bench, at) {
      if (from && from.pane === at.pane) {
        makeThing(bench, at.pane, { shape: between(from, at), tool: 'box' })
        return reset()
      }
      from = at
      to = at
    },
    drag(_, points) {
      to = points.at(-1) ?? to
    },
    hover(_, at) {
      if (from) to = at
    },
    up(bench, at) {
      if (!from || Math.hypot(at.x - from.x, at.y - from.y) < at.reach) return
      makeThing(bench, at.pane, { shape: between(from, at), tool: 'box' })
      reset()
    },
    accept(bench) {
      if (!from || !to) return false
      makeThing(bench, from.pane, { shape: between(from, to), tool: 'box' })
      reset()
      return true
    },
    cancel() {
      const isAny = from !== null
      reset()
      return isAny
    },
    draw(bench, context, pane) {
      if (from?.pane === pane && to) drawDraft(bench, context, { pane, shape: between(from, to) })
    },
  }
}

/** Within the image where both corners are. */
const between = (one: Point, other: Point): Shape => ({
  kind: 'box',
  x: Math.min(one.x, other.x),
  y: Math.min(one.y, other.y),
  width: Math.max(Math.abs(one.x - other.x), 0.01),
  height: Math.max(Math.abs(one.y - other.y), 0.01),
  angle: 0,
})

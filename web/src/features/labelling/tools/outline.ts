/** Polygons and lines: a press for each point, or a stroke for many. */
import type { Shape } from '@neuroloom/contract/labelling/things'
import { toScreen } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import { drawDraft, makeThing } from './making.ts'
import type { Press } from './press.ts'
import type { Tool } from './tool.ts'

type Kind = 'polygon' | 'line'
/** Of a stroke, device pixels between two points. */
const APART = 8

export function outline(kind: Kind): Tool {
  let points: Press[] = []
  let pointer: Press | null = null
  const finish = (bench: Bench): boolean => {
    const [first] = points
    const isEnough = points.length >= (kind === 'polygon' ? 3 : 2)
    if (first && isEnough) makeThing(bench, first.pane, { shape: shapeOf(kind, points), tool: kind })
    const isAny = points.length > 0
    if (isEnough || !isAny) points = []
    return isAny
  }
  const isAtFirst = (at: Press): boolean => {
    const [first] = points
    return first !== undefined && points.length > 2 && Math.hypot(at.x - first.x, at.y - first.y) <= at.reach
  }
  return {
    cursor: 'crosshair',
    down(bench, at) {
      if (points[0] && points[0].pane !== at.pane) points = []
      if (kind === 'polygon' && isAtFirst(at)) {
        finish(bench)
        return
      }
      points.push(at)
      pointer = at
    },
    drag(_, moved) {
      for (const at of moved) {
        const last = points.at(-1)
        if (last && Math.hypot(at.x - last.x, at.y - last.y) * at.pane.view.scale > APART * at.pane.ratio)
          points.push(at)
        pointer = at
      }
    },
    hover(_, at) {
      pointer = at
    },
    double(bench) {
      finish(bench)
    },
    accept: finish,
    back() {
      return points.pop() !== undefined
    },
    cancel() {
      const isAny = points.length > 0
      points = []
      return isAny
    },
    draw(bench, context, pane) {
      const [first] = points
      if (first?.pane !== pane) return
      const shown = pointer && pointer !== points.at(-1) ? [...points, pointer] : points
      if (shown.length > 1) drawDraft(bench, context, { pane, shape: shapeOf('line', shown) })
      const { x, y } = toScreen(pane.view, pane.plane, first)
      context.beginPath()
      context.arc(x, y, 5 * pane.ratio, 0, 2 * Math.PI)
      context.fillStyle = pointer && isAtFirst(pointer) ? 'white' : (bench.class?.colour ?? 'white')
      context.fill()
    },
  }
}

function shapeOf(kind: Kind, points: readonly Press[]): Shape {
  const flat = points.flatMap(({ x, y }) => [x, y])
  return kind === 'polygon' ? { kind: 'outline', rings: [flat] } : { kind: 'line', points: flat }
}

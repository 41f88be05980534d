/** Brush and eraser: their ring is seen before the press, and long strokes are put down in pieces. */
import { labelling as limits } from '@neuroloom/contract/limits'
import { sweep } from '../canvas/brush.ts'
import type { Pane } from '../canvas/pane.ts'
import { segmentOn } from '../canvas/plane.ts'
import { toScreen } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import { sizeOf } from './desk.ts'
import type { Press } from './press.ts'
import type { Tool } from './tool.ts'

type Kind = 'brush' | 'eraser'

export function brush(kind: Kind): Tool {
  let stroke: { pane: Pane; last: Press; segment: number; timer: ReturnType<typeof setInterval> } | null =
    null

  const paint = (bench: Bench, to: Press) => {
    if (!stroke) return
    const { pane, last, segment } = stroke
    const radius = sizeFor(bench, to) / 2
    sweep({ from: last, to, radius, aspect: pane.plane.aspect }, (v, first, end) => {
      bench.fill(pane, { v, from: first, to: end, segment })
    })
    const down = radius / pane.plane.aspect
    bench.drawn(pane, {
      left: Math.min(last.x, to.x) - radius - 1,
      top: Math.min(last.y, to.y) - down - 1,
      right: Math.max(last.x, to.x) + radius + 1,
      bottom: Math.max(last.y, to.y) + down + 1,
    })
    stroke.last = to
  }

  return {
    cursor: 'none',
    isStroke: true,
    down(bench, at) {
      const chosen = bench.class
      if (!chosen || !bench.isWritable) return
      const isErasing = kind === 'eraser' || at.isErasing || chosen.use === 'background'
      bench.journal.begin(isErasing ? 'eraser' : 'brush')
      const under = segmentOn(bench.journal.marks.pixels, at.pane.plane, Math.floor(at.x), Math.floor(at.y))
      stroke = {
        pane: at.pane,
        last: at,
        segment: isErasing ? 0 : bench.segmentFor(chosen.id, under),
        timer: setInterval(() => bench.journal.piece(), limits.pieceMs),
      }
      paint(bench, at)
    },
    drag(bench, points) {
      for (const point of points) if (point.pane === stroke?.pane) paint(bench, point)
    },
    up(bench) {
      if (!stroke) return
      clearInterval(stroke.timer)
      stroke = null
      bench.journal.end()
    },
    cancel(bench) {
      if (!stroke) return false
      clearInterval(stroke.timer)
      stroke = null
      bench.journal.end()
      void bench.journal.undo()
      return true
    },
    draw(bench, context, pane) {
      const { at } = bench
      if (!at || at.pane !== pane) return
      const { x, y } = toScreen(pane.view, pane.plane, at)
      const radius = (sizeFor(bench, at) / 2) * pane.view.scale
      ring(context, {
        x,
        y,
        radius: Math.max(radius, 1.5),
        ratio: pane.ratio,
        colour: bench.class?.colour ?? 'white',
      })
    },
  }
}

function sizeFor({ desk }: Bench, { isPen, pressure }: Press): number {
  const size = sizeOf(desk.getState())
  return isPen && desk.getState().isByPressure ? Math.max(1, size * (0.3 + 0.7 * pressure)) : size
}

/** Dark around light, so that it is seen on any image. */
function ring(
  context: CanvasRenderingContext2D,
  { x, y, radius, ratio, colour }: { x: number; y: number; radius: number; ratio: number; colour: string },
): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.lineWidth = 3 * ratio
  context.strokeStyle = 'black'
  context.globalAlpha = 0.5
  context.stroke()
  context.globalAlpha = 1
  context.lineWidth = 1.5 * ratio
  context.strokeStyle = colour
  context.stroke()
}

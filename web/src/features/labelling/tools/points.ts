/** Points of a thing one after the other, as its class's skeleton names them; with Shift a hidden one. */
import type { Shape } from '@neuroloom/contract/labelling/things'
import { toScreen } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import { drawDraft, makeThing } from './making.ts'
import type { Press } from './press.ts'
import type { Tool } from './tool.ts'

export function points(): Tool {
  let placed: { at: Press; seen: number }[] = []
  const namesOf = (bench: Bench): readonly string[] => bench.class?.skeleton?.points ?? ['']
  const shape = (bench: Bench): Extract<Shape, { kind: 'points' }> => {
    const all = namesOf(bench).map((_, index) => placed[index])
    return {
      kind: 'points',
      points: all.flatMap((one) => (one ? [one.at.x, one.at.y] : [0, 0])),
      seen: all.map((one) => one?.seen ?? 0),
    }
  }
  const finish = (bench: Bench): boolean => {
    const [first] = placed
    if (!first) return false
    makeThing(bench, first.at.pane, { shape: shape(bench), tool: 'points' })
    placed = []
    return true
  }
  return {
    cursor: 'crosshair',
    down(bench, at) {
      if (placed[0] && placed[0].at.pane !== at.pane) placed = []
      placed.push({ at, seen: at.isShift ? 1 : 2 })
      if (placed.length >= namesOf(bench).length) finish(bench)
    },
    accept: finish,
    back: () => placed.pop() !== undefined,
    cancel() {
      const isAny = placed.length > 0
      placed = []
      return isAny
    },
    draw(bench, context, pane) {
      if (placed[0]?.at.pane === pane) drawDraft(bench, context, { pane, shape: shape(bench) })
      const name = namesOf(bench)[placed.length]
      if (!name || bench.at?.pane !== pane) return
      // Which one comes next stands beside the pointer.
      const { x, y } = toScreen(pane.view, pane.plane, bench.at)
      context.font = `${13 * pane.ratio}px sans-serif`
      context.lineWidth = 3 * pane.ratio
      context.strokeStyle = 'black'
      context.strokeText(name, x + 12 * pane.ratio, y - 8 * pane.ratio)
      context.fillStyle = 'white'
      context.fillText(name, x + 12 * pane.ratio, y - 8 * pane.ratio)
    },
  }
}

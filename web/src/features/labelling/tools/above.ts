/** The uppermost layer of a plane: what is chosen, where other planes cut it, a proposal, and what the tool shows. */
import { colours } from '../../../ui/tokens.ts'
import type { Pane } from '../canvas/pane.ts'
import { toScreen } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import { drawProposal } from './proposal.ts'
import { drawChosen } from './select.ts'

export function drawAbove(bench: Bench, context: CanvasRenderingContext2D, pane: Pane): void {
  const { tool, proposal } = bench.desk.getState()
  // The tool that moves things draws them itself.
  if (tool !== 'select') drawChosen(bench, context, { pane })
  if (bench.panes.length > 1) drawCross(bench, context, pane)
  bench.drawBelowTool?.(context, pane)
  if (proposal) drawProposal(bench, context, { pane, proposal })
  bench.tool.draw?.(bench, context, pane)
}

function drawCross(
  bench: Bench,
  context: CanvasRenderingContext2D,
  { plane, view, area, ratio }: Pane,
): void {
  const [column, row, slice] = bench.desk.getState().place
  const places = { 2: [column, row], 1: [column, slice], 0: [row, slice] } as const
  const [u, v] = places[plane.axis]
  const { x, y } = toScreen(view, plane, { x: u + 0.5, y: v + 0.5 })
  context.strokeStyle = colours.primary[1]
  context.globalAlpha = 0.7
  context.lineWidth = ratio
  context.beginPath()
  context.moveTo(0, y)
  context.lineTo(area.width, y)
  context.moveTo(x, 0)
  context.lineTo(x, area.height)
  context.stroke()
  context.globalAlpha = 1
}

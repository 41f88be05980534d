/** A press on a plane, and what every tool is: a small object that hears of presses and changes the marks through the bench. */
import type { Pane } from '../canvas/pane.ts'
import type { Point } from '../canvas/view.ts'

export type Press = Point & {
  pane: Pane
  /** 0 … 1; 1 where the device does not tell. */
  pressure: number
  isPen: boolean
  /** Without hovering: nothing can be seen before the first press. */
  isTouch: boolean
  isErasing: boolean
  isShift: boolean
  isAlt: boolean
  /** How far a finger, a pen or a mouse may miss, in image pixels. */
  reach: number
}

/** `Bench`: where tools and panels meet (bench.ts), which must know tools itself. */
export type ToolOf<Bench> = {
  down?: (bench: Bench, at: Press) => void
  /** With the button down; all points since the last call. */
  drag?: (bench: Bench, points: readonly Press[]) => void
  up?: (bench: Bench, at: Press) => void
  /** Without a button. */
  hover?: (bench: Bench, at: Press) => void
  /** Twice at the same place. */
  double?: (bench: Bench, at: Press) => void
  /** Enter: what is shown counts. True: there was something. */
  accept?: (bench: Bench) => boolean
  /** Backspace: the last point goes. */
  back?: (bench: Bench) => boolean
  /** Escape, another tool, a second finger: what is not finished goes. True: there was something. */
  cancel?: (bench: Bench) => boolean
  /** On the uppermost layer, in device pixels. */
  draw?: (bench: Bench, context: CanvasRenderingContext2D, pane: Pane) => void
  /** By keyboard, one press puts it down and the next one lifts it; other tools are pressed at once. */
  isStroke?: true
  cursor: 'crosshair' | 'default' | 'grab' | 'none'
}

/** The part of a plane that assists look at, and its colours. */
import type { Colour } from '../assist/plane.ts'
import type { Pane } from '../canvas/pane.ts'
import type { Point, Rect } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import type { Press } from './press.ts'

/** Around the pointer: what lies farther away says little, and takes long. */
const WINDOW = 1024

export type Seen = { rect: Rect; plane: Colour; at: Pane['plane']; window: string }

export function windowAround({ plane }: Pane, { x, y }: Point): Rect {
  const start = (middle: number, length: number) =>
    Math.max(0, Math.min(Math.floor(middle) - WINDOW / 2, length - WINDOW))
  const [left, top] = [start(x, plane.width), start(y, plane.height)]
  return {
    left,
    top,
    right: Math.min(plane.width, left + WINDOW),
    bottom: Math.min(plane.height, top + WINDOW),
  }
}

/** The colours around the pointer; kept while it stays in the same part of the same plane, shown with the same brightness. */
export function looking() {
  let last: Seen | null = null
  return async (bench: Bench, at: Press): Promise<Seen> => {
    const { pane } = at
    const window = String(bench.source.window?.get())
    const isSame = last?.at === pane.plane && last.window === window
    if (last && isSame && isDeepIn(last.rect, at, pane)) return last
    const rect = windowAround(pane, at)
    last = { rect, at: pane.plane, window, plane: await bench.source.pixels(pane.plane, rect) }
    return last
  }
}

const isDeepIn = (rect: Rect, { x, y }: Point, { plane }: Pane): boolean => {
  const room = WINDOW / 4
  return (
    (x - rect.left > room || rect.left === 0) &&
    (rect.right - x > room || rect.right === plane.width) &&
    (y - rect.top > room || rect.top === 0) &&
    (rect.bottom - y > room || rect.bottom === plane.height)
  )
}

/** Where the part lies, as proposals say it. */
export const placed = ({ plane }: Pane, { left, top, right, bottom }: Rect) => ({
  ...{ axis: plane.axis, slice: plane.slice, left, top },
  width: right - left,
  height: bottom - top,
})

/** The live wire: between presses the outline follows borders of the image, and the way to the pointer is seen before the next press. */
import { ask } from '../assist/ask.ts'
import { simplified } from '../canvas/shapes.ts'
import { type Point, type Rect, toScreen } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import { looking, type Seen } from './looking.ts'
import { drawDraft } from './making.ts'
import type { Press } from './press.ts'
import type { Tool } from './tool.ts'
import { makeWired } from './wired.ts'

/** A path of neighbouring pixels has steps; what lies this near to a straight line is one, in pixels. */
const STRAIGHT = 0.75

export function wire(): Tool {
  const way = ways()
  let anchors: Press[] = []
  /** From each anchor to the next one. */
  let legs: (readonly Point[])[] = []
  /** From the last anchor to the pointer. */
  let ahead: readonly Point[] = []
  let pointer: Press | null = null
  let isHeld = false
  let asked = 0
  /** Ways are looked for one after the other: each goes on with what the one before has found. */
  let work: Promise<unknown> = Promise.resolve()
  const then = (deed: () => Promise<void>) => {
    work = work.then(deed).catch(() => undefined)
  }
  const reset = () => {
    asked++
    anchors = []
    legs = []
    ahead = []
    isHeld = false
  }
  const follow = (bench: Bench, at: Press) => {
    pointer = at
    const from = anchors.at(-1)
    if (!from || from.pane !== at.pane) return
    const mine = ++asked
    then(async () => {
      // Only the latest pointer counts.
      if (mine !== asked) return
      const found = await way(bench, from, at)
      if (mine !== asked) return
      ahead = found
      bench.renewAbove()
    })
  }
  const isAtFirst = (at: Press): boolean => {
    const [first] = anchors
    return first !== undefined && anchors.length > 2 && Math.hypot(at.x - first.x, at.y - first.y) <= at.reach
  }
  const place = (bench: Bench, at: Press) => {
    if (anchors[0] && anchors[0].pane !== at.pane) reset()
    if (isAtFirst(at)) return void finish(bench)
    const from = anchors.at(-1)
    anchors.push(at)
    asked++
    if (!from) return
    const guess = ahead.length > 0 ? ahead : [from, at]
    const own = legs
    const index = own.push(guess) - 1
    ahead = []
    then(async () => {
      const found = await way(bench, from, at)
      if (own[index] === guess) own[index] = found
      bench.renewAbove()
    })
  }
  /** It counts once its last ways are found, whatever tool is chosen by then. */
  const finish = (bench: Bench): boolean => {
    const [first] = anchors
    const last = anchors.at(-1)
    const form = bench.desk.getState().wireForm
    if (!first || !last || anchors.length < (form === 'line' ? 2 : 3)) return anchors.length > 0
    const own = legs
    then(async () => {
      const back = form === 'line' ? [] : await way(bench, last, first)
      makeWired(bench, first.pane, { path: simplified([...own.flat(), ...back], STRAIGHT), form })
      bench.renewAbove()
    })
    reset()
    return true
  }
  return {
    cursor: 'crosshair',
    down(bench, at) {
      isHeld = true
      follow(bench, at)
    },
    drag(bench, points) {
      const at = points.at(-1)
      if (at) follow(bench, at)
    },
    up(bench, at) {
      if (isHeld) place(bench, at)
      isHeld = false
    },
    hover: follow,
    double: finish,
    accept: finish,
    back(bench) {
      const isAny = anchors.pop() !== undefined
      legs.pop()
      ahead = []
      if (pointer) follow(bench, pointer)
      return isAny
    },
    cancel() {
      const isAny = anchors.length > 0
      reset()
      return isAny
    },
    draw(bench, context, pane) {
      const [first] = anchors
      if (first?.pane !== pane) return
      const path = [...legs.flat(), ...ahead]
      if (path.length > 1)
        drawDraft(bench, context, {
          pane,
          shape: { kind: 'line', points: path.flatMap(({ x, y }) => [x, y]) },
        })
      for (const at of anchors) {
        const { x, y } = toScreen(pane.view, pane.plane, at)
        context.beginPath()
        context.arc(x, y, (at === first ? 5 : 3) * pane.ratio, 0, 2 * Math.PI)
        const isClosing = at === first && pointer !== null && isAtFirst(pointer)
        context.fillStyle = isClosing ? 'white' : (bench.class?.colour ?? 'white')
        context.fill()
      }
    },
  }
}

/** The way along borders; beyond what is looked at it goes straight on. */
function ways() {
  const look = looking()
  let last: Seen | null = null
  return async (bench: Bench, from: Press, to: Press): Promise<readonly Point[]> => {
    try {
      const seen = await look(bench, from)
      const { rect } = seen
      const plane = seen === last ? null : seen.plane
      const { values } = await ask('wire', { plane, anchor: pixelIn(rect, from), pointer: pixelIn(rect, to) })
      last = seen
      const path = [...pointsOf(values, rect)]
      return isWithin(rect, to) ? path : [...path, to]
    } catch {
      last = null
      return [from, to]
    }
  }
}

function pixelIn({ left, top, right, bottom }: Rect, { x, y }: Point): Point {
  const within = (value: number, low: number, high: number) =>
    Math.min(Math.max(Math.floor(value), low), high - 1) - low
  return { x: within(x, left, right), y: within(y, top, bottom) }
}

/** Middles of pixels. */
function* pointsOf(values: Int32Array, { left, top }: Rect): Generator<Point> {
  for (let at = 0; at + 1 < values.length; at += 2)
    yield { x: left + (values[at] ?? 0) + 0.5, y: top + (values[at + 1] ?? 0) + 0.5 }
}

const isWithin = ({ left, top, right, bottom }: Rect, { x, y }: Point): boolean =>
  x >= left && x < right && y >= top && y < bottom

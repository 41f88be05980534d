/** Mouse, pen and fingers on a plane: what draws, what moves the image, and what is a resting hand. Hands presses to the tool. */
import type { Pane } from '../canvas/pane.ts'
import { type Point, panned, toImage, zoomed } from '../canvas/view.ts'
import type { Bench } from './bench.ts'
import { setSize, sizeOf, stepSize } from './desk.ts'
import type { Press } from './press.ts'

/** CSS pixels that a press may miss by. */
const REACH = { mouse: 6, pen: 8, touch: 16 } as const
/** A hand rests on the glass while a pen is, or was a moment ago, near. */
const PEN_NEAR_MS = 1000
/** A second finger so soon after the first was meant to move the image, not to draw. */
const PINCH_MS = 250
const ZOOM_STEP = 1.0015
/** A pen's other end (Pointer Events: buttons). */
const ERASER = 32

type Doing =
  | { kind: 'tool'; id: number; sinceMs: number }
  | { kind: 'pan'; id: number; last: Point }
  | { kind: 'size'; id: number; from: number; x: number }
  | { kind: 'cross'; id: number }
  | { kind: 'pinch' }
  | null

/** Returns what ends it. */
export function listen(bench: Bench, pane: Pane): () => void {
  const { host } = pane
  const fingers = new Map<number, Point>()
  let doing: Doing = null
  let penAt = Number.NEGATIVE_INFINITY
  let lastPress: Press | null = null
  const stop = new AbortController()
  const options = { signal: stop.signal }

  const onScreen = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left, top } = host.getBoundingClientRect()
    return { x: (clientX - left) * pane.ratio, y: (clientY - top) * pane.ratio }
  }
  const pressOf = (event: PointerEvent): Press => pressAt(pane, onScreen(event), event)

  const down = (event: PointerEvent) => {
    if (event.pointerType === 'pen') penAt = event.timeStamp
    if (event.pointerType === 'touch' && event.timeStamp - penAt < PEN_NEAR_MS) return
    host.focus({ preventScroll: true })
    host.setPointerCapture(event.pointerId)
    const at = onScreen(event)
    if (event.pointerType === 'touch') {
      fingers.set(event.pointerId, at)
      if (fingers.size === 2) return pinch(event)
      if (fingers.size > 2) return
    }
    if (doing) return
    if (bench.desk.getState().isPlaying) bench.desk.setState({ isPlaying: false })
    const { tool, isFingerPan } = bench.desk.getState()
    const isPan =
      event.button === 1 ||
      event.button === 2 ||
      tool === 'hand' ||
      isSpaceHeld ||
      (event.pointerType === 'touch' && isFingerPan)
    if (isPan) doing = { kind: 'pan', id: event.pointerId, last: at }
    else if ((event.ctrlKey || event.metaKey) && bench.panes.length > 1) {
      doing = { kind: 'cross', id: event.pointerId }
      bench.lookAt(pressOf(event))
    } else if (event.shiftKey && (tool === 'brush' || tool === 'eraser'))
      doing = { kind: 'size', id: event.pointerId, from: sizeOf(bench.desk.getState()), x: event.clientX }
    else {
      doing = { kind: 'tool', id: event.pointerId, sinceMs: event.timeStamp }
      const press = pressOf(event)
      bench.at = press
      if (isDouble(lastPress, press, event)) bench.tool.double?.(bench, press)
      else bench.tool.down?.(bench, press)
      lastPress = press
      pane.renew('above')
    }
    event.preventDefault()
  }

  const drag = (event: PointerEvent) => {
    if (doing?.kind !== 'tool' || doing.id !== event.pointerId) return
    const events = event.getCoalescedEvents?.() ?? []
    const presses = (events.length > 0 ? events : [event]).map(pressOf)
    bench.at = presses.at(-1) ?? bench.at
    bench.tool.drag?.(bench, presses)
    pane.renew('above')
  }

  const move = (event: PointerEvent) => {
    if (event.pointerType === 'pen') penAt = event.timeStamp
    if (fingers.has(event.pointerId)) {
      if (doing?.kind === 'pinch') return pinchBy(event)
      fingers.set(event.pointerId, onScreen(event))
    }
    if (doing?.kind === 'tool' && doing.id === event.pointerId) {
      if (!hasRaw) drag(event)
    } else if (doing?.kind === 'pan' && doing.id === event.pointerId) {
      const at = onScreen(event)
      const by = { x: at.x - doing.last.x, y: at.y - doing.last.y }
      doing.last = at
      pane.setView(panned(pane.view, pane.plane, { by, area: pane.area }))
    } else if (doing?.kind === 'cross' && doing.id === event.pointerId) {
      bench.lookAt(pressOf(event))
    } else if (doing?.kind === 'size' && doing.id === event.pointerId) {
      const change = ((event.clientX - doing.x) * pane.ratio * 2) / pane.view.scale
      setSize(bench.desk, doing.from + change)
      pane.renew('above')
    } else if (!doing && event.pointerType !== 'touch') {
      const before = bench.at?.pane
      bench.at = pressOf(event)
      bench.tool.hover?.(bench, bench.at)
      pane.renew('above')
      if (before && before !== pane) before.renew('above')
    }
  }

  const up = (event: PointerEvent) => {
    fingers.delete(event.pointerId)
    if (doing?.kind === 'pinch') {
      if (fingers.size === 0) doing = null
      return
    }
    if (!doing || doing.id !== event.pointerId) return
    const was = doing
    doing = null
    if (was.kind !== 'tool') return
    const at = pressOf(event)
    if (event.type === 'pointercancel') bench.tool.cancel?.(bench)
    else bench.tool.up?.(bench, at)
    if (event.pointerType === 'touch') bench.at = null
    pane.renew('above')
  }

  const leave = (event: PointerEvent) => {
    if (doing || event.pointerType === 'touch') return
    bench.at = null
    pane.renew('above')
  }

  /** What the first finger has begun goes, unless it has drawn for a while: then it is ended where it is. */
  const pinch = (event: PointerEvent) => {
    if (doing?.kind === 'tool') {
      const isShort = event.timeStamp - doing.sinceMs < PINCH_MS
      if (isShort || !lastPress) bench.tool.cancel?.(bench)
      else bench.tool.up?.(bench, lastPress)
    }
    doing = { kind: 'pinch' }
  }

  const pinchBy = (event: PointerEvent) => {
    const before = middle([...fingers.values()])
    fingers.set(event.pointerId, onScreen(event))
    if (fingers.size !== 2) return
    const after = middle([...fingers.values()])
    const by = before.apart > 0 ? after.apart / before.apart : 1
    const { plane, area } = pane
    const moved = panned(pane.view, plane, { by: { x: after.x - before.x, y: after.y - before.y }, area })
    pane.setView(zoomed(moved, plane, { by, at: after, area }))
  }

  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    const { plane, area } = pane
    const turns = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 30 : event.deltaY
    if (event.shiftKey) {
      stepSize(bench.desk, turns + event.deltaX < 0 ? 1 : -1)
      return pane.renew('above')
    }
    const isScrolling = bench.body.size[2] > 1 && !event.ctrlKey && !event.metaKey
    if (isScrolling) return bench.goTo(plane.axis, plane.slice + Math.sign(turns))
    pane.setView(zoomed(pane.view, plane, { by: ZOOM_STEP ** -turns, at: onScreen(event), area }))
  }

  const isSpaceHeld = false
  host.addEventListener('pointerdown', down, options)
  host.addEventListener('pointermove', move, options)
  // Ahead of the frame: painted as soon as the hand has moved. Not over plain HTTP, and not in every browser.
  const hasRaw = 'onpointerrawupdate' in host
  // The checker's list of events has it as a plain one.
  if (hasRaw) host.addEventListener('pointerrawupdate', (event) => drag(event as PointerEvent), options)
  host.addEventListener('pointerup', up, options)
  host.addEventListener('pointercancel', up, options)
  host.addEventListener('pointerleave', leave, options)
  host.addEventListener('wheel', wheel, { ...options, passive: false })
  host.addEventListener('contextmenu', (event) => event.preventDefault(), options)
  return () => stop.abort()
}

export function pressAt(
  pane: Pane,
  at: Point,
  event: Partial<Pick<PointerEvent, 'pressure' | 'pointerType' | 'buttons' | 'shiftKey' | 'altKey'>> = {},
): Press {
  const kind = event.pointerType === 'touch' || event.pointerType === 'pen' ? event.pointerType : 'mouse'
  return {
    ...toImage(pane.view, pane.plane, at),
    pane,
    pressure: kind === 'pen' && event.pressure ? event.pressure : 1,
    isPen: kind === 'pen',
    isTouch: kind === 'touch',
    isErasing: kind === 'pen' && ((event.buttons ?? 0) & ERASER) !== 0,
    isShift: event.shiftKey ?? false,
    isAlt: event.altKey ?? false,
    reach: (REACH[kind] * pane.ratio) / pane.view.scale,
  }
}

function middle([one, other]: readonly Point[]): Point & { apart: number } {
  if (!one || !other) return { x: one?.x ?? 0, y: one?.y ?? 0, apart: 0 }
  return {
    x: (one.x + other.x) / 2,
    y: (one.y + other.y) / 2,
    apart: Math.hypot(one.x - other.x, one.y - other.y),
  }
}

/** The browser counts clicks of a mouse and taps alike. */
const isDouble = (before: Press | null, now: Press, event: PointerEvent): boolean =>
  before?.pane === now.pane && event.detail === 2

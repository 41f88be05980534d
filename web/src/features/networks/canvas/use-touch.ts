import { useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import { tell } from '../editor/tell.ts'
import { useWorkbench, type Workbench } from '../editor/workbench.ts'
import type { Point } from './geometry.ts'

const holdMs = 500
/** A finger never lies quite still. */
export const slop = 10

type Flow = ReturnType<typeof useStoreApi>
type Target = Element & GlobalEventHandlers
type Pinch = { middle: Point; apart: number; view: readonly [number, number, number] }

/** What fingers do besides tapping and dragging: one that is held opens the menu or chooses one more, two move and zoom, wherever they lie. */
export function useTouch(): void {
  const bench = useWorkbench()
  const flow = useStoreApi()
  useEffect(() => {
    const { domNode } = flow.getState()
    const fingers = new Fingers(bench, flow)
    const stop = new AbortController()
    const options = { capture: true, passive: false, signal: stop.signal }
    domNode?.addEventListener('touchstart', fingers.handleStart, options)
    domNode?.addEventListener('contextmenu', fingers.handleMenu, options)
    return () => {
      stop.abort()
      fingers.forget()
    }
  }, [bench, flow])
}

/** The drawing library drags cards and moves the view with one finger; what is done here it does not see. */
class Fingers {
  private readonly bench: Workbench
  private readonly flow: Flow
  private timer: ReturnType<typeof setTimeout> | undefined
  private start: Point = [0, 0]
  private isDown = false
  private isHeld = false
  private pinch: Pinch | null = null
  private watching = new AbortController()

  constructor(bench: Workbench, flow: Flow) {
    this.bench = bench
    this.flow = flow
  }

  readonly handleStart = (event: TouchEvent): void => {
    const { target, touches } = event
    const [first] = touches
    if (first === undefined || !(target instanceof HTMLElement || target instanceof SVGElement)) return
    if (touches.length === 1) this.begin(target, pointOf(first))
    else if (!this.isHeld && !this.flow.getState().connection.inProgress) this.beginPinch(touches)
    this.watch(target)
    if (this.pinch !== null) keep(event)
  }

  /** Browsers differ in whether a held finger asks for a menu; it was opened already. */
  readonly handleMenu = (event: MouseEvent): void => {
    if (this.isDown) keep(event)
  }

  forget(): void {
    clearTimeout(this.timer)
    this.watching.abort()
    this.watching = new AbortController()
  }

  private begin(target: Target, at: Point): void {
    this.forget()
    this.start = at
    this.isDown = true
    this.isHeld = false
    this.pinch = null
    if (target.closest('.react-flow__handle') !== null) return
    this.timer = setTimeout(() => {
      this.isHeld = true
      hold(this.bench, target, at)
    }, holdMs)
  }

  private beginPinch(touches: TouchList): void {
    clearTimeout(this.timer)
    const { middle, apart } = spanOf(touches, this.flow)
    this.pinch = { middle, apart, view: this.flow.getState().transform }
  }

  /** At the thing itself: far zoom takes cards from the page, and what happens to them would no longer be heard elsewhere. */
  private watch(target: Target): void {
    const options = { capture: true, passive: false, signal: this.watching.signal }
    target.addEventListener('touchmove', this.handleMove, options)
    target.addEventListener('touchend', this.handleEnd, options)
    target.addEventListener('touchcancel', this.handleEnd, options)
  }

  private readonly handleMove = (event: TouchEvent): void => {
    const { touches } = event
    const [first] = touches
    if (first !== undefined && far(this.start, pointOf(first)) > slop) clearTimeout(this.timer)
    if (this.pinch !== null && touches.length > 1) this.zoom(touches, this.pinch)
    if (this.pinch !== null || this.isHeld) keep(event)
  }

  /** Whoever began to drag with this finger learns that it is gone; only no click follows. */
  private readonly handleEnd = (event: TouchEvent): void => {
    clearTimeout(this.timer)
    this.isDown = event.touches.length > 0
    if ((this.pinch !== null || this.isHeld) && event.cancelable) event.preventDefault()
  }

  /** What was under the middle of both fingers stays there. */
  private zoom(touches: TouchList, pinch: Pinch): void {
    const { panZoom, minZoom, maxZoom } = this.flow.getState()
    const { middle, apart } = spanOf(touches, this.flow)
    const [x, y, before] = pinch.view
    const zoom = Math.min(maxZoom, Math.max(minZoom, (before * apart) / pinch.apart))
    const grown = zoom / before
    const to = {
      x: middle[0] - (pinch.middle[0] - x) * grown,
      y: middle[1] - (pinch.middle[1] - y) * grown,
      zoom,
    }
    void panZoom?.setViewport(to)
  }
}

/** The menu of what is held. With others chosen before, it is chosen too; held once more, the menu is for all of them. */
function hold(bench: Workbench, target: Target, [x, y]: Point): void {
  const { screen, store } = bench
  const { selection, select } = store.getState()
  const wire = target.closest('[data-wire]')?.getAttribute('data-wire') ?? null
  const path = target.closest('.react-flow__node')?.getAttribute('data-id') ?? null
  if (path !== null) {
    screen.getState().set({ active: path })
    if (selection.size > 0 && !selection.has(path)) {
      select([...selection, path])
      tell(bench, 'selected', { count: selection.size + 1 })
      return
    }
    select(selection.has(path) ? selection : [path])
  } else if (wire === null) select([])
  screen.getState().set({ menu: { x, y, wire } })
}

function keep(event: Event): void {
  if (event.cancelable) event.preventDefault()
  event.stopPropagation()
}

const pointOf = ({ clientX, clientY }: Touch): Point => [clientX, clientY]
const far = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1])

/** Of the first two fingers, on the canvas's own surface. */
function spanOf(touches: TouchList, flow: Flow): { middle: Point; apart: number } {
  const { left = 0, top = 0 } = flow.getState().domNode?.getBoundingClientRect() ?? {}
  const [a = [0, 0], b = [0, 0]]: Point[] = [...touches].map(pointOf)
  return {
    middle: [(a[0] + b[0]) / 2 - left, (a[1] + b[1]) / 2 - top],
    apart: Math.max(1, far(a, b)),
  }
}

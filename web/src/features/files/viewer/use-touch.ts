import { type RefObject, useEffect, useRef } from 'react'

type Where = { clientX: number; clientY: number }

type Touching = {
  /** Around a place of the page, where there is one. */
  zoom: (by: number, at: Where) => void
  /** One finger does what the mouse does: the drawing library moves and measures by mouse alone. */
  isDragged: boolean
  /** Else it scrolls through the slices, and zooms with Ctrl alone. */
  isWheelZoom: boolean
}

/** Fingers on an image: two zoom, one moves or measures; and Ctrl with the wheel zooms, which is also how touchpads pinch. */
export function useTouch(canvas: RefObject<HTMLElement | null>, touching: Touching): void {
  const latest = useRef(touching)
  useEffect(() => {
    latest.current = touching
  })
  useEffect(() => {
    const target = canvas.current
    // Listened to above the canvas, on the way down: the library has listeners of its own there.
    const frame = target?.parentElement
    if (!target || !frame) return
    const stop = new AbortController()
    const options = { capture: true, passive: false, signal: stop.signal }
    let distance = 0
    const handleTouch = (event: TouchEvent): void => {
      const { touches } = event
      const isPinched = touches.length > 1
      // What lies over the image has ways of its own for one finger.
      if (!isPinched && (event.target !== target || !latest.current.isDragged)) return
      event.preventDefault()
      event.stopPropagation()
      if (isPinched) distance = pinch(touches, event.type === 'touchmove' ? distance : 0, latest.current.zoom)
      else imitate(target, event)
    }
    for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const)
      frame.addEventListener(type, handleTouch, options)
    const handleWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !latest.current.isWheelZoom) return
      event.preventDefault()
      event.stopPropagation()
      latest.current.zoom(
        2 ** (-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY) / 200, 0.5)),
        event,
      )
    }
    frame.addEventListener('wheel', handleWheel, options)
    return () => stop.abort()
  }, [canvas])
}

function pinch(touches: TouchList, before: number, zoom: Touching['zoom']): number {
  const [one, other] = [touches[0], touches[1]]
  if (!one || !other) return before
  const distance = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
  const middle = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 }
  if (before > 0) zoom(distance / before, middle)
  return distance
}

const mouse: Record<string, string> = { touchstart: 'mousedown', touchmove: 'mousemove' }

function imitate(target: HTMLElement, { type, changedTouches }: TouchEvent): void {
  const [{ clientX, clientY } = { clientX: 0, clientY: 0 }] = changedTouches
  target.dispatchEvent(
    new MouseEvent(mouse[type] ?? 'mouseup', {
      clientX,
      clientY,
      button: 0,
      bubbles: true,
      cancelable: true,
    }),
  )
}

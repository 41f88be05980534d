import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import { type Camera, type Look, moved, turned, zoomedAt } from './draw/camera.ts'

type Turning = {
  holder: RefObject<HTMLElement | null>
  camera: Camera
  setLook: (change: (before: Look) => Look) => void
}
type Place = { x: number; y: number }

/** Degrees of a pixel. */
const PIXEL_DEGREES = 0.5
const WHEEL_STEP = 1.15

/** One finger or the mouse turns, with Shift it moves; two fingers move and come nearer, and so does the wheel. */
export function useTurning({ holder, camera, setLook }: Turning) {
  const fingers = useRef(new Map<number, Place>())
  useWheel(holder, (event) => {
    const at = placeIn(holder, event)
    setLook((before) => zoomedAt(before, camera, event.deltaY < 0 ? WHEEL_STEP : 1 / WHEEL_STEP, at))
  })
  const lift = ({ pointerId }: PointerEvent) => void fingers.current.delete(pointerId)
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      fingers.current.set(event.pointerId, placeIn(holder, event))
    },
    onPointerMove(event: PointerEvent) {
      const from = fingers.current.get(event.pointerId)
      if (!from) return
      const to = placeIn(holder, event)
      const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
      fingers.current.set(event.pointerId, to)
      const by = { x: to.x - from.x, y: to.y - from.y }
      if (other) setLook((before) => pinched(before, camera, { from, to, other }))
      else if (event.shiftKey) setLook((before) => moved(before, camera, by))
      else setLook((before) => turned(before, { turn: PIXEL_DEGREES * by.x, tilt: PIXEL_DEGREES * by.y }))
    },
    onPointerUp: lift,
    onPointerCancel: lift,
  }
}

/** The middle between both fingers moves, and the way between them grows. */
function pinched(
  look: Look,
  camera: Camera,
  { from, to, other }: { from: Place; to: Place; other: Place },
): Look {
  const wide = (place: Place) => Math.max(1, Math.hypot(place.x - other.x, place.y - other.y))
  const middle = { x: (to.x + other.x) / 2, y: (to.y + other.y) / 2 }
  const along = moved(look, camera, { x: (to.x - from.x) / 2, y: (to.y - from.y) / 2 })
  return zoomedAt(along, camera, wide(to) / wide(from), middle)
}

function placeIn(
  holder: RefObject<HTMLElement | null>,
  { clientX, clientY }: { clientX: number; clientY: number },
): Place {
  const box = holder.current?.getBoundingClientRect()
  return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) }
}

/** React's own listener cannot keep the page from scrolling. */
function useWheel(holder: RefObject<HTMLElement | null>, onWheel: (event: WheelEvent) => void): void {
  const newest = useRef(onWheel)
  newest.current = onWheel
  useEffect(() => {
    const target = holder.current
    const handle = (event: WheelEvent) => {
      // The page scrolls on unless the picture was chosen before, or the wheel is a pinch.
      if (document.activeElement !== target && !event.ctrlKey) return
      event.preventDefault()
      newest.current(event)
    }
    target?.addEventListener('wheel', handle, { passive: false })
    return () => target?.removeEventListener('wheel', handle)
  }, [holder])
}

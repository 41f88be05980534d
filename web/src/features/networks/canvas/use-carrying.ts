import { type TouchEvent as ReactTouchEvent, useEffect, useRef } from 'react'
import { useIsNarrow } from '../../../ui/hooks/use-media.ts'
import { useWorkbench } from '../editor/workbench.ts'
import type { Entry } from './entries.ts'
import styles from './palette.module.css'
import { dragType } from './use-dropping.ts'
import { slop } from './use-touch.ts'

/** Shorter, and the list could not be scrolled any more. */
const holdMs = 300

type Carry = (event: ReactTouchEvent<HTMLElement>, entry: Entry) => void

/** A layer that a finger takes from the palette: held first, then carried to the canvas, where it is dropped as with a mouse. */
export function useCarrying(): Carry {
  const bench = useWorkbench()
  const isNarrow = useIsNarrow()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  return ({ currentTarget, nativeEvent: { touches } }, { id }) => {
    stop.current.abort()
    const [first] = touches
    if (first === undefined || touches.length > 1) return
    stop.current = new AbortController()
    const { signal } = stop.current
    // The palette lies over the canvas there.
    const handleDrop = () => isNarrow && bench.screen.getState().set({ isPaletteOpen: false })
    listen(currentTarget, { id, start: first, signal, handleDrop })
  }
}

type Start = {
  id: string
  start: { clientX: number; clientY: number }
  signal: AbortSignal
  handleDrop: () => void
}

function listen(entry: HTMLElement, { id, start, signal, handleDrop }: Start): void {
  let image: HTMLElement | null = null
  let hasMoved = false
  const data = new DataTransfer()
  data.setData(dragType, id)
  const end = () => {
    clearTimeout(timer)
    image?.remove()
    image = null
    delete entry.dataset.carried
  }
  const timer = setTimeout(() => {
    image = imageOf(entry)
    entry.dataset.carried = 'true'
  }, holdMs)
  const handleMove = (event: TouchEvent) => {
    const [finger] = event.touches
    if (finger === undefined) return
    const isFar = Math.hypot(finger.clientX - start.clientX, finger.clientY - start.clientY) > slop
    if (image === null) {
      // Scrolling.
      if (isFar) clearTimeout(timer)
      return
    }
    hasMoved ||= isFar
    event.preventDefault()
    image.style.translate = `${finger.clientX}px ${finger.clientY}px`
    send('dragover', finger, data)
  }
  const handleEnd = (event: TouchEvent) => {
    const [finger] = event.changedTouches
    if (image !== null) event.preventDefault()
    // Before the palette comes back, which hides what lies below it.
    const isDropped = image !== null && hasMoved && finger !== undefined && send('drop', finger, data)
    end()
    if (isDropped) handleDrop()
  }
  entry.addEventListener('touchmove', handleMove, { passive: false, signal })
  entry.addEventListener('touchend', handleEnd, { passive: false, signal })
  entry.addEventListener('touchcancel', end, { signal })
  signal.addEventListener('abort', end)
}

/** As the browser does for a mouse. False outside the canvas. */
function send(type: string, { clientX, clientY }: Touch, dataTransfer: DataTransfer): boolean {
  const under = document.elementFromPoint(clientX, clientY)
  const place = { clientX, clientY, dataTransfer, bubbles: true, cancelable: true }
  const canvas = document.querySelector('[data-canvas]')
  const isOver = under !== null && canvas?.contains(under) === true
  if (isOver) under.dispatchEvent(new DragEvent(type, place))
  else canvas?.dispatchEvent(new DragEvent('dragleave', place))
  return isOver
}

/** What is seen under the finger; beside the palette, which may be gone meanwhile. */
function imageOf(entry: HTMLElement): HTMLElement {
  const image = document.createElement('div')
  image.className = styles.carried ?? ''
  image.textContent = entry.textContent
  const { left, top } = entry.getBoundingClientRect()
  image.style.translate = `${left}px ${top}px`
  document.body.append(image)
  return image
}

import { type RefObject, useEffect, useRef } from 'react'
import { useScreen } from '../editor/screen.ts'

/** The one thing of the canvas that the Tab key reaches; it takes the focus when the keyboard was sent there. */
export function useActive(path: string): { ref: RefObject<HTMLDivElement | null>; tabIndex: 0 | -1 } {
  const ref = useRef<HTMLDivElement>(null)
  const turn = useScreen(({ active, focusTurn }) => (active === path ? focusTurn : -1))
  useEffect(() => {
    if (turn > 0) ref.current?.focus({ preventScroll: true })
  }, [turn])
  return { ref, tabIndex: turn >= 0 ? 0 : -1 }
}

import { type RefObject, useEffect, useRef } from 'react'
import { useScreen, useScreenStore } from '../editor/screen.ts'

/** The one thing of the canvas that the Tab key reaches; it takes the focus when the keyboard was sent there. */
export function useActive(path: string): { ref: RefObject<HTMLDivElement | null>; tabIndex: 0 | -1 } {
  const ref = useRef<HTMLDivElement>(null)
  const turn = useScreen(({ active, focusTurn }) => (active === path ? focusTurn : -1))
  const screen = useScreenStore()
  useEffect(() => {
    if (turn <= screen.getState().focusedTurn) return
    screen.getState().set({ focusedTurn: turn })
    ref.current?.focus({ preventScroll: true })
  }, [turn, screen])
  return { ref, tabIndex: turn >= 0 ? 0 : -1 }
}

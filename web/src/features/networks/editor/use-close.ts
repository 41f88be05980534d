import { useWorkbench } from './workbench.ts'

/** Ends the dialog; the keyboard goes back to the canvas. */
export function useClose(): () => void {
  const { screen } = useWorkbench()
  return () => {
    const { set, focus, active } = screen.getState()
    set({ dialog: null })
    focus(active)
  }
}

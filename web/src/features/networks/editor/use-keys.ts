import { useEffect } from 'react'
import { firstOf } from '../canvas/walk.ts'
import { copied, cut, paste } from './clipboard.ts'
import { commandFor, run } from './keys.ts'
import { useWorkbench, type Workbench } from './workbench.ts'

/** Keys of the editor, as long as nobody types into a field and no dialog is open. */
export function useKeys(saveNow: () => void): void {
  const bench = useWorkbench()
  // One can begin at once, by keyboard too.
  useEffect(() => {
    const active = firstOf(bench.scene)
    if (document.activeElement === document.body) bench.screen.getState().focus(active)
    else bench.screen.getState().set({ active })
  }, [bench])
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const handleKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || bench.screen.getState().dialog !== null) return
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
        event.preventDefault()
        saveNow()
        return
      }
      if (event.key === 'Escape' && isBeside(event.target)) {
        bench.screen.getState().focus(bench.screen.getState().active)
        return
      }
      const command = commandFor(event)
      if (command === null) return
      const isOurs = command.isGlobal ? !isInDialog(event.target) : isOnCanvas(event)
      if (!isOurs || (command.name === 'insert' && event.key === 'Tab' && !hasChosen(bench))) return
      event.preventDefault()
      run(bench, command.name)
    }
    window.addEventListener('keydown', handleKey, { signal })
    window.addEventListener('copy', (event) => give(event, bench, copied), { signal })
    window.addEventListener('cut', (event) => give(event, bench, cut), { signal })
    window.addEventListener('paste', (event) => take(event, bench), { signal })
    return () => stop.abort()
  }, [bench, saveNow])
}

/** Nothing chosen: the Tab key goes on through the page as everywhere. */
const hasChosen = ({ store }: Workbench): boolean => store.getState().selection.size > 0

function give(event: ClipboardEvent, bench: Workbench, textOf: (bench: Workbench) => string | null): void {
  if (!isFree(event.target) || !window.getSelection()?.isCollapsed) return
  const text = textOf(bench)
  if (text === null) return
  event.clipboardData?.setData('text/plain', text)
  event.preventDefault()
}

function take(event: ClipboardEvent, bench: Workbench): void {
  const text = event.clipboardData?.getData('text/plain') ?? ''
  if (!isFree(event.target) || text === '') return
  event.preventDefault()
  paste(bench, text)
}

/** In the panels around the canvas: Escape leads back to it, unless it closes a list or empties a search first. */
function isBeside(target: EventTarget | null): boolean {
  const isInUse = isElement(target, '[aria-expanded="true"], input[type="search"]:not(:placeholder-shown)')
  return isElement(target, '[data-sheet]') && !isInUse && !isInDialog(target)
}

/** Keys without Ctrl belong to buttons, tabs and lists where one of these has the focus. */
function isOnCanvas({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (!isFree(target)) return false
  if (ctrlKey || metaKey || target === document.body) return true
  return isElement(target, '[data-canvas]') && !isElement(target, 'button, a, [role="toolbar"]')
}

const fields = 'input, textarea, select, [contenteditable=""], [contenteditable="true"], .cm-editor'

function isFree(target: EventTarget | null): boolean {
  return !isElement(target, fields) && !isInDialog(target)
}

const isInDialog = (target: EventTarget | null): boolean =>
  isElement(target, '[role="dialog"], [role="menu"], [role="listbox"]')

const isElement = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

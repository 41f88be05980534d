import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Keys of the whole workspace. By the place of the key as well: under a Russian keyboard K types another letter. */
const shortcuts = {
  search: (event: KeyboardEvent) => event.key === '/' || isWithControl(event, 'k', 'KeyK'),
  help: (event: KeyboardEvent) => event.key === '?',
} as const

/** Does nothing while somebody types, while a dialog is open, and where an editor takes the same key. */
export function useShortcut(name: keyof typeof shortcuts, act: () => void): void {
  const { pathname, search } = useLocation()
  const isInEditor = hasOwnKeys(pathname, new URLSearchParams(search))
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey || !shortcuts[name](event)) return
      const isPlain = !event.ctrlKey && !event.metaKey
      if ((isPlain && isInEditor) || isTyping(event.target) || isDialogOpen()) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', handle)
    return () => window.removeEventListener('keydown', handle)
  }, [name, isInEditor])
}

/** The editors of networks and of labels, which have a list of their own under the same key. */
const hasOwnKeys = (pathname: string, query: URLSearchParams): boolean =>
  ((pathname === '/dripe' || pathname === '/yamlCode') && query.has('id')) ||
  (pathname === '/labelling' && query.has('item'))

const isWithControl = (event: KeyboardEvent, letter: string, code: string): boolean =>
  (event.ctrlKey || event.metaKey) && (event.key.toLowerCase() === letter || event.code === code)

/** Boxes to tick and buttons are inputs too, and take no text. */
const fields = `input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"], [type="range"]),
  textarea, select, [contenteditable=""], [contenteditable="true"], [role="textbox"], [role="combobox"]`

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(fields) !== null

/** One that was closed may stay in the page, unseen. */
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"]')].some((dialog) => dialog.checkVisibility())

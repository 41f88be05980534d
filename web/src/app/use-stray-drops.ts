import { useEffect } from 'react'

/** Files that are let go where nothing takes them are not opened in the place of the page: what was typed there would be gone. */
export function useStrayDrops(): void {
  useEffect(() => {
    const handle = (event: DragEvent) => {
      // Whoever takes files said so on the way up.
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files') || takesFiles(event.target))
        return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    for (const kind of kinds) window.addEventListener(kind, handle)
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, handle)
    }
  }, [])
}

const kinds = ['dragover', 'drop'] as const

/** By themselves: fields for files, and the text of a network. */
const takesFiles = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input[type="file"], [contenteditable="true"]') !== null

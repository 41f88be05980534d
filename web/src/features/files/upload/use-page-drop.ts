import { useEffect, useRef, useState } from 'react'

/** Whether files from the desktop hover over the page; `onDrop` gets them wherever they are let go. */
export function usePageDrop(onDrop: (transfer: DataTransfer) => Promise<void>): boolean {
  // Entering a child leaves its parent; only the sum tells whether something still hovers.
  const [depth, setDepth] = useState(0)
  const latest = useRef(onDrop)
  useEffect(() => {
    latest.current = onDrop
  }, [onDrop])
  useEffect(() => {
    const handle = (event: DragEvent) => {
      const transfer = event.dataTransfer
      if (!transfer?.types.includes('Files')) return
      if (event.type === 'dragenter') setDepth((now) => now + 1)
      if (event.type === 'dragleave') setDepth((now) => Math.max(0, now - 1))
      if (event.type === 'dragover' || event.type === 'drop') event.preventDefault()
      if (event.type !== 'drop') return
      setDepth(0)
      void latest.current(transfer)
    }
    for (const kind of kinds) document.addEventListener(kind, handle)
    return () => {
      setDepth(0)
      for (const kind of kinds) document.removeEventListener(kind, handle)
    }
  }, [])
  return depth > 0
}

const kinds = ['dragenter', 'dragleave', 'dragover', 'drop'] as const

/** Images that are pasted or dropped. */
import { type ClipboardEvent, type DragEvent, useState } from 'react'

/** A table is copied as a text with a picture of itself: the text is meant. */
export function pastedImages({ clipboardData }: ClipboardEvent): File[] {
  if (clipboardData.types.includes('text/plain')) return []
  return [...clipboardData.files].filter(({ type }) => type.startsWith('image/'))
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')

/** Of an area that takes files; other files are refused with a reason, as chosen ones are. */
export function useImageDrop(add: (files: readonly File[]) => void) {
  // Entering a child leaves its parent: only the sum tells whether something still hovers.
  const [depth, setDepth] = useState(0)
  return {
    isOver: depth > 0,
    dropProps: {
      onDragEnter: (event: DragEvent) => {
        if (hasFiles(event)) setDepth((now) => now + 1)
      },
      onDragLeave: (event: DragEvent) => {
        if (hasFiles(event)) setDepth((now) => Math.max(0, now - 1))
      },
      onDragOver: (event: DragEvent) => {
        if (hasFiles(event)) event.preventDefault()
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setDepth(0)
        add([...event.dataTransfer.files])
      },
    },
  }
}

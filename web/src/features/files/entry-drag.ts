/** Dragging entries within the page, onto folders and onto the way above them. */
import type { DragEvent } from 'react'
import { useState } from 'react'

const TYPE = 'application/x-neuroloom-entries'

export function startDrag(event: DragEvent, ids: readonly string[]): void {
  event.dataTransfer.setData(TYPE, JSON.stringify(ids))
  event.dataTransfer.effectAllowed = 'copyMove'
}

/** What a folder needs to take dragged entries; `isOver` while they hover. Ctrl or ⌘ copies. */
export function useDropTarget(
  folderId: string | null,
  onDrop: ((ids: string[], target: { id: string | null; isCopy: boolean }) => void) | undefined,
) {
  const [isOver, setIsOver] = useState(false)
  if (!onDrop) return { isOver: false, handlers: {} }
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(TYPE)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = event.ctrlKey || event.metaKey ? 'copy' : 'move'
      setIsOver(true)
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      const ids = readIds(event.dataTransfer.getData(TYPE))
      setIsOver(false)
      if (ids.length === 0) return
      event.preventDefault()
      event.stopPropagation()
      // A folder dropped onto itself was only picked up.
      if (folderId !== null && ids.includes(folderId)) return
      onDrop(ids, { id: folderId, isCopy: event.ctrlKey || event.metaKey })
    },
  }
  return { isOver, handlers }
}

/** Our own data, unless another page puts something under our name. */
function readIds(text: string): string[] {
  try {
    const ids: unknown = JSON.parse(text)
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

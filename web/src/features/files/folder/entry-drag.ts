/** Dragging entries within the page, onto folders and onto the way above them. */
import type { Entry } from '@neuroloom/contract/files'
import { type DragEvent, useState } from 'react'
import type { ViewProps } from './view-props.ts'

const TYPE = 'application/x-neuroloom-entries'

/** What a row or tile needs to be dragged, with all that is selected, and to take what is dropped onto it. */
export function useEntryDrag(entry: Entry, { renaming, selection, onDropInto }: Dragged) {
  const { isOver, handlers } = useDropTarget(entry.id, entry.kind === 'folder' ? onDropInto : undefined)
  return {
    'data-over': isOver,
    draggable: renaming === null && onDropInto !== undefined,
    onDragStart: (event: DragEvent) =>
      startDrag(
        event,
        selection.with(entry).map(({ id }) => id),
      ),
    ...handlers,
  }
}

type Dragged = Pick<ViewProps, 'renaming' | 'selection' | 'onDropInto'>

function startDrag(event: DragEvent, ids: readonly string[]): void {
  event.dataTransfer.setData(TYPE, JSON.stringify(ids))
  event.dataTransfer.effectAllowed = 'copyMove'
}

/** What a folder needs to take dragged entries; `isOver` while they hover. Ctrl or ⌘ copies. */
function useDropTarget(
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

import { useReactFlow } from '@xyflow/react'
import { type DragEvent, useMemo, useRef } from 'react'
import { insertAfter, insertAt, insertOn } from '../editor/inserting.ts'
import { useWorkbench } from '../editor/workbench.ts'
import { frameAt } from './frame-at.ts'
import { useEntries } from './use-entries.ts'

export const dragType = 'application/x-neuroloom-layer'

/** A layer dragged from the palette: on a connection it splits it, on a card it comes behind, else it stands where it was dropped. */
export function useDropping() {
  const bench = useWorkbench()
  const entries = useEntries()
  const { screenToFlowPosition } = useReactFlow()
  const over = useRef<HTMLElement | SVGElement | null>(null)
  return useMemo(() => {
    const mark = (wire: HTMLElement | SVGElement | null) => {
      if (over.current === wire) return
      over.current?.removeAttribute('data-over')
      wire?.setAttribute('data-over', 'true')
      over.current = wire
    }
    return {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        mark(wireAt(event))
      },
      onDragLeave: () => mark(null),
      onDrop: (event: DragEvent) => {
        const id = event.dataTransfer.getData(dragType)
        const entry = entries.find((one) => one.id === id)
        const wire = wireAt(event)
        mark(null)
        if (entry === undefined) return
        event.preventDefault()
        if (wire?.dataset.wire !== undefined) return insertOn(bench, entry, wire.dataset.wire)
        const card = cardAt(event)
        if (card !== null && bench.scene.byPath.get(card)?.kind !== 'frame') {
          bench.store.getState().select([card])
          insertAfter(bench, entry)
          return
        }
        const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY })
        insertAt(bench, entry, { ...frameAt(bench.scene, [x, y]), from: null })
      },
    }
  }, [bench, entries, screenToFlowPosition])
}

/** Also under a port, whose place for the finger is larger than it looks. */
function wireAt({ clientX, clientY }: DragEvent): HTMLElement | SVGElement | null {
  for (const element of document.elementsFromPoint(clientX, clientY)) {
    const found = element.closest('[data-wire]')
    if (found instanceof SVGElement || found instanceof HTMLElement) return found
  }
  return null
}

function cardAt({ clientX, clientY }: DragEvent): string | null {
  const card = document.elementFromPoint(clientX, clientY)?.closest('.react-flow__node')
  return card?.getAttribute('data-id') ?? null
}

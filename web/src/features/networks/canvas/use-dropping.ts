import { useReactFlow } from '@xyflow/react'
import { type DragEvent, useMemo, useRef } from 'react'
import { insertAfter, insertAt, insertOn } from '../editor/inserting.ts'
import { useWorkbench } from '../editor/workbench.ts'
import { frameAt } from './cards/frame-at.ts'
import type { Scene } from './scene.ts'
import { useEntries } from './use-entries.ts'

export const dragType = 'application/x-neuroloom-layer'

/** A layer dragged from the palette: on or beside a connection it splits it, on a card it comes behind, else it stands where it was dropped. What is marked meanwhile is what gets it. */
export function useDropping() {
  const bench = useWorkbench()
  const entries = useEntries()
  const { screenToFlowPosition } = useReactFlow()
  const over = useRef<HTMLElement | SVGElement | null>(null)
  return useMemo(() => {
    const mark = (place: HTMLElement | SVGElement | null) => {
      if (over.current === place) return
      over.current?.removeAttribute('data-over')
      place?.setAttribute('data-over', 'true')
      over.current = place
    }
    return {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        mark(placeAt(event, bench.scene))
      },
      onDragLeave: () => mark(null),
      onDrop: (event: DragEvent) => {
        const id = event.dataTransfer.getData(dragType)
        const entry = entries.find((one) => one.id === id)
        const place = placeAt(event, bench.scene)
        mark(null)
        if (entry === undefined) return
        event.preventDefault()
        if (place?.dataset.wire !== undefined) return insertOn(bench, entry, place.dataset.wire)
        if (place?.dataset.id !== undefined) {
          bench.store.getState().select([place.dataset.id])
          insertAfter(bench, entry)
          return
        }
        const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY })
        insertAt(bench, entry, { ...frameAt(bench.scene, [x, y]), from: null })
      },
    }
  }, [bench, entries, screenToFlowPosition])
}

/** So far beside a connection a layer is still meant for it; in pixels, the nearest ring first. */
const rings = [0, 14, 26]

/** The card or connection that gets what is dropped; null for the empty canvas, also that of an opened block. */
function placeAt({ clientX, clientY }: DragEvent, scene: Scene): HTMLElement | SVGElement | null {
  const card = cardAt(clientX, clientY, scene)
  if (card !== null) return card
  for (const far of rings) {
    for (let turn = 0; turn < (far === 0 ? 1 : 8); turn += 1) {
      const angle = (turn * Math.PI) / 4
      const wire = wireAt(clientX + far * Math.cos(angle), clientY + far * Math.sin(angle))
      if (wire !== null) return wire
    }
  }
  return null
}

/** A port counts for its connection: its place for the finger is larger than it looks. */
function cardAt(x: number, y: number, scene: Scene): HTMLElement | null {
  const top = document.elementFromPoint(x, y)
  if (top === null || top.closest('.react-flow__handle') !== null) return null
  const card = top.closest<HTMLElement>('.react-flow__node')
  return card !== null && scene.byPath.get(card.dataset.id ?? '')?.kind !== 'frame' ? card : null
}

/** Not one that passes below a card. */
function wireAt(x: number, y: number): SVGElement | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const found = element.closest<SVGElement>('[data-wire]')
    if (found !== null) return found
    const isCard = element.closest('.react-flow__node, [role="toolbar"]') !== null
    const isFrame = element.querySelector(':scope > [data-frame]') !== null
    const isOpen = isFrame || element.closest('.react-flow__handle, [data-frame]') !== null
    if (isCard && !isOpen) return null
  }
  return null
}

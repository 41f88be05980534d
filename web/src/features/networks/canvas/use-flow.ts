import { type NodeChange, useStoreApi } from '@xyflow/react'
import { type MouseEvent, useCallback, useMemo, useRef, useState } from 'react'
import { moved } from '../editor/arranging.ts'
import { toggleOpen } from '../editor/blocks.ts'
import { isComment, movedComments } from '../editor/comments.ts'
import { connect, stopConnecting } from '../editor/connecting.ts'
import { useEditor } from '../editor/use-editor.ts'
import { useWorkbench, type Workbench } from '../editor/workbench.ts'
import { type CommentNode, commentNode } from './cards/comment-card.tsx'
import { FactsMaker } from './facts.ts'
import { type CardNode, FlowMaker, type WireEdge } from './flow.ts'
import type { Point } from './geometry.ts'

/** The scene for React Flow, and what its events mean. While something is dragged it moves here alone; dropped, it is one step of undo. */
export function useFlow() {
  const bench = useWorkbench()
  const [makers] = useState(() => ({ facts: new FactsMaker(), flow: new FlowMaker() }))
  const scene = useEditor((state) => bench.sceneOf(state))
  const resolved = useEditor((state) => state.resolved)
  const selection = useEditor((state) => state.selection)
  const heat = useEditor((state) => state.heat)
  const compared = useEditor((state) => state.compared)
  const seen = useEditor((state) => state.seen)
  const vocabulary = useEditor((state) => state.vocabulary)
  const factsOf = useMemo(
    () => makers.facts.make({ resolved, heat, compared, seen, vocabulary }),
    [makers, resolved, heat, compared, seen, vocabulary],
  )
  const still = useMemo(
    () => makers.flow.nodesOf(scene, factsOf, selection),
    [makers, scene, factsOf, selection],
  )
  const edges = useMemo(
    () => makers.flow.edgesOf(scene, resolved, selection),
    [makers, scene, resolved, selection],
  )
  const comments = useEditor((state) => state.layout.comments)
  const all = useMemo(
    () =>
      comments === undefined
        ? still
        : [...still, ...comments.map((one) => commentNode(one, selection.has(one.id)))],
    [still, comments, selection],
  )
  const drag = useDrag(all, bench)
  return { nodes: drag.nodes, edges, ...drag.handlers, ...usePointer(bench) }
}

export type CanvasNode = CardNode | CommentNode

function useDrag(still: readonly CanvasNode[], bench: Workbench) {
  const [moving, setMoving] = useState<ReadonlyMap<string, Point>>(nothing)
  const latest = useRef(moving)
  const nodes = useMemo(
    () => (moving.size === 0 ? [...still] : still.map((node) => at(node, moving))),
    [still, moving],
  )
  const handleChanges = useCallback(
    (changes: NodeChange<CanvasNode>[]) => {
      const places = new Map(latest.current)
      const selected = new Set(bench.store.getState().selection)
      for (const change of changes) {
        if (change.type === 'position' && change.position && change.dragging) {
          places.set(change.id, [change.position.x, change.position.y])
        }
        if (change.type !== 'select') continue
        if (change.selected) selected.add(change.id)
        else selected.delete(change.id)
      }
      if (places.size > 0) {
        latest.current = places
        setMoving(places)
      }
      if (changes.some(({ type }) => type === 'select')) bench.store.getState().select(selected)
    },
    [bench],
  )
  const handleDragStop = useCallback(() => {
    const places = latest.current
    latest.current = nothing
    const layers = new Map([...places].filter(([id]) => !isComment(id)))
    if (places.size > 0) {
      bench.store.getState().arrange((layout) => {
        const next = layers.size === 0 ? layout : moved(layout, bench.scene, layers)
        return layers.size === places.size ? next : movedComments(next, places)
      })
    }
    setMoving(nothing)
  }, [bench])
  return { nodes, handlers: { handleChanges, handleDragStop } }
}

const nothing: ReadonlyMap<string, Point> = new Map()

function at(node: CanvasNode, moving: ReadonlyMap<string, Point>): CanvasNode {
  const place = moving.get(node.id)
  return place === undefined ? node : { ...node, position: { x: place[0], y: place[1] } }
}

function usePointer(bench: Workbench) {
  const flow = useStoreApi()
  return useMemo(() => {
    const { screen, store } = bench
    const openMenu = (event: Pointer, wire: string | null) => {
      event.preventDefault()
      screen.getState().set({ menu: { x: event.clientX, y: event.clientY, wire } })
    }
    return {
      handleClick: (event: MouseEvent, { id }: CanvasNode) => {
        if (isComment(id)) return
        screen.getState().set({ active: id })
        const { pending } = screen.getState()
        if (pending === null || isPort(event)) return
        // A finger finds a card more easily than its port.
        flow.setState({ connectionClickStartHandle: null })
        const place = freeFit(bench, id)
        if (place === null) stopConnecting(bench)
        else connect(bench, pending, place)
      },
      handleDoubleClick: (_event: MouseEvent, { id, data }: CanvasNode) => {
        if (!('item' in data)) return
        if (data.item.kind === 'block') toggleOpen(bench, id)
        else screen.getState().openTab('settings', 'field')
      },
      handleNodeMenu: (event: MouseEvent, { id }: CanvasNode) => {
        const { selection, select } = store.getState()
        if (!selection.has(id)) select([id])
        screen.getState().set({ active: id })
        openMenu(event, null)
      },
      handleSelectionMenu: (event: MouseEvent) => openMenu(event, null),
      handleEdgeMenu: (event: MouseEvent, { id }: WireEdge) => openMenu(event, id),
      handlePaneMenu: (event: Pointer) => {
        store.getState().select([])
        openMenu(event, null)
      },
    }
  }, [bench, flow])
}

const isPort = ({ target }: MouseEvent): boolean =>
  target instanceof Element && target.closest('.react-flow__handle') !== null

/** The first free port of a card that fits what is being connected. */
function freeFit({ screen, scene }: Workbench, target: string): { target: string; slot: number } | null {
  const { fits } = screen.getState()
  const slots = scene.byPath.get(target)?.slots ?? []
  const slot = slots.findIndex(({ ref }, k) => ref === null && fits?.has(`${target}|${k}`))
  return slot < 0 ? null : { target, slot }
}

type Pointer = Pick<MouseEvent, 'clientX' | 'clientY' | 'preventDefault'>

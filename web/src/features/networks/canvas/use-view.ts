import { useReactFlow, useStoreApi } from '@xyflow/react'
import { type MouseEvent, useCallback, useEffect } from 'react'
import { stopConnecting } from '../editor/connecting.ts'
import { useEditor } from '../editor/use-editor.ts'
import { useWorkbench, type View, type Workbench } from '../editor/workbench.ts'
import { overviewZoom, type Size } from './geometry.ts'
import type { Scene } from './scene.ts'
import { centreOf, roadsOf } from './walk.ts'

const margin = 40
/** Buttons and map lie over the lower edge. */
const toolsHeight = 72
const readable = 0.8
/** What is smaller is not worth opening with. */
const legible = 0.55

/** What is seen of the canvas: goes where a wish points, comes nearer where one clicks into the overview. */
export function useView() {
  const bench = useWorkbench()
  const { setViewport, setCenter, getZoom, screenToFlowPosition } = useReactFlow()
  const flow = useStoreApi()
  useEffect(() => {
    bench.view = makeView(bench, {
      size: () => flow.getState(),
      transform: () => flow.getState().transform,
      setViewport: (x, y, zoom) => void setViewport({ x, y, zoom }),
      setCenter: (x, y, zoom) => void setCenter(x, y, { zoom, duration: 160 }),
    })
    return () => {
      bench.view = null
    }
  }, [bench, flow, setViewport, setCenter])

  const wanted = useEditor((state) => state.wanted)
  useEffect(() => {
    if (wanted === null) return
    bench.screen.getState().set({ active: wanted.path })
    bench.view?.show(wanted.path)
  }, [bench, wanted])

  const handlePaneClick = useCallback(
    (event: MouseEvent) => {
      flow.setState({ connectionClickStartHandle: null })
      stopConnecting(bench)
      const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY })
      const isOverview = getZoom() < overviewZoom(bench.scene.items.length)
      const path = isOverview ? itemAt(bench.scene, x, y) : null
      if (path === null) return
      bench.store.getState().select([path])
      bench.screen.getState().set({ active: path })
      bench.view?.show(path)
    },
    [bench, flow, getZoom, screenToFlowPosition],
  )
  return { handlePaneClick }
}

interface Bounds {
  left: number
  top: number
  right: number
  bottom: number
}

interface Flow {
  size: () => { width: number; height: number }
  transform: () => readonly [number, number, number]
  setViewport: (x: number, y: number, zoom: number) => void
  setCenter: (x: number, y: number, zoom: number) => void
}

function makeView(bench: Workbench, { size, transform, setViewport, setCenter }: Flow): View {
  return {
    show: (path) => {
      const item = bench.scene.byPath.get(path)
      const { width, height } = size()
      if (item === undefined || width === 0) return
      const [x, y, zoom] = transform()
      const [left, top] = roadsOf(bench.scene).corners.get(path) ?? [0, 0]
      const overview = overviewZoom(bench.scene.items.length)
      const isIn =
        left * zoom + x >= 0 &&
        top * zoom + y >= 0 &&
        (left + item.width) * zoom + x <= width &&
        (top + Math.min(item.height, 200)) * zoom + y <= height
      if (isIn && zoom >= overview) return
      const [cx, cy] = centreOf(bench.scene, item)
      const isLarge = item.height * zoom > height
      setCenter(cx, isLarge ? top + height / 2 / zoom - margin : cy, zoom < overview ? readable : zoom)
    },
    fit: () => {
      const { x, y, zoom } = fitted(bench.scene, size())
      setViewport(x, y, zoom)
    },
    centre: () => {
      const { width, height } = size()
      const [x, y, zoom] = transform()
      return [(width / 2 - x) / zoom, (height / 2 - y) / zoom]
    },
  }
}

/** The first view: everything where it can be read, else the beginning. */
export function opening(scene: Scene, size: Size): { x: number; y: number; zoom: number } {
  const all = fitted(scene, size)
  const first = scene.items.find(({ kind }) => kind === 'input') ?? scene.items[0]
  if (all.zoom >= legible || first === undefined) return all
  const box = boundsOf(scene)
  if (scene.direction === 'right') {
    const y = size.height / 2 - readable * (first.y + first.height / 2)
    return { x: margin - readable * (box?.left ?? 0), y, zoom: readable }
  }
  const x = size.width / 2 - readable * (first.x + first.width / 2)
  return { x, y: margin - readable * (box?.top ?? 0), zoom: readable }
}

/** The view that shows everything. */
export function fitted(scene: Scene, { width, height }: Size): { x: number; y: number; zoom: number } {
  const box = boundsOf(scene)
  if (box === null || width === 0) return { x: 0, y: 0, zoom: 1 }
  const inner = { width: width - 2 * margin, height: height - margin - toolsHeight }
  const room = Math.min(inner.width / (box.right - box.left), inner.height / (box.bottom - box.top))
  const zoom = Math.max(0.02, Math.min(1, room))
  return {
    x: width / 2 - (zoom * (box.left + box.right)) / 2,
    y: margin + inner.height / 2 - (zoom * (box.top + box.bottom)) / 2,
    zoom,
  }
}

/** Everything, in coordinates of the canvas. */
export function boundsOf(scene: Scene): Bounds | null {
  const known = bounds.get(scene.items)
  if (known !== undefined) return known
  const box = scene.items.reduce<Bounds | null>((around, { parent, x, y, width, height }) => {
    if (parent !== '') return around
    return {
      left: Math.min(around?.left ?? x, x),
      top: Math.min(around?.top ?? y, y),
      right: Math.max(around?.right ?? x, x + width),
      bottom: Math.max(around?.bottom ?? y, y + height),
    }
  }, null)
  bounds.set(scene.items, box)
  return box
}

/** Asked for at every change of the editor's state. */
const bounds = new WeakMap<Scene['items'], Bounds | null>()

/** The innermost thing there. */
function itemAt(scene: Scene, x: number, y: number): string | null {
  const { corners } = roadsOf(scene)
  const found = scene.items.findLast(({ path, width, height }) => {
    const [left, top] = corners.get(path) ?? [0, 0]
    return x >= left && x <= left + width && y >= top && y <= top + height
  })
  return found?.path ?? null
}

import '@xyflow/react/dist/base.css'
import {
  Background,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useStore as useFlowStore,
  type Viewport,
} from '@xyflow/react'
import { Suspense, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuietFetch } from '../../../lib/quiet.ts'
import { useMedia } from '../../../ui/hooks/use-media.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useScreen } from '../editor/screen.ts'
import { useEditor } from '../editor/use-editor.ts'
import { useWorkbench } from '../editor/workbench.ts'
import styles from './canvas.module.css'
import { Card } from './cards/card.tsx'
import { CommentCard } from './cards/comment-card.tsx'
import { FrameCard } from './cards/frame-card.tsx'
import { Pill } from './cards/pill.tsx'
import { WireLine } from './cards/wire.tsx'
import { ConnectHint } from './connect-hint.tsx'
import { EmptyStart } from './empty-start.tsx'
import type { WireEdge } from './flow.ts'
import { grid, overviewZoom } from './geometry.ts'
import { LiveRegion } from './live-region.tsx'
import { MiniMap } from './mini-map.tsx'
import { Overview } from './overview.tsx'
import { QuickPalette } from './quick-palette.tsx'
import { Tools } from './tools.tsx'
import { useConnecting } from './use-connecting.ts'
import { useDropping } from './use-dropping.ts'
import { type CanvasNode, useFlow } from './use-flow.ts'
import { slop, useTouch } from './use-touch.ts'
import { opening, useView } from './use-view.ts'

const ContextMenu = lazyPart(async () => (await import('./context-menu.tsx')).ContextMenu, { over: true })
const FindBar = lazyPart(async () => (await import('./find-bar.tsx')).FindBar, { over: true })
const next = [ContextMenu, FindBar]

const nodeTypes = { card: Card, comment: CommentCard, frame: FrameCard, pill: Pill }
const edgeTypes = { wire: WireLine }
const snapGrid: [number, number] = [grid, grid]
const addKeys = ['Meta', 'Control', 'Shift']
const noNodes: CanvasNode[] = []
const noEdges: WireEdge[] = []
const flowOptions = { hideAttribution: true }
/** The keys are told in the page's language, by the canvas itself. */
const silentLabels = {
  'node.a11yDescription.keyboardDisabled': '',
  'node.a11yDescription.default': '',
  'edge.a11yDescription.default': '',
}

const wide = 1.5

/** The drawn network: cards, wires, and every way to change them by hand. */
export function Canvas() {
  const bench = useWorkbench()
  const ref = useRef<HTMLDivElement>(null)
  const [start, setStart] = useState<Viewport | null>(null)
  // Measured before anything is drawn, so that nothing is drawn at a place where it does not stay.
  useLayoutEffect(() => {
    const { width = 0, height = 0 } = ref.current?.getBoundingClientRect() ?? {}
    // A wide canvas shows more of a network that goes to the right.
    bench.direction = width > wide * height ? 'right' : 'down'
    setStart(opening(bench.scene, { width, height }))
  }, [bench])
  return (
    <div ref={ref} className={styles.place}>
      {start !== null && (
        <ReactFlowProvider>
          <Flow start={start} />
        </ReactFlowProvider>
      )}
    </div>
  )
}

function Flow({ start }: { start: Viewport }) {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const keysId = useId()
  const flow = useFlow()
  const connecting = useConnecting()
  const dropping = useDropping()
  const view = useView()
  useTouch()
  useQuietFetch(next)
  const isFinding = useScreen((screen) => screen.isFinding)
  const menu = useScreen((screen) => screen.menu)
  const { set } = bench.screen.getState()
  // Else a tap that trembles would drag.
  const threshold = useMedia('(pointer: coarse)') ? slop : 2
  // The flow takes its first view only after it was drawn once; a thousand cards must not be drawn for that moment.
  const limit = overviewZoom(useEditor((state) => bench.sceneOf(state).items.length))
  const isOverview = useFlowStore(
    ({ transform, panZoom }) => (panZoom === null ? start.zoom : transform[2]) < limit,
  )
  const isEmpty = useEditor(({ document }) => document.nodes.size === 0)
  return (
    <section
      className={styles.canvas}
      data-canvas
      aria-label={t('canvas.name')}
      aria-describedby={keysId}
      {...dropping}
    >
      <p id={keysId} className="nl-hidden">
        {t('canvas.keys')}
      </p>
      <span id="canvas-keys" className="nl-hidden">
        {t('canvas.cardKeys')}
      </span>
      <ReactFlow<CanvasNode, WireEdge>
        nodes={isOverview ? noNodes : flow.nodes}
        edges={isOverview ? noEdges : flow.edges}
        defaultViewport={start}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onlyRenderVisibleElements
        proOptions={flowOptions}
        minZoom={0.02}
        maxZoom={2.5}
        snapToGrid
        snapGrid={snapGrid}
        selectionKeyCode="Shift"
        multiSelectionKeyCode={addKeys}
        selectionMode={SelectionMode.Partial}
        deleteKeyCode={null}
        panActivationKeyCode={null}
        disableKeyboardA11y
        ariaLabelConfig={silentLabels}
        nodesFocusable={false}
        edgesFocusable={false}
        zoomOnDoubleClick={false}
        nodeDragThreshold={threshold}
        connectionDragThreshold={threshold}
        paneClickDistance={threshold}
        elevateNodesOnSelect={false}
        onNodesChange={flow.handleChanges}
        onNodeDragStop={flow.handleDragStop}
        onNodeClick={flow.handleClick}
        onNodeDoubleClick={flow.handleDoubleClick}
        onNodeContextMenu={flow.handleNodeMenu}
        onEdgeContextMenu={flow.handleEdgeMenu}
        onPaneContextMenu={flow.handlePaneMenu}
        onPaneClick={view.handlePaneClick}
        onSelectionContextMenu={flow.handleSelectionMenu}
        isValidConnection={connecting.isValid}
        onConnectStart={connecting.handleStart}
        onConnect={connecting.handleConnect}
        onConnectEnd={connecting.handleEnd}
        onClickConnectStart={connecting.handleStart}
        onClickConnectEnd={connecting.handleClickEnd}
        connectionRadius={28}
      >
        <Background gap={24} size={1} />
        {isOverview && <Overview />}
      </ReactFlow>
      {isEmpty && <EmptyStart />}
      <Tools />
      <MiniMap />
      <ConnectHint />
      <Suspense fallback={null}>
        {isFinding && <FindBar onClose={() => set({ isFinding: false })} />}
        {menu !== null && <ContextMenu menu={menu} onClose={() => set({ menu: null })} />}
      </Suspense>
      <QuickPalette />
      <LiveRegion />
    </section>
  )
}

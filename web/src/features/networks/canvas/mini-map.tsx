import type { CanvasComment } from '@neuroloom/contract/network/layout/file'
import { useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { memo, type PointerEvent, useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../editor/use-editor.ts'
import { useWorkbench } from '../editor/workbench.ts'
import styles from './canvas.module.css'
import { commentSize } from './cards/comment-card.tsx'
import { coloursOf, paint } from './drawing.ts'
import type { Scene } from './scene.ts'
import { usePainting } from './use-painting.ts'
import { boundsOf } from './use-view.ts'
import { roadsOf } from './walk.ts'

const size = { width: 168, height: 116 } as const
const padding = 8

/** The whole network in a corner that no card and no comment needs, with a frame around what is seen; where everything is seen, or every corner is needed, there is none. Pressed or dragged, it leads there. */
export const MiniMap = memo(function MiniMap() {
  const { t } = useTranslation('dripe')
  const ref = useRef<HTMLCanvasElement>(null)
  const painting = usePainting()
  const scale = useScale()
  const corner = useFreeCorner()
  const isShown = corner !== null
  const { setCenter } = useReactFlow()
  const flow = useStoreApi()
  useEffect(() => {
    const draw = () => {
      const context = ref.current?.getContext('2d')
      if (!isShown || !ref.current || !context || scale === null) return
      const dots = window.devicePixelRatio
      ref.current.width = size.width * dots
      ref.current.height = size.height * dots
      const { zoom, x, y } = scale
      context.setTransform(dots * zoom, 0, 0, dots * zoom, dots * x, dots * y)
      paint(context, painting(), { colour: coloursOf(ref.current), pixel: 1 / zoom })
    }
    // The map may come a moment later than the card that was changed.
    const timer = setTimeout(draw, 100)
    return () => clearTimeout(timer)
  }, [painting, scale, isShown])
  const handlePointer = useCallback(
    (event: PointerEvent<HTMLDivElement>) => {
      if (scale === null || event.buttons === 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const box = event.currentTarget.getBoundingClientRect()
      const x = (event.clientX - box.left - scale.x) / scale.zoom
      const y = (event.clientY - box.top - scale.y) / scale.zoom
      void setCenter(x, y, { zoom: flow.getState().transform[2] })
    },
    [scale, setCenter, flow],
  )
  if (corner === null) return null
  return (
    // The keyboard walks the network itself.
    <div
      className={styles.map}
      style={{ ...size, ...corner }}
      title={t('canvas.map')}
      aria-hidden
      onPointerDown={handlePointer}
      onPointerMove={handlePointer}
    >
      <canvas ref={ref} style={size} />
      {scale !== null && <SeenFrame scale={scale} />}
    </div>
  )
})

/** From the edges of the canvas; buttons stand at the lower left. */
const edge = 12
const corners = {
  lowerRight: { right: edge, bottom: edge },
  upperRight: { right: edge, top: edge },
  upperLeft: { left: edge, top: edge },
} as const
type Corner = keyof typeof corners

function useFreeCorner(): (typeof corners)[Corner] | null {
  const bench = useWorkbench()
  const scene = useEditor((state) => bench.sceneOf(state))
  const comments = useEditor(({ layout }) => layout.comments)
  const free = useStore(({ transform, width, height }) =>
    freeCorner(scene, { transform, width, height }, comments),
  )
  return free === null ? null : corners[free]
}

type Seen = { transform: readonly [number, number, number]; width: number; height: number }

/** Pixels around the map that stay free too. */
const around = 4

export function freeCorner(
  scene: Scene,
  { transform: [x, y, zoom], width, height }: Seen,
  comments: readonly CanvasComment[] = [],
): Corner | null {
  const box = boundsOf(scene)
  if (box === null) return null
  const isAllSeen =
    box.left * zoom + x >= 0 &&
    box.top * zoom + y >= 0 &&
    box.right * zoom + x <= width &&
    box.bottom * zoom + y <= height
  if (isAllSeen) return null
  const starts: Record<Corner, readonly [number, number]> = {
    lowerRight: [width - edge - size.width, height - edge - size.height],
    upperRight: [width - edge - size.width, edge],
    upperLeft: [edge, edge],
  }
  const taken = new Set<Corner>()
  const { corners: places } = roadsOf(scene)
  const cards = scene.items.map((item) => ({ at: places.get(item.path) ?? [0, 0], ...item }))
  for (const item of [...cards, ...comments.map((one) => ({ at: one.at, ...commentSize(one) }))]) {
    const [left, top] = item.at
    const [cardLeft, cardTop] = [left * zoom + x, top * zoom + y]
    const [cardRight, cardBottom] = [cardLeft + item.width * zoom, cardTop + item.height * zoom]
    if (cardRight < 0 || cardBottom < 0 || cardLeft > width || cardTop > height) continue
    for (const corner of order) {
      const [mapLeft, mapTop] = starts[corner]
      const isApart =
        cardRight < mapLeft - around ||
        cardLeft > mapLeft + size.width + around ||
        cardBottom < mapTop - around ||
        cardTop > mapTop + size.height + around
      if (!isApart) taken.add(corner)
    }
  }
  return order.find((corner) => !taken.has(corner)) ?? null
}

const order = ['lowerRight', 'upperRight', 'upperLeft'] as const

interface Scale {
  zoom: number
  x: number
  y: number
}

function useScale(): Scale | null {
  const bench = useWorkbench()
  const text = useEditor((state) => {
    const box = boundsOf(bench.sceneOf(state))
    return box === null ? '' : [box.left, box.top, box.right, box.bottom].join()
  })
  const last = useRef<{ text: string; scale: Scale | null }>({ text: '', scale: null })
  if (last.current.text !== text) last.current = { text, scale: scaleOf(text) }
  return last.current.scale
}

function scaleOf(text: string): Scale {
  const [left = 0, top = 0, right = 1, bottom = 1] = text.split(',').map(Number)
  const zoom = Math.min(
    (size.width - 2 * padding) / (right - left),
    (size.height - 2 * padding) / (bottom - top),
    0.2,
  )
  return {
    zoom,
    x: (size.width - zoom * (left + right)) / 2,
    y: (size.height - zoom * (top + bottom)) / 2,
  }
}

function SeenFrame({ scale }: { scale: Scale }) {
  const [x, y, zoom] = useStore(({ transform }) => transform)
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const left = Math.max(0, (-x / zoom) * scale.zoom + scale.x)
  const top = Math.max(0, (-y / zoom) * scale.zoom + scale.y)
  const right = Math.min(size.width, ((width - x) / zoom) * scale.zoom + scale.x)
  const bottom = Math.min(size.height, ((height - y) / zoom) * scale.zoom + scale.y)
  const box = { left, top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }
  return <div className={styles.mapView} style={box} />
}

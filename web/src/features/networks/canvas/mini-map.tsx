import { useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { memo, type PointerEvent, useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../editor/use-editor.ts'
import { useWorkbench } from '../editor/workbench.ts'
import styles from './canvas.module.css'
import { coloursOf, paint } from './drawing.ts'
import { usePainting } from './use-painting.ts'
import { boundsOf } from './use-view.ts'

const size = { width: 168, height: 116 } as const
const padding = 8

/** The whole network in the corner, with a frame around what is seen. Pressed or dragged, it leads there. */
export const MiniMap = memo(function MiniMap() {
  const { t } = useTranslation('dripe')
  const ref = useRef<HTMLCanvasElement>(null)
  const painting = usePainting()
  const scale = useScale()
  const { setCenter } = useReactFlow()
  const flow = useStoreApi()
  useEffect(() => {
    const draw = () => {
      const context = ref.current?.getContext('2d')
      if (!ref.current || !context || scale === null) return
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
  }, [painting, scale])
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
  return (
    // The keyboard walks the network itself.
    <div
      className={styles.map}
      style={size}
      title={t('canvas.map')}
      aria-hidden
      onPointerDown={handlePointer}
      onPointerMove={handlePointer}
    >
      <canvas ref={ref} style={size} />
      {scale !== null && <Seen scale={scale} />}
    </div>
  )
})

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

function Seen({ scale }: { scale: Scale }) {
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

import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { drawFigure, type Figure } from './draw/figure.ts'
import { type Placing, panned, type View, zoomed } from './draw/frame.ts'
import { useSize } from './use-size.ts'
import styles from './viewer.module.css'

export type Place = { column: number; row: number }
type StageProps = {
  /** All but its size. */
  figure: Omit<Figure, 'width' | 'height'>
  label: string
  isPicking: boolean
  onView: (view: View) => void
  onPick: (place: Place) => void
  /** True where the key was taken. */
  onKey: (event: KeyboardEvent) => boolean
}

const ZOOM_STEP = 1.25
/** Pixels that a click may tremble. */
const TREMBLE = 4

/** The picture itself: a click reads, dragging moves, the wheel zooms. */
export function Stage({ figure, label, isPicking, onView, onPick, onKey }: StageProps) {
  const { t } = useTranslation('flow-view')
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSize(canvas)
  const placing = useRef<Placing | null>(null)
  const drag = useRef<{ x: number; y: number; isMoved: boolean } | null>(null)
  const { picture, view } = figure

  useLayoutEffect(() => {
    const target = canvas.current
    const ctx = target?.getContext('2d')
    if (!target || !ctx || size.width === 0) return
    const ratio = window.devicePixelRatio || 1
    target.width = Math.round(size.width * ratio)
    target.height = Math.round(size.height * ratio)
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
    placing.current = drawFigure(ctx, { ...figure, ...size })
  })

  useWheel(canvas, (event) => {
    if (!placing.current) return
    onView(
      zoomed(view, placing.current, { by: event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, at: pointIn(event) }),
    )
  })

  const handleMove = (event: PointerEvent) => {
    const from = drag.current
    if (!from || !placing.current) return
    const by = { x: event.clientX - from.x, y: event.clientY - from.y }
    if (!from.isMoved && Math.hypot(by.x, by.y) < TREMBLE) return
    drag.current = { x: event.clientX, y: event.clientY, isMoved: true }
    onView(panned(view, placing.current, by, picture))
  }
  const handleUp = (event: PointerEvent) => {
    const isClick = drag.current?.isMoved === false
    drag.current = null
    if (!isClick || !placing.current) return
    const { x, y } = pointIn(event.nativeEvent)
    onPick({ column: placing.current.column(x), row: placing.current.row(y) })
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const by = { '+': ZOOM_STEP, '=': ZOOM_STEP, '-': 1 / ZOOM_STEP }[event.key]
    if (by !== undefined && placing.current) {
      const { image } = placing.current
      onView(zoomed(view, placing.current, { by, at: { x: image.width / 2, y: image.height / 2 } }))
    } else if (!onKey(event)) return
    event.preventDefault()
  }

  return (
    <div
      className={styles.stage}
      data-picking={isPicking}
      role="application"
      aria-label={label}
      aria-description={t('keys')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the cursor moves in it by keyboard
      tabIndex={0}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { x: event.clientX, y: event.clientY, isMoved: false }
      }}
      onPointerMove={handleMove}
      onPointerUp={handleUp}
      onPointerCancel={() => {
        drag.current = null
      }}
      onKeyDown={handleKey}
    >
      <canvas ref={canvas} />
    </div>
  )
}

const pointIn = ({ offsetX, offsetY }: MouseEvent) => ({ x: offsetX, y: offsetY })

type CanvasRef = { current: HTMLCanvasElement | null }

/** React's own listener cannot keep the page from scrolling. */
function useWheel(canvas: CanvasRef, onWheel: (event: WheelEvent) => void): void {
  const newest = useRef(onWheel)
  newest.current = onWheel
  useEffect(() => {
    const target = canvas.current
    const handle = (event: WheelEvent) => {
      // The page scrolls on unless the picture was chosen before, or the wheel is a pinch.
      if (document.activeElement !== target?.parentElement && !event.ctrlKey) return
      event.preventDefault()
      newest.current(event)
    }
    target?.addEventListener('wheel', handle, { passive: false })
    return () => target?.removeEventListener('wheel', handle)
  }, [canvas])
}

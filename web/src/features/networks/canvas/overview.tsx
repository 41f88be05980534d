import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import styles from './canvas.module.css'
import { coloursOf, paint } from './drawing.ts'
import { usePainting } from './use-painting.ts'

/** Everything at once, from far away: one picture instead of a thousand cards. */
export function Overview() {
  const ref = useRef<HTMLCanvasElement>(null)
  const flow = useStoreApi()
  const painting = usePainting()
  useEffect(() => {
    const canvas = ref.current
    const context = canvas?.getContext('2d')
    if (!canvas || !context) return
    const colour = coloursOf(canvas)
    let request = 0
    const draw = () => {
      request = 0
      const { width, height, transform } = flow.getState()
      const [x, y, zoom] = transform
      const dots = window.devicePixelRatio
      if (canvas.width !== width * dots) canvas.width = width * dots
      if (canvas.height !== height * dots) canvas.height = height * dots
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.clearRect(0, 0, canvas.width, canvas.height)
      context.setTransform(dots * zoom, 0, 0, dots * zoom, dots * x, dots * y)
      paint(context, painting(), { colour, pixel: 1 / zoom })
    }
    const later = () => {
      if (request === 0) request = requestAnimationFrame(draw)
    }
    draw()
    const stop = flow.subscribe(later)
    return () => {
      stop()
      cancelAnimationFrame(request)
    }
  }, [flow, painting])
  return <canvas ref={ref} className={styles.overview} data-painted aria-hidden />
}

import { useEffect, useRef } from 'react'
import { show } from './paint.ts'
import type { Shown } from './shown.ts'
import styles from './try.module.css'

/** A picture on a canvas of its own size, scaled by the page. */
export function Canvas({
  shown,
  label,
  isAbove = false,
}: {
  shown: Shown
  label: string
  isAbove?: boolean
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) show(canvas.current, shown)
  }, [shown])
  const isSmall = shown.width < 400
  const looks = [styles.canvas, isAbove && styles.above, isSmall && styles.pixels]
  return <canvas ref={canvas} className={looks.filter(Boolean).join(' ')} role="img" aria-label={label} />
}

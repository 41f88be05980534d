import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import styles from './demo.module.css'
import { CANVAS_SIZE, paint } from './paint.ts'
import { SIZE } from './pictures.ts'
import { Tools } from './tools.tsx'
import { type Found, type Place, useCells } from './use-cells.ts'

/** Pixels of the picture between two cells of one stroke: cells just stand apart. */
const STROKE_STEP = 30

/** The picture that a visitor adds cells to, outlined live. */
export function Live() {
  const { t } = useTranslation('demo')
  const { pixels, found, hasFailed, add, addAnywhere, renew } = useCells()
  const [isOutlined, setOutlined] = useState(true)
  const canvas = useRef<HTMLCanvasElement>(null)
  const stroke = useStroke(add)
  const probabilities = isOutlined ? (found?.probabilities ?? null) : null
  useEffect(() => {
    if (canvas.current) paint(canvas.current, { pixels, probabilities })
  }, [pixels, probabilities])
  // The button that was pressed is gone: the keyboard goes on at the first one here.
  const side = useRef<HTMLDivElement>(null)
  useEffect(() => side.current?.querySelector('button')?.focus({ preventScroll: true }), [])
  return (
    <div className={styles.side} ref={side}>
      <div className={styles.stage}>
        <canvas
          ref={canvas}
          className={styles.canvas}
          width={CANVAS_SIZE}
          height={CANVAS_SIZE}
          role="img"
          aria-label={t('canvas')}
          {...stroke}
        />
      </div>
      <Readout found={found} hasFailed={hasFailed} />
      <Tools isOutlined={isOutlined} onOutlined={setOutlined} onAdd={addAnywhere} onRenew={renew} />
    </div>
  )
}

function Readout({ found, hasFailed }: { found: Found | null; hasFailed: boolean }) {
  const { t } = useTranslation('demo')
  if (hasFailed) {
    return (
      <p className={styles.readout} role="alert">
        {t('failed')}
      </p>
    )
  }
  return (
    <p className={styles.readout} role="status">
      {found === null
        ? t('thinking')
        : t('found', { count: found.count, milliseconds: formatNumber(found.milliseconds, 0) })}
    </p>
  )
}

/** A click adds a cell, a stroke a row of them. A finger that scrolls the page adds none. */
function useStroke(add: (places: Place[]) => void) {
  const last = useRef<Place | null>(null)
  const isStroke = useRef(false)
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      last.current = placeOf(event)
      isStroke.current = false
    },
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
      if (event.buttons !== 1 || last.current === null) return
      const place = placeOf(event)
      if (Math.hypot(place.x - last.current.x, place.y - last.current.y) < STROKE_STEP) return
      add(isStroke.current ? [place] : [last.current, place])
      last.current = place
      isStroke.current = true
    },
    onPointerCancel: () => {
      last.current = null
    },
    onClick: (event: React.MouseEvent<HTMLCanvasElement>) => {
      if (!isStroke.current) add([placeOf(event)])
    },
  }
}

/** From the page to pixels of the picture. */
function placeOf({ currentTarget, clientX, clientY }: React.MouseEvent<HTMLCanvasElement>): Place {
  const { left, top, width } = currentTarget.getBoundingClientRect()
  return { x: ((clientX - left) / width) * SIZE, y: ((clientY - top) / width) * SIZE }
}

import type { TextPicture, TextRegion } from '@neuroloom/contract/burned-in'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { drawn, isLarge, moved, type Point, type Size, SURE, sized } from './boxes.ts'
import { placeOf, Shown } from './shown.tsx'
import styles from './texts.module.css'

type BoxCanvasProps = {
  picture: TextPicture
  size: Size
  frame: number
  boxes: readonly TextRegion[]
  onChange: (boxes: readonly TextRegion[]) => void
  onRemove: (index: number) => void
}

/** What a finger or the mouse is at. */
type Drag =
  | { kind: 'draw'; from: Point; to: Point }
  | { kind: 'move' | 'size'; index: number; from: Point; box: TextRegion }

/** The picture under its boxes: a drag on a box moves it, on its corner sizes it, beside all boxes draws a new one. */
export function BoxCanvas({ picture, size, frame, boxes, onChange, onRemove }: BoxCanvasProps) {
  const { t } = useTranslation('texts')
  const ground = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const change = (index: number, box: TextRegion) =>
    onChange(boxes.map((one, at) => (at === index ? box : one)))

  const handleDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || !(event.target instanceof HTMLElement)) return
    const from = pointOf(event, ground.current, size)
    const held = event.target.closest<HTMLElement>('[data-box]')
    const index = Number(held?.dataset.box)
    const box = held ? boxes[index] : undefined
    event.currentTarget.setPointerCapture(event.pointerId)
    if (!box) return setDrag({ kind: 'draw', from, to: from })
    setDrag({ kind: event.target.dataset.corner === undefined ? 'move' : 'size', index, from, box })
  }
  const handleMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!drag) return
    const to = pointOf(event, ground.current, size)
    if (drag.kind === 'draw') return setDrag({ ...drag, to })
    const by = { x: to.x - drag.from.x, y: to.y - drag.from.y }
    change(drag.index, (drag.kind === 'move' ? moved : sized)(drag.box, by, size))
  }
  const handleUp = () => {
    if (drag?.kind === 'draw') {
      const box = drawn(drag.from, drag.to, size)
      if (isLarge(box)) onChange([...boxes, box])
    }
    setDrag(null)
  }
  const handleKey = (event: KeyboardEvent, index: number, box: TextRegion) => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      return onRemove(index)
    }
    const way = ways[event.key]
    if (!way) return
    event.preventDefault()
    const by = { x: way.x * FAR, y: way.y * FAR }
    const step = event.ctrlKey || event.metaKey ? way : by
    change(index, (event.shiftKey ? sized : moved)(box, step, size))
  }
  const shown = drag?.kind === 'draw' ? drawn(drag.from, drag.to, size) : null
  return (
    <div
      ref={ground}
      className={styles.canvas}
      // All of it is seen at once, with the buttons below.
      style={{ width: `min(100%, ${Math.round((TALL * size.width) / size.height)}dvh)` }}
      onPointerDown={handleDown}
      onPointerMove={handleMove}
      onPointerUp={handleUp}
      onPointerCancel={() => setDrag(null)}
    >
      <Shown picture={picture} size={size} frame={frame}>
        {boxes.map((box, index) =>
          frame < box.first || frame > box.last ? null : (
            <button
              type="button"
              // biome-ignore lint/suspicious/noArrayIndexKey: boxes have no name; none is sorted
              key={index}
              data-box={index}
              className={styles.box}
              data-unsure={box.sureness < SURE}
              style={placeOf(box, size)}
              aria-label={t('box', { number: index + 1, text: box.text })}
              onKeyDown={(event) => handleKey(event, index, box)}
            >
              <span className={styles.corner} data-corner aria-hidden />
            </button>
          ),
        )}
        {shown && <span className={styles.box} style={placeOf(shown, size)} />}
      </Shown>
    </div>
  )
}

/** Of the window's height, in hundredths. */
const TALL = 60

/** Pixels of the picture at one press; with Ctrl, one. */
const FAR = 5
const ways: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

function pointOf({ clientX, clientY }: PointerEvent, ground: HTMLElement | null, size: Size): Point {
  const { left = 0, top = 0, width = 1, height = 1 } = ground?.getBoundingClientRect() ?? {}
  return { x: ((clientX - left) / width) * size.width, y: ((clientY - top) / height) * size.height }
}

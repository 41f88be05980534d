/** One mark as it is drawn, in pixels of the screen. */
import type { MarkKind } from '@neuroloom/contract/image-view'
import type { Point } from './geometry.ts'
import styles from './measure.module.css'

type Shape = { kind: MarkKind; points: readonly Point[] }

/** Twice: wide and unseen for fingers, then as it looks. */
export function MarkShape({ kind, points, isOpen = false }: Shape & { isOpen?: boolean }) {
  const path = pathOf({ kind, points, isOpen })
  return (
    <>
      <path className={styles.grip} d={path} />
      <path className={styles.under} d={path} />
      <path className={styles.line} d={path} />
    </>
  )
}

function pathOf({ kind, points, isOpen }: Shape & { isOpen: boolean }): string {
  const [a, b, c, d] = points
  if (!a) return ''
  switch (kind) {
    case 'point':
      return `M${a[0] - ARM} ${a[1]}h${2 * ARM}M${a[0]} ${a[1] - ARM}v${2 * ARM}`
    case 'ellipse':
      return b ? ellipse(a, b) : ''
    case 'cobb':
      return [line([a, b]), line([c, d])].join('')
    case 'distance':
    case 'profile':
      return `${line([a, b])}${b ? ticks(a, b) : ''}`
    case 'arrow':
      return `${line([a, b])}${b ? head(a, b) : ''}`
    case 'angle':
      return line([a, b, c])
    case 'polygon':
    case 'freehand':
      return `${line(points)}${isOpen ? '' : 'Z'}`
  }
}

const ARM = 7

const line = (points: readonly (Point | undefined)[]): string =>
  points
    .filter((point) => point !== undefined)
    .map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`)
    .join('')

function ellipse([x0, y0]: Point, [x1, y1]: Point): string {
  const [rx, ry] = [Math.abs(x1 - x0) / 2, Math.abs(y1 - y0) / 2]
  const [left, right, middle] = [Math.min(x0, x1), Math.max(x0, x1), (y0 + y1) / 2]
  return `M${left} ${middle}A${rx} ${ry} 0 1 1 ${right} ${middle}A${rx} ${ry} 0 1 1 ${left} ${middle}Z`
}

/** Short strokes across both ends. */
function ticks([x0, y0]: Point, [x1, y1]: Point): string {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1
  const [ax, ay] = [(-(y1 - y0) / length) * TICK, ((x1 - x0) / length) * TICK]
  return [
    [x0, y0],
    [x1, y1],
  ]
    .map(([x = 0, y = 0]) => `M${x - ax} ${y - ay}L${x + ax} ${y + ay}`)
    .join('')
}

const TICK = 5

/** Two strokes from the tip back, along the line and to both sides of it. */
function head([x, y]: Point, from: Point): string {
  const length = Math.hypot(from[0] - x, from[1] - y) || 1
  const [ax, ay] = [((from[0] - x) / length) * HEAD, ((from[1] - y) / length) * HEAD]
  const side = (by: number): string => `${x + ax - ay * by} ${y + ay + ax * by}`
  return `M${side(-HALF)}L${x} ${y}L${side(HALF)}`
}

const HEAD = 12
const HALF = 0.5

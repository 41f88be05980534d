import type { FlatPlane } from '@neuroloom/contract/image-view'
import { type Pane, toScreen } from './measure/surface.ts'
import styles from './viewer.module.css'

/** Which axes of the body run along a row and along a column. */
const axes = { axial: [0, 1], coronal: [0, 2], sagittal: [1, 2] } as const satisfies Record<
  FlatPlane,
  readonly [number, number]
>
/** Which ends of the body a plane shows: along its rows and along its columns, the lesser first. */
const ends = {
  axial: ['LR', 'PA'],
  coronal: ['LR', 'IS'],
  sagittal: ['PA', 'IS'],
} as const satisfies Record<FlatPlane, readonly [string, string]>

/** The side of the body that lies to the left, right, top and bottom of a slice as it is drawn. */
export function sidesOf({ place, step }: Pick<Pane, 'place' | 'step'>): Record<Side, string> {
  const [across, up] = ends[place.plane]
  const [left, right] = inOrder(across, step[0])
  const [top, bottom] = inOrder(up, step[1])
  return { left, right, top, bottom }
}

type Side = 'left' | 'right' | 'top' | 'bottom'

/** Voxels are counted towards the second letter; a negative step draws them the other way. */
const inOrder = ([first = '', second = '']: string, step: number): [string, string] =>
  step < 0 ? [second, first] : [first, second]

/** From the edge of the slice to the middle of the letter. */
const EDGE = 14

type Props = {
  panes: readonly Pane[]
  /** The voxel under the cross; null without a cross. */
  cross: readonly number[] | null
  /** Whether it is known how the image lies in the patient. */
  hasSides: boolean
}

/** The cross, and the letters of the body's sides on all four edges of each slice. */
export function Guides({ panes, cross, hasSides }: Props) {
  return (
    <svg className={styles.guides} aria-hidden="true">
      {panes.map((pane) => (
        <g key={pane.place.plane}>
          {cross && <Cross pane={pane} voxel={cross} />}
          {hasSides && <Letters pane={pane} />}
        </g>
      ))}
    </svg>
  )
}

/** In pixels of the page. */
const LINE = 1.5

function Cross({ pane, voxel }: { pane: Pane; voxel: readonly number[] }) {
  const [across, up] = axes[pane.place.plane]
  const [x, y] = toScreen(pane, [(voxel[across] ?? 0) + 0.5, (voxel[up] ?? 0) + 0.5])
  const [left, right] = seen(pane, 0)
  const [top, bottom] = seen(pane, 1)
  // Where the page is shown smaller, a pixel of the page is less than one of the screen.
  const strokeWidth = Math.max(LINE, 1 / (window.devicePixelRatio || 1))
  return (
    <>
      {y >= top && y <= bottom && <line x1={left} x2={right} y1={y} y2={y} strokeWidth={strokeWidth} />}
      {x >= left && x <= right && <line x1={x} x2={x} y1={top} y2={bottom} strokeWidth={strokeWidth} />}
    </>
  )
}

function Letters({ pane }: { pane: Pane }) {
  const letters = sidesOf(pane)
  const [left, right] = seen(pane, 0)
  const [top, bottom] = seen(pane, 1)
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 }
  const places: [Side, number, number][] = [
    ['left', left + EDGE, middle.y],
    ['right', right - EDGE, middle.y],
    ['top', middle.x, top + EDGE],
    ['bottom', middle.x, bottom - EDGE],
  ]
  return places.map(([side, x, y]) => (
    <text key={side} x={x} y={y} data-side={side}>
      {letters[side]}
    </text>
  ))
}

/** From where to where the image is seen in its part of the stage. */
function seen({ origin, step, size, clip }: Pane, axis: 0 | 1): [number, number] {
  const end = origin[axis] + step[axis] * size[axis]
  const start = axis === 0 ? clip.left : clip.top
  const extent = axis === 0 ? clip.width : clip.height
  return [Math.max(Math.min(origin[axis], end), start), Math.min(Math.max(origin[axis], end), start + extent)]
}

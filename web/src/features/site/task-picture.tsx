/** What goes in and what comes out, one drawing a task: for the eye alone, the words stand beside it. */
import type { Task } from '@neuroloom/contract/task'
import type { ReactNode } from 'react'
import styles from './task-cards.module.css'

export function TaskPicture({ task }: { task: Task }) {
  const { given, found } = drawings[task]
  return (
    <svg className={styles.picture} viewBox="0 0 176 72" fill="none" aria-hidden="true">
      <Film x={4}>{given}</Film>
      <path className={styles.arrow} d="M80 36h14m-5-5 5 5-5 5" />
      <Film x={108}>{found}</Film>
    </svg>
  )
}

function Film({ x, children }: { x: number; children: ReactNode }) {
  return (
    <g transform={`translate(${x} 4)`}>
      <rect className={styles.film} width="64" height="64" rx="8" />
      {children}
    </g>
  )
}

const outlines = [
  'M12 22a9 9 0 1 1 18 0 9 9 0 1 1-18 0',
  'M30 42a12 9 0 1 1 24 0 12 9 0 1 1-24 0',
  'M13 48a6 6 0 1 1 12 0 6 6 0 1 1-12 0',
]
const cells = <path className={styles.tissue} d={outlines.join('')} />
const organ = 'M14 40c0-14 8-22 20-22s17 7 17 17-9 13-18 14-19 2-19-9'
const bars = [
  [14, 40, true],
  [30, 16, false],
  [46, 9, false],
] as const
const specks = [
  [9, 12],
  [20, 9],
  [34, 8],
  [47, 13],
  [56, 21],
  [10, 33],
  [38, 24],
  [47, 29],
  [29, 31],
  [57, 37],
  [8, 57],
  [32, 56],
  [44, 56],
  [55, 54],
  [20, 36],
  [26, 17],
  [40, 45],
  [18, 51],
] as const
const coarse = [
  [16, 12],
  [24, 12],
  [8, 20],
  [16, 20],
  [24, 20],
  [16, 28],
  [32, 36],
  [40, 36],
  [48, 36],
  [32, 44],
  [40, 44],
  [16, 44],
  [16, 52],
] as const

const drawings: Record<Task, { given: ReactNode; found: ReactNode }> = {
  classification: {
    given: cells,
    found: bars.map(([y, width, isChosen]) => (
      <rect
        key={y}
        className={isChosen ? styles.found : styles.tissue}
        x="12"
        y={y}
        width={width}
        height="6"
        rx="3"
      />
    )),
  },
  multilabel: {
    given: cells,
    found: bars.map(([y], k) => (
      <g key={y} transform={`translate(14 ${y - 3})`}>
        <rect className={k === 1 ? styles.tissue : styles.found} width="12" height="12" rx="3" />
        {k !== 1 && <path className={styles.tick} d="m3 6 2.500 2.500L9 4" />}
        <rect className={styles.tissue} x="18" y="4" width="20" height="4" rx="2" />
      </g>
    )),
  },
  segmentation: {
    given: cells,
    found: (
      <>
        {cells}
        <path className={styles.outlined} d={outlines.join('')} />
      </>
    ),
  },
  volume_segmentation: {
    given: (
      <>
        <path className={styles.slice} d="M14 8h40v40" />
        <path className={styles.slice} d="M10 12h40v40" />
        <path className={styles.tissue} d={organ} />
      </>
    ),
    found: (
      <>
        <path className={styles.slice} d="M14 8h40v40" />
        <path className={styles.slice} d="M10 12h40v40" />
        <path className={styles.tissue} d={organ} />
        <path className={styles.outlined} d={organ} />
      </>
    ),
  },
  detection: {
    given: cells,
    found: (
      <>
        {cells}
        <path className={styles.framed} d="M9 10h24v24H9zM27 30h30v24H27zM10 39h18v18H10z" />
      </>
    ),
  },
  super_resolution: {
    given: coarse.map(([x, y]) => (
      <rect key={`${x} ${y}`} className={styles.tissue} x={x} y={y} width="8" height="8" />
    )),
    found: cells,
  },
  denoising: {
    given: (
      <>
        {cells}
        {specks.map(([x, y]) => (
          <rect key={`${x} ${y}`} className={styles.speck} x={x} y={y} width="3" height="3" />
        ))}
      </>
    ),
    found: cells,
  },
}

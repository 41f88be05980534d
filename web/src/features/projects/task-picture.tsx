import type { ProjectTask } from '@neuroloom/contract/task'
import type { JSX } from 'react'
import styles from './task-picture.module.css'

const pictures: Record<ProjectTask, () => JSX.Element> = {
  classification: Classification,
  multilabel: Multilabel,
  segmentation: Segmentation,
  volume_segmentation: VolumeSegmentation,
  detection: Detection,
  super_resolution: SuperResolution,
  denoising: Denoising,
  flow: Flow,
}

/** What a task does, as a small drawing: a picture gets a name, a shape gets an outline, a coarse picture gets fine. */
export function TaskPicture({ task }: { task: ProjectTask }) {
  const Picture = pictures[task]
  return (
    <span className={styles.picture} aria-hidden>
      <svg viewBox="0 0 96 64" role="presentation">
        <Picture />
      </svg>
    </span>
  )
}

function Classification() {
  return (
    <>
      <Lungs />
      <Arrow x={52} />
      <rect className={styles.label} x="67" y="12" width="24" height="9" rx="4.5" />
      <rect className={styles.chosen} x="67" y="27.5" width="24" height="9" rx="4.5" />
      <rect className={styles.label} x="67" y="43" width="24" height="9" rx="4.5" />
    </>
  )
}

/** Several names at once, each with its tick. */
function Multilabel() {
  return (
    <>
      <Lungs />
      <Arrow x={50} />
      {[12, 27.5, 43].map((y, index) => (
        <g key={y}>
          <rect className={styles.label} x="76" y={y} width="17" height="9" rx="4.5" />
          {index === 1 ? (
            <rect className={styles.box} x="64" y={y + 0.5} width="8" height="8" rx="2" />
          ) : (
            <>
              <rect className={styles.chosen} x="64" y={y + 0.5} width="8" height="8" rx="2" />
              <path className={styles.tick} d={`m65.8 ${y + 4.5} 1.7 1.8 2.8-3.4`} />
            </>
          )}
        </g>
      ))}
    </>
  )
}

function Segmentation() {
  return (
    <>
      <rect className={styles.film} x="6" y="8" width="38" height="48" rx="6" />
      <circle className={styles.shape} cx="21" cy="26" r="8" />
      <ellipse className={styles.shape} cx="31" cy="43" rx="7" ry="6" />
      <Arrow x={45} />
      <rect className={styles.film} x="56" y="8" width="36" height="48" rx="6" />
      <circle className={styles.outline} cx="70" cy="26" r="8" />
      <ellipse className={styles.outline} cx="80" cy="43" rx="7" ry="6" />
    </>
  )
}

/** Slices behind each other, one organ through all of them. */
function VolumeSegmentation() {
  return (
    <>
      {[0, 1, 2, 3].map((slice) => (
        <g key={slice} transform={`translate(${60 - slice * 14} ${2 + slice * 5})`}>
          <rect className={styles.film} width="34" height="42" rx="5" />
          <rect className={styles.edge} width="34" height="42" rx="5" />
          <ellipse className={styles.outline} cx="17" cy="21" rx={6 + slice * 1.4} ry={8 + slice * 1.6} />
        </g>
      ))}
    </>
  )
}

function Detection() {
  return (
    <>
      <rect className={styles.film} x="14" y="6" width="68" height="52" rx="6" />
      {[
        { x: 32, y: 22, r: 7 },
        { x: 60, y: 20, r: 6 },
        { x: 46, y: 44, r: 7 },
        { x: 70, y: 43, r: 5 },
      ].map(({ x, y, r }) => (
        <g key={x}>
          <circle className={styles.shape} cx={x} cy={y} r={r} />
          <rect
            className={styles.frame}
            x={x - r - 3}
            y={y - r - 3}
            width={2 * r + 6}
            height={2 * r + 6}
            rx="1.5"
          />
        </g>
      ))}
    </>
  )
}

/** Large squares on the left, the round thing itself on the right. */
function SuperResolution() {
  const squares = [
    [1, 0],
    [2, 0],
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 1],
    [0, 2],
    [1, 2],
    [2, 2],
    [3, 2],
    [1, 3],
    [2, 3],
  ] as const
  return (
    <>
      <rect className={styles.film} x="4" y="18" width="28" height="28" rx="4" />
      {squares.map(([column, row]) => (
        <rect
          key={`${column} ${row}`}
          className={styles.shape}
          x={8 + column * 5}
          y={22 + row * 5}
          width="5"
          height="5"
        />
      ))}
      <Arrow x={34} />
      <rect className={styles.film} x="46" y="8" width="46" height="48" rx="6" />
      <circle className={styles.shape} cx="69" cy="32" r="17" />
      <circle className={styles.chosen} cx="64" cy="27" r="4" />
      <path className={styles.fine} d="M60 40c5 4 13 4 18 0M72 24h6M73 28h5" />
    </>
  )
}

/** Grains on the left, none on the right. */
function Denoising() {
  return (
    <>
      <rect className={styles.film} x="4" y="8" width="38" height="48" rx="6" />
      <circle className={styles.shape} cx="23" cy="32" r="12" />
      {[3, 8, 13, 18, 23, 28].flatMap((along, row) =>
        [12, 19, 26, 33, 40, 47].map((down, column) => (
          <rect
            key={`${along} ${down}`}
            className={(row * 5 + column * 3) % 4 === 0 ? styles.chosen : styles.grain}
            x={4 + along + ((column * 7) % 5)}
            y={down + ((row * 3) % 5)}
            width="2"
            height="2"
          />
        )),
      )}
      <Arrow x={43} />
      <rect className={styles.film} x="54" y="8" width="38" height="48" rx="6" />
      <circle className={styles.shape} cx="73" cy="32" r="12" />
    </>
  )
}

/** A vessel with lines of blood in it, one of them turning. */
function Flow() {
  return (
    <>
      <path className={styles.film} d="M2 12c26-8 38 8 60 4s20-8 32-6v44c-14-4-26 8-46 8S22 48 2 54Z" />
      <path className={styles.stream} d="M8 22c22-5 34 6 50 4s20-5 32-4" />
      <path className={styles.stream} d="M8 33h26m-6-5 6 5-6 5" />
      <path className={styles.stream} d="M8 45c20-4 32 8 46 8s26-8 36-7" />
      <path className={styles.whirl} d="M72 44c-10 4-19-3-15-11s18-7 18 1-11 8-12 2" />
    </>
  )
}

function Lungs() {
  return (
    <>
      <rect className={styles.film} x="6" y="8" width="40" height="48" rx="6" />
      <path className={styles.shape} d="M16 44c0-14 2-24 8-24 5 0 4 8 4 14s-1 14-5 14-7 0-7-4Z" />
      <path className={styles.shape} d="M38 44c0-14-2-22-6-22-3 0-3 8-3 12s0 14 4 14 5 0 5-4Z" />
    </>
  )
}

const Arrow = ({ x }: { x: number }) => <path className={styles.arrow} d={`M${x} 32h9m-4-4 4 4-4 4`} />

/** All marks over an image, drawn as vectors: they are seen, moved by mouse, finger or keys, and new ones begun. */
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Point } from './geometry.ts'
import { MarkShape } from './mark-shape.tsx'
import type { Mark, MarkDeed } from './marks.ts'
import type { Row } from './marks-csv.ts'
import styles from './measure.module.css'
import type { SharedMarks } from './shared-marks.ts'
import { held, type Pane, paneOf, type Surface, toImage, toScreen } from './surface.ts'
import { arrows, moved, pointOf, type useDrafting } from './use-drafting.ts'
import { useMeasuredText } from './use-measured-text.ts'
import type { Measuring } from './use-measuring.ts'

type LayerProps = {
  surface: Surface
  measuring: Measuring
  drafting: ReturnType<typeof useDrafting>
  unit: string
}

export function MarkLayer({ surface, measuring, drafting, unit }: LayerProps) {
  const { t } = useTranslation('viewer')
  const id = useId()
  const { draft, cross, handlers } = drafting
  return (
    <svg
      className={styles.layer}
      data-active={measuring.kind !== null}
      data-drafting={draft !== null}
      aria-label={t('marks')}
      {...handlers}
    >
      {surface.panes.map((pane) => (
        <clipPath key={pane.place.plane} id={`${id}${pane.place.plane}`}>
          <rect x={pane.clip.left} y={pane.clip.top} width={pane.clip.width} height={pane.clip.height} />
        </clipPath>
      ))}
      {measuring.rows.map((row) => {
        const pane = paneOf(surface.panes, row.mark)
        return (
          pane && (
            <g key={row.mark.number} clipPath={`url(#${id}${pane.place.plane})`}>
              <Drawn row={row} pane={pane} measuring={measuring} unit={unit} />
            </g>
          )
        )
      })}
      {draft && <Unfinished surface={surface} draft={draft} />}
      {cross && <CrossMark surface={surface} cross={cross} />}
    </svg>
  )
}

type DrawnProps = { row: Row; pane: Pane; measuring: Measuring; unit: string }

/** A mark with its handles; what is dragged is told when it is let go. */
function Drawn({ row: { mark, name, measured }, pane, measuring, unit }: DrawnProps) {
  const { t } = useTranslation('viewer')
  const textOf = useMeasuredText(unit)
  const drag = useDrag({ mark, pane, change: measuring.change })
  const { shared } = measuring
  const isFixed = shared !== null && !shared.canChange(mark)
  const points = drag.points.map((point) => toScreen(pane, point))
  const movable = mark.kind === 'freehand' ? points.slice(0, 1) : points
  const handles = isFixed ? [] : movable
  const anchor = points.reduce<Point>(
    (right, point) => (point[0] > right[0] ? point : right),
    points[0] ?? [0, 0],
  )
  const isAtEdge = anchor[0] > pane.clip.left + pane.clip.width - LABEL
  return (
    <g
      className={styles.mark}
      data-selected={measuring.selected === mark.number}
      onPointerDownCapture={() => measuring.select(mark.number)}
    >
      <g {...(isFixed ? {} : drag.handlersOf(null))}>
        <MarkShape kind={mark.kind} points={points} />
      </g>
      {handles.map(([x, y], index) => (
        // biome-ignore lint/a11y/useSemanticElements: a point of a drawing, where HTML has no place
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: points have no other name and never change places
          key={index}
          className={styles.handle}
          cx={x}
          cy={y}
          r={5}
          role="button"
          tabIndex={0}
          aria-label={t('handle', { name, number: index + 1, total: handles.length })}
          onFocus={() => measuring.select(mark.number)}
          onKeyDown={(event) => drag.handleKey(event, mark.kind === 'freehand' ? null : index)}
          {...drag.handlersOf(mark.kind === 'freehand' ? null : index)}
        />
      ))}
      <text
        className={styles.label}
        x={anchor[0] + (isAtEdge ? -9 : 9)}
        y={anchor[1] - 7}
        textAnchor={isAtEdge ? 'end' : 'start'}
        aria-hidden
      >
        {drag.isMoving ? '' : labelOf(mark, textOf.short(measured), shared)}
      </text>
    </g>
  )
}

/** What it measures, or what an arrow is called; of several authors, whose it is before that. */
function labelOf(mark: Mark, measured: string, shared: SharedMarks | null): string {
  if (shared === null) return mark.kind === 'arrow' ? mark.name : measured
  return [shared.authorOf(mark), mark.name || measured].filter((text) => text !== '').join(': ')
}

/** So much room a label needs beside its point. */
const LABEL = 90

type DragOptions = { mark: Mark; pane: Pane; change: (deed: MarkDeed) => void }

/** Moves one point of a mark, or all of them. */
function useDrag({ mark, pane, change }: DragOptions) {
  const [drag, setDrag] = useState<{ index: number | null; from: Point; to: Point } | null>(null)
  const points = drag ? pointsAfter(mark.points, drag, pane) : mark.points
  const tell = (next: readonly Point[]) => change({ deed: 'move', number: mark.number, points: next })
  return {
    points,
    isMoving: drag !== null,
    handlersOf: (index: number | null) => ({
      onPointerDown: (event: PointerEvent<SVGElement>) => {
        if (event.button !== 0 || !event.isPrimary) return
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
        const at = toImage(pane, pointOf(event))
        setDrag({ index, from: at, to: at })
      },
      onPointerMove: (event: PointerEvent<SVGElement>) => {
        if (drag) setDrag({ ...drag, to: toImage(pane, pointOf(event)) })
      },
      onPointerUp: () => {
        if (drag && drag.from !== drag.to) tell(points)
        setDrag(null)
      },
      onPointerCancel: () => setDrag(null),
    }),
    handleKey: (event: KeyboardEvent, index: number | null) => {
      const way = arrows[event.key]
      const isRemoved = event.key === 'Delete' || event.key === 'Backspace'
      if (!way && !isRemoved) return
      event.preventDefault()
      event.stopPropagation()
      if (isRemoved) return change({ deed: 'remove', number: mark.number })
      const to = moved(pane, [0, 0], way ?? [0, 0], event.shiftKey)
      tell(pointsAfter(mark.points, { index, from: [0, 0], to }, pane))
    },
  }
}

function pointsAfter(
  points: readonly Point[],
  { index, from, to }: { index: number | null; from: Point; to: Point },
  pane: Pane,
): readonly Point[] {
  const shifted = points.map(([x, y], at): Point => {
    const isMoved = index === null || index === at
    return isMoved ? [x + to[0] - from[0], y + to[1] - from[1]] : [x, y]
  })
  if (index !== null) return shifted.map((point) => held(pane, point))
  // As a whole it keeps its shape, so it stops at the edge.
  return shifted.every((point) => held(pane, point).every((part, axis) => part === point[axis]))
    ? shifted
    : points
}

function Unfinished({
  surface,
  draft,
}: {
  surface: Surface
  draft: NonNullable<LayerProps['drafting']['draft']>
}) {
  const pane = paneOf(surface.panes, draft.place)
  if (!pane) return null
  const points = [...draft.points, draft.next].map((point) => toScreen(pane, point))
  return (
    <g className={styles.draft}>
      <MarkShape kind={draft.kind} points={points} isOpen />
      {draft.kind !== 'freehand' &&
        points
          .slice(0, -1)
          .map(([x, y]) => <circle key={`${x} ${y}`} className={styles.dot} cx={x} cy={y} r={4} />)}
    </g>
  )
}

function CrossMark({
  surface,
  cross,
}: {
  surface: Surface
  cross: NonNullable<LayerProps['drafting']['cross']>
}) {
  const pane = paneOf(surface.panes, cross.place)
  if (!pane) return null
  const [x, y] = toScreen(pane, cross.point)
  return (
    <path
      className={styles.cross}
      d={`M${x - 14} ${y}h10m8 0h10M${x} ${y - 14}v10m0 8v10`}
      data-testid="cross"
    />
  )
}

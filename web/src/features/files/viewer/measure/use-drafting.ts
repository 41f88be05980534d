import { imageViews, type MarkKind, pointsOf } from '@neuroloom/contract/image-view'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useState } from 'react'
import { lengthOf, type Point, simplified } from './geometry.ts'
import { isOutline, type Mark, type Place } from './marks.ts'
import { held, type Pane, paneAt, paneOf, toImage, toScreen } from './surface.ts'

/** A mark of which points are still missing; `next` follows the pointer or the keyboard's cross. */
export type Draft = { kind: MarkKind; place: Place; points: readonly Point[]; next: Point }
/** Where the keyboard's cross stands. */
export type Cross = { place: Place; point: Point }

type Options = {
  panes: readonly Pane[]
  kind: MarkKind | null
  onMark: (mark: Omit<Mark, 'number' | 'name'>) => void
}

/** Sets the points of a mark one by one: by clicks, by dragging, or by a cross that arrow keys move. */
export function useDrafting({ panes, kind, onMark }: Options) {
  const [started, setDraft] = useState<Draft | null>(null)
  const [pressed, setPressed] = useState<Point | null>(null)
  const [cross, setCross] = useState<Cross | null>(null)
  // Of another kind, or of a slice that is no longer shown: given up.
  const draft = started && started.kind === kind && paneOf(panes, started.place) ? started : null

  const finish = ({ kind: made, place, points }: Omit<Draft, 'next'>): void => {
    setDraft(null)
    const most = made === 'freehand' ? simplified(points, imageViews.points) : points
    if (isWorthwhile(made, most)) onMark({ kind: made, ...place, points: most })
  }
  const put = (place: Place, point: Point): void => {
    if (kind === null) return
    const points = [...(draft?.points ?? []), point]
    const isFull = points.length === (pointsOf[kind] ?? imageViews.points)
    if (isFull) finish({ kind, place, points })
    else setDraft({ kind, place, points, next: point })
  }
  const close = (): void => {
    if (draft && isOutline(draft.kind)) finish(draft)
  }

  const handleDown = (event: PointerEvent<SVGSVGElement>) => {
    if (kind === null || event.button !== 0) return
    // The second finger: the image is pinched, nothing is set.
    if (!event.isPrimary) return setDraft(null)
    const at = pointOf(event)
    const pane = draft ? paneOf(panes, draft.place) : paneAt(panes, at)
    if (!pane) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setPressed(at)
    setCross(null)
    const point = held(pane, toImage(pane, at))
    if (draft && isOutline(draft.kind) && isNearStart(pane, draft, at)) return close()
    put(pane.place, point)
  }
  const handleMove = (event: PointerEvent<SVGSVGElement>): void => {
    const pane = draft && paneOf(panes, draft.place)
    if (!draft || !pane || !event.isPrimary) return
    const next = held(pane, toImage(pane, pointOf(event)))
    const isDrawn = draft.kind === 'freehand' && pressed !== null
    const points = isDrawn && draft.points.length < MOST_DRAWN ? [...draft.points, next] : draft.points
    setDraft({ ...draft, points, next })
  }
  const handleUp = (event: PointerEvent<SVGSVGElement>): void => {
    const pane = draft && paneOf(panes, draft.place)
    setPressed(null)
    if (!draft || !pane || pressed === null) return
    const at = pointOf(event)
    const isDragged = lengthOf(pressed, at, [1, 1]) > DRAGGED
    if (draft.kind === 'freehand' && isDragged) finish(draft)
    else if (isDragged) put(pane.place, held(pane, toImage(pane, at)))
  }
  const handleDouble = (event: MouseEvent): void => {
    event.preventDefault()
    // Both of its clicks have set a point at the same place.
    if (draft && isOutline(draft.kind)) finish({ ...draft, points: draft.points.slice(0, -1) })
  }

  /** Whether the key meant something here. */
  const handleKey = (event: KeyboardEvent): boolean => {
    if (kind === null || event.ctrlKey || event.metaKey || event.altKey) return false
    const pane = cross && paneOf(panes, cross.place)
    const shown = pane ?? panes[0]
    if (!shown) return false
    const point: Point = pane && cross ? cross.point : [shown.size[0] / 2, shown.size[1] / 2]
    const way = arrows[event.key]
    if (way) {
      const next = held(shown, moved(shown, point, way, event.shiftKey))
      setCross({ place: shown.place, point: next })
      if (draft && paneOf(panes, draft.place) === shown) setDraft({ ...draft, next })
      return true
    }
    switch (event.key) {
      case 'Enter': {
        if (!pane) {
          setCross({ place: shown.place, point })
          return true
        }
        const isSame = lengthOf(draft?.points.at(-1) ?? [-1, -1], point, [1, 1]) === 0
        if (draft && isSame) close()
        else if (!draft || paneOf(panes, draft.place) === pane) put(pane.place, point)
        return true
      }
      case 'Backspace':
        if (draft) setDraft(draft.points.length > 1 ? { ...draft, points: draft.points.slice(0, -1) } : null)
        return draft !== null
      case 'Escape':
        setDraft(null)
        setCross(null)
        return draft !== null || cross !== null
      case 'v':
      case 'V': {
        const next = panes[(panes.indexOf(shown) + 1) % panes.length] ?? shown
        if (!draft) setCross({ place: next.place, point: [next.size[0] / 2, next.size[1] / 2] })
        return true
      }
      default:
        return false
    }
  }
  return {
    draft,
    cross: kind === null ? null : cross,
    handlers: {
      onPointerDown: handleDown,
      onPointerMove: handleMove,
      onPointerUp: handleUp,
      onDoubleClick: handleDouble,
    },
    handleKey,
  }
}

/** Pixels of the screen: less is a click with an unsteady hand. */
const DRAGGED = 6
const NEAR = 12
/** Of a line drawn by hand, before it is made simpler. */
const MOST_DRAWN = 2000

export const arrows: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** A pixel of the image on, to where the arrow points on the screen; ten with Shift. */
export function moved({ step }: Pane, [x, y]: Point, [right, down]: Point, isFar: boolean): Point {
  const by = isFar ? 10 : 1
  return [x + right * by * Math.sign(step[0]), y + down * by * Math.sign(step[1])]
}

/** Within the drawing, whose corner is that of the stage. */
export function pointOf({ currentTarget, clientX, clientY }: PointerEvent<SVGElement>): Point {
  const drawing = currentTarget.ownerSVGElement ?? currentTarget
  const { left, top } = drawing.getBoundingClientRect()
  return [clientX - left, clientY - top]
}

const isNearStart = (pane: Pane, { points }: Draft, at: Point): boolean =>
  points[0] !== undefined &&
  points.length >= imageViews.leastPoints &&
  lengthOf(toScreen(pane, points[0]), at, [1, 1]) < NEAR

/** Two clicks at one place, or an ellipse that is a line, measure nothing. */
function isWorthwhile(kind: MarkKind, points: readonly Point[]): boolean {
  const [a, b] = points
  if (kind === 'point') return true
  if (!a || !b) return false
  if (kind === 'ellipse') return a[0] !== b[0] && a[1] !== b[1]
  return isOutline(kind) ? points.length >= imageViews.leastPoints : lengthOf(a, b, [1, 1]) > 0
}

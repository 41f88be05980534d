/** Masks and labels over an image: filled, or as outlines, on a canvas of their own. */
import { useEffect, useRef } from 'react'
import type { Place } from '../measure/marks.ts'
import { type Pane, type Surface, toScreen } from '../measure/surface.ts'
import { type Colour, colourOfLabel, type Edge, edgesOf, pixelsOf, sliceOf } from './labels.ts'
import { type Drawn, drawnOn } from './marks.ts'
import styles from './overlay.module.css'
import type { ShownOverlay } from './use-overlays.ts'

type LayerProps = {
  surface: Surface
  overlays: readonly ShownOverlay[]
  /** Voxels of one point in time. */
  places: number
}

export function OverlayLayer({ surface, overlays, places }: LayerProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const known = useRef(new Map<string, Slice>())
  useEffect(() => {
    const shown = canvas.current
    const context = shown?.getContext('2d')
    if (!shown || !context) return
    const scale = window.devicePixelRatio || 1
    shown.width = Math.round(shown.clientWidth * scale)
    shown.height = Math.round(shown.clientHeight * scale)
    context.imageSmoothingEnabled = false
    const kept = new Map<string, Slice>()
    for (const pane of surface.panes)
      for (const overlay of overlays) {
        if (!overlay.overlay) continue
        const key = keyOf(overlay, pane.place)
        const slice = known.current.get(key) ?? sliceFor(overlay, { surface, place: pane.place, places })
        kept.set(key, slice)
        paint(context, { pane, overlay, slice, scale })
      }
    // What is no longer seen is worked out anew when it is.
    known.current = kept
  }, [surface, overlays, places])
  return <canvas ref={canvas} className={styles.layer} aria-hidden />
}

type Slice = {
  /** Null where no pixel is marked. */
  pixels: { picture: OffscreenCanvas; edges: Map<number, Edge[]> } | null
  things: Drawn[]
  colours: (Colour | null)[]
}

const keyOf = ({ id, hidden }: ShownOverlay, { plane, slice, frame }: Place): string =>
  [id, plane, slice, frame, ...hidden].join(' ')

function sliceFor(
  { bytes, overlay, hidden, nothing }: ShownOverlay,
  { surface, place, places }: { surface: Surface; place: Place; places: number },
): Slice {
  const order = surface.orderOf(place)
  const colours = (overlay?.labels ?? []).map((label, index) =>
    hidden.includes(index + 1) || nothing.includes(index + 1) ? null : colourOfLabel(label, index),
  )
  const marks = overlay?.marks
  const things = marks ? drawnOn(marks.things, order, marks.size) : []
  if (bytes === null) return { pixels: null, things, colours }
  const [width, height] = order.size
  const labels = sliceOf(bytes, order, place.frame, places)
  const picture = new OffscreenCanvas(width, height)
  picture.getContext('2d')?.putImageData(new ImageData(pixelsOf(labels, colours), width, height), 0, 0)
  return { pixels: { picture, edges: edgesOf(labels, width) }, things, colours }
}

type Brush = { pane: Pane; overlay: ShownOverlay; slice: Slice; scale: number }

/** Of outlines, in pixels of the screen. */
const LINE = 2

function paint(context: CanvasRenderingContext2D, brush: Brush): void {
  const { pane, overlay, slice, scale } = brush
  const { clip, origin, step } = pane
  context.save()
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.beginPath()
  context.rect(clip.left, clip.top, clip.width, clip.height)
  context.clip()
  context.lineWidth = LINE
  context.globalAlpha = overlay.opacity
  if (slice.pixels && overlay.isFilled) {
    context.save()
    context.transform(step[0], 0, 0, step[1], origin[0], origin[1])
    context.drawImage(slice.pixels.picture, 0, 0)
    context.restore()
  } else if (slice.pixels) paintEdges(context, brush, slice.pixels.edges)
  for (const thing of slice.things) paintThing(context, brush, thing)
  context.restore()
}

function paintEdges(
  context: CanvasRenderingContext2D,
  { pane: { origin, step }, slice: { colours } }: Brush,
  edges: Map<number, Edge[]>,
): void {
  for (const [label, lines] of edges) {
    const colour = colours[label - 1]
    if (!colour) continue
    context.strokeStyle = `rgb(${colour.join(' ')})`
    context.beginPath()
    for (const [x0, y0, x1, y1] of lines) {
      context.moveTo(origin[0] + x0 * step[0], origin[1] + y0 * step[1])
      context.lineTo(origin[0] + x1 * step[0], origin[1] + y1 * step[1])
    }
    context.stroke()
  }
}

/** Of single points, in pixels of the screen. */
const DOT = 3.5

function paintThing(
  context: CanvasRenderingContext2D,
  { pane, overlay: { isFilled, opacity }, slice: { colours } }: Brush,
  { label, kind, rings }: Drawn,
): void {
  const colour = colours[label - 1]
  if (!colour) return
  context.fillStyle = context.strokeStyle = `rgb(${colour.join(' ')})`
  context.beginPath()
  for (const points of rings.map((ring) => ring.map((point) => toScreen(pane, point)))) {
    if (kind === 'points')
      for (const [x, y] of points) {
        context.moveTo(x + DOT, y)
        context.arc(x, y, DOT, 0, 2 * Math.PI)
      }
    else {
      for (const [index, [x, y]] of points.entries())
        index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)
      if (kind !== 'line') context.closePath()
    }
  }
  if (kind === 'points') context.fill()
  else if (isFilled && kind !== 'line') {
    context.fill('evenodd')
    // Where two lie on each other, each is still seen.
    context.globalAlpha = Math.min(1, 2 * opacity)
    context.stroke()
    context.globalAlpha = opacity
  } else context.stroke()
}

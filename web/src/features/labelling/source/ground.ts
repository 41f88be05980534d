/** What sources of images share: the dark ground, and colours of a part of the image for the assists. */
import { colours } from '../../../ui/tokens.ts'
import type { SeenPane as Seen } from '../canvas/pane.ts'
import type { Plane } from '../canvas/plane.ts'
import type { Area, Rect } from '../canvas/view.ts'

/** Four bytes a pixel: red, green, blue, opacity; of the plane as it lies in the file. */
export type Pixels = { width: number; height: number; values: Uint8ClampedArray }
/** `rect` in whole pixels of the plane. */
export type ReadPixels = (plane: Plane, rect: Rect) => Promise<Pixels>

export function ground(context: CanvasRenderingContext2D, { width, height }: Area): void {
  context.fillStyle = colours.stage
  context.fillRect(0, 0, width, height)
}

/** The whole pixels of an image that are seen. */
export function seenPart({ plane, view, area }: Seen): {
  x: number
  y: number
  width: number
  height: number
} {
  const x = Math.max(0, Math.floor(view.x))
  const y = Math.max(0, Math.floor(view.y))
  const right = Math.min(plane.width, Math.ceil(view.x + area.width / view.scale))
  const bottom = Math.min(plane.height, Math.ceil(view.y + area.height / (view.scale * plane.aspect)))
  return { x, y, width: right - x, height: bottom - y }
}

/** Draws a part of something as large as the plane to where it is seen. */
export function drawSeen(context: CanvasRenderingContext2D, drawn: CanvasImageSource, seen: Seen): void {
  const { x, y, width, height } = seenPart(seen)
  if (width <= 0 || height <= 0) return
  const { view, plane } = seen
  const down = view.scale * plane.aspect
  // Nearby every pixel is seen as it is; in motion smoothing costs more than all else.
  context.imageSmoothingEnabled = view.scale < 1 && !seen.isMoving
  const to = [(x - view.x) * view.scale, (y - view.y) * down, width * view.scale, height * down] as const
  context.drawImage(drawn, x, y, width, height, ...to)
}

export function pixelsOf(drawn: CanvasImageSource, { left, top, right, bottom }: Rect): Pixels {
  const [width, height] = [right - left, bottom - top]
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no drawing here')
  context.drawImage(drawn, -left, -top)
  return { width, height, values: context.getImageData(0, 0, width, height).data }
}

/** Which part of a plane is seen, and how large: between image pixels and device pixels of the screen. Pure. */
import type { Plane } from './plane.ts'

export type View = {
  /** Left upper corner of the screen, in pixels of the plane as it is shown. */
  x: number
  y: number
  /** Device pixels an image pixel is wide. */
  scale: number
}
export type Area = { width: number; height: number }
export type Point = { x: number; y: number }
export type Rect = { left: number; top: number; right: number; bottom: number }

const LEAST_SHOWN = 32
const MOST_SCALE = 64

/** All of the plane, in the middle. */
export function fitted(plane: Plane, { width, height }: Area): View {
  const tall = plane.height * plane.aspect
  const scale = Math.min(width / plane.width, height / tall) || 1
  return {
    scale,
    x: (plane.width - width / scale) / 2,
    y: (tall - height / scale) / 2 / plane.aspect,
  }
}

export function toScreen(view: View, plane: Plane, { x, y }: Point): Point {
  const shownX = plane.isFlippedX ? plane.width - x : x
  const shownY = plane.isFlippedY ? plane.height - y : y
  return { x: (shownX - view.x) * view.scale, y: (shownY - view.y) * view.scale * plane.aspect }
}

export function toImage(view: View, plane: Plane, { x, y }: Point): Point {
  const shownX = view.x + x / view.scale
  const shownY = view.y + y / (view.scale * plane.aspect)
  return {
    x: plane.isFlippedX ? plane.width - shownX : shownX,
    y: plane.isFlippedY ? plane.height - shownY : shownY,
  }
}

/** What lies under `at` stays there. */
export function zoomed(
  view: View,
  plane: Plane,
  { by, at, area }: { by: number; at: Point; area: Area },
): View {
  const least = Math.min(
    LEAST_SHOWN / Math.max(plane.width, plane.height * plane.aspect),
    fitted(plane, area).scale,
  )
  const scale = Math.min(Math.max(view.scale * by, least), Math.max(MOST_SCALE, view.scale))
  const change = 1 / view.scale - 1 / scale
  return kept({ scale, x: view.x + at.x * change, y: view.y + (at.y * change) / plane.aspect }, plane, area)
}

export function panned(view: View, plane: Plane, { by, area }: { by: Point; area: Area }): View {
  const { scale } = view
  return kept({ scale, x: view.x - by.x / scale, y: view.y - by.y / (scale * plane.aspect) }, plane, area)
}

/** Something of the image always stays on the screen. */
function kept({ x, y, scale }: View, plane: Plane, { width, height }: Area): View {
  const wide = width / scale
  const tall = height / (scale * plane.aspect)
  return {
    scale,
    x: Math.min(Math.max(x, -wide * 0.8), plane.width - wide * 0.2),
    y: Math.min(Math.max(y, -tall * 0.8), plane.height - tall * 0.2),
  }
}

/** A rectangle of image pixels on the screen, in whole device pixels, a little larger than it is. */
export function rectOnScreen(view: View, plane: Plane, { left, top, right, bottom }: Rect): Rect {
  const one = toScreen(view, plane, { x: left, y: top })
  const other = toScreen(view, plane, { x: right, y: bottom })
  return {
    left: Math.floor(Math.min(one.x, other.x)) - 1,
    top: Math.floor(Math.min(one.y, other.y)) - 1,
    right: Math.ceil(Math.max(one.x, other.x)) + 1,
    bottom: Math.ceil(Math.max(one.y, other.y)) + 1,
  }
}

export const joined = (one: Rect | null, other: Rect): Rect =>
  one === null
    ? other
    : {
        left: Math.min(one.left, other.left),
        top: Math.min(one.top, other.top),
        right: Math.max(one.right, other.right),
        bottom: Math.max(one.bottom, other.bottom),
      }

export const clipped = (rect: Rect, { width, height }: Area): Rect => ({
  left: Math.max(0, rect.left),
  top: Math.max(0, rect.top),
  right: Math.min(width, rect.right),
  bottom: Math.min(height, rect.bottom),
})

export const isEmpty = ({ left, top, right, bottom }: Rect): boolean => right <= left || bottom <= top

/** Boxes over a picture as they are moved, sized, drawn and taken away; in pixels of the picture, never out of it. */
import type { TextRegion } from '@neuroloom/contract/burned-in'

export type Size = { width: number; height: number; frames: number }
export type Point = { x: number; y: number }

/** Smaller ones can neither be seen nor held. */
export const LEAST_SIDE = 6

export function moved(box: TextRegion, by: Point, { width, height }: Size): TextRegion {
  return {
    ...box,
    x: clamp(box.x + by.x, 0, width - box.w),
    y: clamp(box.y + by.y, 0, height - box.h),
  }
}

/** By its lower right corner. */
export function sized(box: TextRegion, by: Point, { width, height }: Size): TextRegion {
  return {
    ...box,
    w: clamp(box.w + by.x, LEAST_SIDE, width - box.x),
    h: clamp(box.h + by.y, LEAST_SIDE, height - box.y),
  }
}

/** Between two corners, whichever was first; in all frames. */
export function drawn(from: Point, to: Point, { width, height, frames }: Size): TextRegion {
  const [left, right] = [clamp(Math.min(from.x, to.x), 0, width), clamp(Math.max(from.x, to.x), 0, width)]
  const [top, bottom] = [clamp(Math.min(from.y, to.y), 0, height), clamp(Math.max(from.y, to.y), 0, height)]
  const place = { x: left, y: top, w: right - left, h: bottom - top }
  return { ...place, first: 0, last: frames - 1, text: '', sureness: 100, isDrawn: true }
}

/** For who has no mouse: in the middle, to be moved by keys. */
export function added({ width, height, frames }: Size): TextRegion {
  const [w, h] = [Math.round(width / 5), Math.round(height / 12)]
  const [x, y] = [Math.round((width - w) / 2), Math.round((height - h) / 2)]
  return drawn({ x, y }, { x: x + w, y: y + h }, { width, height, frames })
}

export const isLarge = ({ w, h }: TextRegion): boolean => w >= LEAST_SIDE && h >= LEAST_SIDE

/** Below this a person is asked to look first. */
export const SURE = 90

const clamp = (value: number, least: number, most: number): number =>
  Math.round(Math.max(least, Math.min(most, value)))

/** What the tools of the editor work on: planes row by row, volumes with x fastest. Nothing here is ever written to.
 * Times that tools tell are of one core of a shared server, without waiting. */
import type { Three } from '@neuroloom/contract/labelling/distance'

export type Plane<Values> = { width: number; height: number; values: Values }
/** Brightness as stored or as shown. */
export type Grey = Plane<Float32Array | Uint8Array>
/** Four bytes a pixel: red, green, blue, opacity. */
export type Colour = Plane<Uint8ClampedArray>
/** 1 = belongs to it, 0 = does not. */
export type Mask = Plane<Uint8Array>

export type Volume<Values> = { size: Three; values: Values }
/** Numbers of segments; 0 = nothing. */
export type SegmentVolume = Volume<Uint8Array | Uint16Array>

/** Middle of the pixel in column x and row y. */
export type Point = { x: number; y: number }

/** The first and the last column and row that belong to it. */
export type Box = { left: number; top: number; right: number; bottom: number }

/** What a tool may ask now and then; it answers null once this says so. */
export type Cancel = (() => boolean) | undefined

/** A plane as a volume of one slice. */
export const asVolume = <Values>({ width, height, values }: Plane<Values>): Volume<Values> => ({
  size: [width, height, 1],
  values,
})

/** A mask of the values that belong to it. A plain loop: `Uint8Array.from` with a function takes ten times as long. */
export function maskWhere(values: ArrayLike<number>, belongs: (value: number) => boolean): Uint8Array {
  const mask = new Uint8Array(values.length)
  for (let at = 0; at < mask.length; at++) mask[at] = belongs(values[at] ?? 0) ? 1 : 0
  return mask
}

/** Brightness of a picture in colours, 0 to 255 (ITU-R BT.601). */
export function greyOf({ width, height, values }: Colour): Plane<Float32Array> {
  const grey = new Float32Array(width * height)
  for (let at = 0, from = 0; at < grey.length; at++, from += 4) {
    grey[at] = 0.299 * (values[from] ?? 0) + 0.587 * (values[from + 1] ?? 0) + 0.114 * (values[from + 2] ?? 0)
  }
  return { width, height, values: grey }
}

/** The smallest box around all that is not 0; null when there is nothing. */
export function boxOf({ width, height, values }: Plane<ArrayLike<number>>): Box | null {
  const box = { left: width, top: height, right: -1, bottom: -1 }
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (!values[at]) continue
      if (x < box.left) box.left = x
      if (x > box.right) box.right = x
      if (y < box.top) box.top = y
      box.bottom = y
    }
  }
  return box.right < 0 ? null : box
}

/** The box with so many columns and rows more on each side, as far as the plane reaches. */
export function widened(box: Box, by: Point, { width, height }: { width: number; height: number }): Box {
  return {
    left: Math.max(0, box.left - by.x),
    top: Math.max(0, box.top - by.y),
    right: Math.min(width - 1, box.right + by.x),
    bottom: Math.min(height - 1, box.bottom + by.y),
  }
}

/** The part in a box, as a plane of its own. */
export function cropped({ width, values }: Mask, { left, top, right, bottom }: Box): Mask {
  const part = { width: right - left + 1, height: bottom - top + 1 }
  const cut = new Uint8Array(part.width * part.height)
  for (let y = 0; y < part.height; y++) {
    const from = (top + y) * width + left
    cut.set(values.subarray(from, from + part.width), y * part.width)
  }
  return { ...part, values: cut }
}

/** An empty mask of a plane's size with the part in its box. */
export function pasted(part: Mask, { left, top }: Box, { width, height }: Mask): Mask {
  const values = new Uint8Array(width * height)
  for (let y = 0; y < part.height; y++) {
    values.set(part.values.subarray(y * part.width, (y + 1) * part.width), (top + y) * width + left)
  }
  return { width, height, values }
}

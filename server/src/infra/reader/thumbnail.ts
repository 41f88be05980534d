/** The small picture of an image: its middle slice as it lies in the patient, in the greys that its window shows. */
import sharp from 'sharp'
import type { Scan, Triple } from './model.ts'
import { type Range, usualRange } from './usual-range.ts'
import { eightBit, isEightBit, type Window, windowAround } from './values.ts'

/** WebP at `path`, at most `side` pixels wide and high, with the width and height of real things. */
export async function writeThumbnail(scan: Scan, path: string, side: number): Promise<void> {
  const slice = middleSlice(scan)
  const [width, height] = slice.size
  const { channels } = slice
  const shades = eightBit(slice, windowShown(slice))
  const { isTurned, isMirrored, isUpsideDown } = turnsOf(scan)
  const [across, down] = sizeShown(slice, side)
  // Turned by itself: the library has an order of its own for steps that are asked for together.
  const { data, info } = await sharp(shades, { raw: { width, height, channels }, limitInputPixels: false })
    .resize(across, down, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const upright = isTurned ? transposed(data, raw) : { data, raw }
  await sharp(upright.data, { raw: upright.raw })
    .flip(isUpsideDown)
    .flop(isMirrored)
    .webp({ quality: 80, effort: 2 })
    .toFile(path)
}

/** In space and in time. */
function middleSlice(scan: Scan): Scan {
  const [width, height, depth, times] = scan.size
  const each = width * height * scan.channels
  const at = Math.floor(times / 2) * depth + Math.floor(depth / 2)
  return { ...scan, size: [width, height, 1, 1], samples: scan.samples.slice(at * each, (at + 1) * each) }
}

/** The file's own window where that shows something; else one that leaves out single outliers. */
export function windowShown(slice: Scan): Window | null {
  const isWhole = slice.layout === 'slice' && slice.geometry === null
  if (slice.channels === 3 || (isWhole && isEightBit(slice, null))) return null
  const usual = usualRange(slice) ?? { min: 0, max: 1 }
  const [own] = slice.windows
  if (own && sharedPart(own, usual) >= SEEN_PART) return own
  return windowAround(usual)
}

/** What of a window's greys there is; in a small picture, less than a fifth is one grey. */
const sharedPart = ({ center, width }: Window, { min, max }: Range): number =>
  (Math.min(max, center + width / 2) - Math.max(min, center - width / 2)) / width
const SEEN_PART = 0.2

/** Never larger than the slice, but for sides that pixels which are not square make longer. */
function sizeShown({ size: [width, height], geometry }: Scan, side: number): [number, number] {
  const [x = 1, y = 1] = geometry?.spacing ?? []
  const unit = Math.min(x, y)
  const isUsable = unit > 0 && Number.isFinite(x / unit) && Number.isFinite(y / unit)
  const real = isUsable ? [(width * x) / unit, (height * y) / unit] : [width, height]
  const [across = width, down = height] = real
  const scale = Math.min(1, side / Math.max(across, down))
  return [Math.max(1, Math.round(across * scale)), Math.max(1, Math.round(down * scale))]
}

type Turns = { isTurned: boolean; isMirrored: boolean; isUpsideDown: boolean }
const unturned: Turns = { isTurned: false, isMirrored: false, isUpsideDown: false }

/** The head or the front up; the patient's left, or the back where one looks from the side, to the right. */
function turnsOf({ geometry, format }: Scan): Turns {
  // NIfTI's rows go up where it does not say how they lie.
  if (!geometry?.axes) return { ...unturned, isUpsideDown: format === 'nifti' }
  const [columns, rows] = geometry.axes
  const isTurned = mainOf(columns) > mainOf(rows)
  const [across, down] = isTurned ? [rows, columns] : [columns, rows]
  const isHeadwards = mainOf(down) === 2
  return {
    isTurned,
    isMirrored: (across[mainOf(across)] ?? 0) < 0,
    isUpsideDown: isHeadwards === (down[mainOf(down)] ?? 0) > 0,
  }
}

const mainOf = (axis: Triple): number => {
  const size = axis.map(Math.abs)
  return size.indexOf(Math.max(...size))
}

type Raw = { width: number; height: number; channels: 1 | 2 | 3 | 4 }

/** Rows become columns. */
function transposed(data: Buffer, { width, height, channels }: Raw): { data: Buffer; raw: Raw } {
  const turned = Buffer.alloc(data.length)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < channels; channel += 1)
        turned[(x * height + y) * channels + channel] = data[(y * width + x) * channels + channel] ?? 0
  return { data: turned, raw: { width: height, height: width, channels } }
}

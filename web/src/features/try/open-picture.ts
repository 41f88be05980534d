/** From a file to the numbers that the engine would read of it; what a browser cannot read is named. Needs a browser or its worker. */
import { type FailureName, TryFailure } from './failure.ts'
import type { Picture } from './picture.ts'
import { isPng, overBlack, pngSize, readPng } from './png.ts'

/** Pictures with more pixels fill the memory of a page several times over. */
const MOST_PIXELS = 40_000_000

/** Turned as its camera noted, as the engine does. */
export async function openPicture(file: Blob): Promise<Picture> {
  if (file.size === 0) throw new TryFailure('empty')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const other = formatOf(bytes)
  if (other !== null) throw new TryFailure(other)
  const size = isPng(bytes) ? pngSize(bytes) : null
  if (size && size.width * size.height > MOST_PIXELS) throw new TryFailure('too_large')
  const picture = isPng(bytes) ? readPng(bytes) : null
  return picture ?? openByBrowser(new Blob([bytes], { type: file.type }))
}

/** Files that people have of their devices and no browser shows. */
function formatOf(bytes: Uint8Array): FailureName | null {
  const text = (from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))
  const start = text(0, 4)
  if (start === 'II*\0' || start === 'MM\0*' || start === 'II+\0' || start === 'MM\0+') return 'tiff'
  if (text(128, 132) === 'DICM') return 'dicom'
  if (text(344, 347) === 'n+1' || text(344, 347) === 'ni1' || start === 'NRRD') return 'volume'
  // Packed; NIfTI is kept so.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'volume'
  if (text(4, 8) === 'ftyp' && /^(heic|heix|hevc|mif1|msf1)/.test(text(8, 12))) return 'other_format'
  if (['%PDF', 'PK\u0003\u0004', '<svg', '<?xm'].includes(start)) return 'not_a_picture'
  return null
}

async function openByBrowser(file: Blob): Promise<Picture> {
  // The engine, too, leaves colour profiles out.
  const options: ImageBitmapOptions = {
    colorSpaceConversion: 'none',
    premultiplyAlpha: 'none',
    imageOrientation: 'from-image',
  }
  const image = await createImageBitmap(file, options).catch((error: unknown) => {
    throw new TryFailure(
      /^image\/(jpeg|png|webp|gif|bmp)$/.test(file.type) ? 'broken_picture' : 'not_a_picture',
      {
        cause: error,
      },
    )
  })
  const { width, height } = image
  try {
    if (width * height > MOST_PIXELS) throw new TryFailure('too_large')
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    if (!context) throw new TryFailure('no_memory')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    return { width, height, channels: 3, levels: withoutAlpha(data) }
  } finally {
    image.close()
  }
}

function withoutAlpha(rgba: Uint8ClampedArray): Uint8Array {
  const pixels = rgba.length / 4
  const levels = new Uint8Array(pixels * 3)
  const alpha = new Uint8Array(pixels)
  for (let at = 0; at < pixels; at++) {
    levels[3 * at] = rgba[4 * at] ?? 0
    levels[3 * at + 1] = rgba[4 * at + 1] ?? 0
    levels[3 * at + 2] = rgba[4 * at + 2] ?? 0
    alpha[at] = rgba[4 * at + 3] ?? 255
  }
  return overBlack(levels, alpha)
}

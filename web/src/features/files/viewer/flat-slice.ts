/** One slice of a NIfTI file as a picture, for browsers without graphics acceleration. */
import type { ImageFacts } from '@neuroloom/contract/viewing'
import type { Window } from './window.ts'

type Reader = (view: DataView, at: number) => number
/** By NIfTI's numbers of kinds: bytes of a value, and how it is read. */
const kinds: Record<number, [number, Reader]> = {
  2: [1, (view, at) => view.getUint8(at)],
  4: [2, (view, at) => view.getInt16(at, true)],
  8: [4, (view, at) => view.getInt32(at, true)],
  16: [4, (view, at) => view.getFloat32(at, true)],
  64: [8, (view, at) => view.getFloat64(at, true)],
  256: [1, (view, at) => view.getInt8(at)],
  512: [2, (view, at) => view.getUint16(at, true)],
  768: [4, (view, at) => view.getUint32(at, true)],
}
const RGB = 128

export type FlatSlice = {
  width: number
  height: number
  /** How much higher a pixel is than wide. */
  aspect: number
  /** Red, green, blue and opacity of each pixel, from the top. */
  pixels: Uint8ClampedArray<ArrayBuffer>
}

/** Unpacks the file that the product made for its viewer: little-endian NIfTI-1, packed by gzip. */
export async function unpack(packed: ArrayBuffer): Promise<DataView> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new DataView(await new Response(stream).arrayBuffer())
}

type Seen = { facts: ImageFacts; window: Window; slice: number | null }

/** This slice, or the middle one, the way up in which the viewer draws it. Null of a kind of values that it does not know. */
export function flatSliceOf(file: DataView, { facts, window: [low, high], slice }: Seen): FlatSlice | null {
  const [width = 1, height = 1, depth = 1] = [42, 44, 46].map((at) => file.getInt16(at, true))
  const kind = file.getInt16(70, true)
  const start = file.getFloat32(108, true)
  const slope = file.getFloat32(112, true) || 1
  const intercept = file.getFloat32(116, true)
  const isColour = kind === RGB
  const [bytes, read] = kinds[isColour ? 2 : kind] ?? []
  if (bytes === undefined || read === undefined) return null
  const each = isColour ? 3 : 1
  const first = start + (slice ?? Math.floor(depth / 2)) * width * height * bytes * each
  const [isMirrored, isUpsideDown] = turns(facts)
  const isInverted = facts.photometric === 'MONOCHROME1'
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const column = isMirrored ? width - 1 - x : x
      const row = isUpsideDown ? height - 1 - y : y
      const at = first + (row * width + column) * bytes * each
      const to = (y * width + x) * 4
      for (let colour = 0; colour < 3; colour += 1) {
        const value = read(file, isColour ? at + colour : at)
        const share = (value * slope + intercept - low) / (high - low || 1)
        pixels[to + colour] = isColour ? value : 255 * (isInverted ? 1 - share : share)
      }
      pixels[to + 3] = 255
    }
  }
  const [wide = 1, tall = 1] = [80, 84].map((at) => file.getFloat32(at, true))
  return { width, height, aspect: tall / wide || 1, pixels }
}

/** Left and front come to the right, head to the top; of a file that does not say, rows go up as NIfTI means them. */
function turns({ orientation, format }: ImageFacts): [isMirrored: boolean, isUpsideDown: boolean] {
  if (orientation === null) return [false, format === 'nifti']
  const [columns = '', rows = ''] = orientation
  return [['R', 'P'].includes(columns), ['A', 'S'].includes(rows)]
}

/** Pictures and areas for canvases, and as files. Knows no state. */
import { zlibSync } from 'fflate'
import { colourOf } from '../../lib/class-colours.ts'
import type { Answer } from './network.ts'
import type { Picture } from './picture.ts'
import type { Shown } from './shown.ts'

type Areas = Extract<Answer, { kind: 'areas' }>

/** How much of what lies below is covered inside an area, of 255. */
const FILL = 80
/** Of the longer side: outlines stay visible however small a picture is shown. */
const LINE = 1 / 500

/** Draws onto a canvas of the picture's own size. */
export function show(canvas: HTMLCanvasElement, { width, height, rgba }: Shown): void {
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.putImageData(new ImageData(rgba, width, height), 0, 0)
}

/** Each class in its colour, filled lightly and outlined strongly; background stays clear. */
export function paintAreas({ width, height, classes }: Areas): Shown {
  const rgba = new Uint8ClampedArray(width * height * 4)
  const reach = Math.max(1, Math.round(Math.max(width, height) * LINE))
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (classes[y * width + x] ?? 0)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const own = classes[y * width + x] ?? 0
      if (own === 0) continue
      const isEdge =
        at(x - reach, y) !== own ||
        at(x + reach, y) !== own ||
        at(x, y - reach) !== own ||
        at(x, y + reach) !== own
      rgba.set([...colourOf(own - 1), isEdge ? 255 : FILL], 4 * (y * width + x))
    }
  }
  return { width, height, rgba }
}

/** Of each class's area in the whole picture. */
export function sharesOf({ classes }: Areas, count: number): number[] {
  const pixels: number[] = Array.from({ length: count }, () => 0)
  for (const one of classes) pixels[one] = (pixels[one] ?? 0) + 1
  return pixels.map((number) => number / Math.max(1, classes.length))
}

/** A mask with the member's own values, as the engine writes it. */
export function maskOf({ width, height, classes }: Areas, values: readonly (number | string)[]): Picture {
  if (values.some((value) => typeof value === 'string')) {
    const colours = values.map(partsOf)
    const levels = Uint8Array.from([...classes].flatMap((index) => colours[index] ?? partsOf(index)))
    return { width, height, channels: 3, levels }
  }
  const isDeep = values.some((value) => Number(value) > 255)
  const levelOf = (index: number): number => Number(values[index] ?? index)
  const levels = isDeep ? Uint16Array.from(classes, levelOf) : Uint8Array.from(classes, levelOf)
  return { width, height, channels: 1, levels }
}

/** Six digits behind a hash, or a grey. */
function partsOf(value: number | string): [number, number, number] {
  if (typeof value === 'number') return [value, value, value]
  const part = (at: number): number => Number.parseInt(value.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

/** With all its levels: a canvas would keep eight bits alone. */
export function pngOf({ width, height, channels, levels }: Picture): Blob {
  const bytes = levels.BYTES_PER_ELEMENT
  const row = width * channels * bytes
  const rows = new Uint8Array((row + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width * channels; x++) {
      const level = levels[y * width * channels + x] ?? 0
      const to = y * (row + 1) + 1 + x * bytes
      if (bytes === 2) rows.set([level >> 8, level & 255], to)
      else rows[to] = level
    }
  }
  const head = new Uint8Array(13)
  const view = new DataView(head.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  head.set([8 * bytes, channels === 3 ? 2 : 0], 8)
  const start = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [start, chunk('IHDR', head), chunk('IDAT', zlibSync(rows)), chunk('IEND', new Uint8Array())]
  return new Blob(parts, { type: 'image/png' })
}

function chunk(name: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(body.length + 12)
  const view = new DataView(out.buffer)
  view.setUint32(0, body.length)
  out.set(new TextEncoder().encode(name), 4)
  out.set(body, 8)
  view.setUint32(body.length + 8, crc(out.subarray(4, body.length + 8)))
  return out
}

const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1
  return rest
})

/** PNG specification, annex D. */
function crc(bytes: Uint8Array): number {
  let rest = 0xffffffff
  for (const byte of bytes) rest = (remainders[(rest ^ byte) & 255] ?? 0) ^ (rest >>> 8)
  return (rest ^ 0xffffffff) >>> 0
}

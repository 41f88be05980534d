/** Planes of a volume, drawn from its values as the window of brightness says. */
import type { ImageFacts } from '@neuroloom/contract/viewing'
import type { Plane } from '../canvas/plane.ts'
import { drawSeen, ground, pixelsOf } from './ground.ts'
import type { Volume, VolumeValues } from './nifti.ts'
import type { Source } from './source.ts'

type Drawn = { context: CanvasRenderingContext2D; image: ImageData; key: string }

export function volumeSource(volume: Volume, facts: ImageFacts | null): Source {
  let [low, high] = firstWindow(facts)
  const isInverted = facts?.photometric === 'MONOCHROME1'
  const shown = new Map<number, Drawn>()
  const greys = greysOf(volume, isInverted)
  let tell = () => {}
  const drawnOf = (plane: Plane): HTMLCanvasElement => {
    const key = `${plane.slice} ${low} ${high}`
    const drawn = shown.get(plane.axis) ?? blank(plane)
    shown.set(plane.axis, drawn)
    if (drawn.key !== key) {
      drawPlane(volume, plane, { greys: greys(low, high), isFlipped: true, image: drawn.image })
      drawn.context.putImageData(drawn.image, 0, 0)
      drawn.key = key
    }
    return drawn.context.canvas
  }
  const window = {
    get: () => [low, high] as const,
    set: (nextLow: number, nextHigh: number) => {
      low = nextLow
      high = Math.max(nextHigh, nextLow + Number.EPSILON)
      tell()
    },
  }
  return {
    size: volume.size,
    onNews: (listener) => {
      tell = listener
    },
    ...(volume.channels === 1 ? { window } : {}),
    draw(context, seen) {
      ground(context, seen.area)
      drawSeen(context, drawnOf(seen.plane), seen)
    },
    async pixels(plane, rect) {
      const image = new ImageData(plane.width, plane.height)
      drawPlane(volume, plane, { greys: greys(low, high), isFlipped: false, image })
      const canvas = new OffscreenCanvas(plane.width, plane.height)
      canvas.getContext('2d')?.putImageData(image, 0, 0)
      return pixelsOf(canvas, rect)
    },
    close: () => shown.clear(),
  }
}

/** The file's own, else the one that leaves out single outliers. */
export function firstWindow(facts: ImageFacts | null): [number, number] {
  const own = facts?.windows[0]
  if (own) return [own.center - own.width / 2, own.center + own.width / 2]
  const { min, max } = facts?.usual ?? facts?.range ?? { min: 0, max: 255 }
  return [min, max]
}

/** Canvas and picture of an axis, used again for each of its slices. */
function blank({ width, height }: Plane): Drawn {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) throw new Error('no drawing here')
  return { context, image: new ImageData(width, height), key: '' }
}

/** Greys of the values of a volume, as they lie in memory; of whole numbers by a table. */
type Greys = { table: Uint32Array; first: number } | ((value: number) => number)

function greysOf(
  { values, slope, intercept }: Volume,
  isInverted: boolean,
): (low: number, high: number) => Greys {
  const first = values instanceof Int16Array ? -32_768 : values instanceof Int8Array ? -128 : 0
  const count = values.BYTES_PER_ELEMENT <= 2 ? 2 ** (8 * values.BYTES_PER_ELEMENT) : 0
  let last: { key: string; greys: Greys } | null = null
  return (low, high) => {
    const key = `${low} ${high}`
    if (last?.key === key) return last.greys
    const [scale, shift] = [(255 / (high - low)) * slope, ((intercept - low) * 255) / (high - low)]
    const greyOf = (value: number): number => {
      const within = Math.min(Math.max(Math.floor(value * scale + shift + 0.5), 0), 255)
      const grey = isInverted ? 255 - within : within
      return (OPAQUE | (grey << 16) | (grey << 8) | grey) >>> 0
    }
    const table = () => Uint32Array.from({ length: count }, (_, at) => greyOf(first + at))
    last = { key, greys: count > 0 ? { table: table(), first } : greyOf }
    return last.greys
  }
}

type Into = { greys: Greys; isFlipped: boolean; image: ImageData }

function drawPlane(
  { size, values, channels }: Volume,
  plane: Plane,
  { greys, isFlipped, image }: Into,
): void {
  const { width, height, axis, slice } = plane
  const [columns, rows] = size
  const steps = [1, columns, columns * rows]
  const [along, down] = axis === 2 ? [0, 1] : axis === 1 ? [0, 2] : [1, 2]
  const [stepX = 1, stepY = 1, start = 0] = [steps[along], steps[down], slice * (steps[axis] ?? 0)]
  const out = new Uint32Array(image.data.buffer)
  for (let v = 0; v < height; v++) {
    const row = isFlipped && plane.isFlippedY ? height - 1 - v : v
    const isBack = isFlipped && plane.isFlippedX
    const from = start + row * stepY + (isBack ? (width - 1) * stepX : 0)
    const run = { from, step: isBack ? -stepX : stepX, to: v * width, count: width }
    if (channels === 3) drawColours(values, out, run)
    else if (typeof greys === 'function') drawGreys(values, out, { ...run, greyOf: greys })
    else drawByTable(values, out, { ...run, ...greys })
  }
}

type Run = { from: number; step: number; to: number; count: number }

// Typed arrays read within their bounds give numbers; `as` below because the checker cannot count.

function drawByTable(
  values: VolumeValues,
  out: Uint32Array,
  { from, step, to, count, table, first }: Run & { table: Uint32Array; first: number },
): void {
  for (let at = from, end = to + count; to < end; to++, at += step)
    out[to] = table[(values[at] as number) - first] as number
}

function drawGreys(
  values: VolumeValues,
  out: Uint32Array,
  { from, step, to, count, greyOf }: Run & { greyOf: (value: number) => number },
): void {
  for (let at = from, end = to + count; to < end; to++, at += step) out[to] = greyOf(values[at] as number)
}

function drawColours(values: VolumeValues, out: Uint32Array, { from, step, to, count }: Run): void {
  for (let at = 3 * from, end = to + count; to < end; to++, at += 3 * step)
    out[to] =
      OPAQUE | ((values[at + 2] as number) << 16) | ((values[at + 1] as number) << 8) | (values[at] as number)
}

const OPAQUE = 0xff000000

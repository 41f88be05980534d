/** Puts a field of cells and what the network found in it onto a canvas. Knows no state. */
import { outlineOf } from './outline.ts'
import { SIZE } from './pictures.ts'

/** Canvas pixels for a pixel of the picture, so that outlines are finer than it. */
const SCALE = 4
export const CANVAS_SIZE = SIZE * SCALE

/** The look of a stained sample: black over teal to white. */
const stain = [
  [3, 14, 20],
  [10, 92, 112],
  [84, 198, 205],
  [236, 255, 250],
] as const
const OUTLINE = '#ffa273'
const FILL = [255, 140, 90] as const
const FILL_STRENGTH = 45

type Painting = {
  pixels: Uint8ClampedArray
  /** Null paints the picture alone. */
  probabilities: Float32Array | null
}

export function paint(canvas: HTMLCanvasElement, { pixels, probabilities }: Painting): void {
  const context = canvas.getContext('2d')
  if (!context) return
  context.imageSmoothingQuality = 'high'
  stretch(context, (index) => [...(colours[pixels[index] ?? 0] ?? stain[0]), 255])
  if (!probabilities) return
  stretch(context, (index) => [...FILL, FILL_STRENGTH * (probabilities[index] ?? 0)])
  context.beginPath()
  // The middle of a pixel lies half a pixel from its corner.
  const at = (place: number): number => (place + 0.5) * SCALE
  for (const [x1, y1, x2, y2] of outlineOf(probabilities, SIZE)) {
    context.moveTo(at(x1), at(y1))
    context.lineTo(at(x2), at(y2))
  }
  context.strokeStyle = OUTLINE
  context.lineWidth = 4
  context.lineCap = 'round'
  context.stroke()
}

type Colour = readonly [number, number, number]

/** A colour for every level of grey, dim ones lifted as on a microscope's screen. */
const colours: Colour[] = Array.from({ length: 256 }, (_, level) => {
  const place = (level / 255) ** 0.9 * (stain.length - 1)
  const step = Math.min(Math.floor(place), stain.length - 2)
  const [from, to] = [stain[step] ?? stain[0], stain[step + 1] ?? stain[0]]
  const mix = (channel: 0 | 1 | 2): number => from[channel] + (to[channel] - from[channel]) * (place - step)
  return [mix(0), mix(1), mix(2)]
})

/** Draws one colour with opacity a pixel of the picture, smoothed to the canvas. */
function stretch(
  context: CanvasRenderingContext2D,
  colourAt: (index: number) => [number, number, number, number],
): void {
  const small = document.createElement('canvas')
  small.width = SIZE
  small.height = SIZE
  const smallContext = small.getContext('2d')
  if (!smallContext) return
  const image = smallContext.createImageData(SIZE, SIZE)
  for (let index = 0; index < SIZE * SIZE; index++) image.data.set(colourAt(index), 4 * index)
  smallContext.putImageData(image, 0, 0)
  context.drawImage(small, 0, 0, CANVAS_SIZE, CANVAS_SIZE)
}

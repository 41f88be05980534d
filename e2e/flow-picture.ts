/** What the viewer of a flow study has drawn of a whole slice, and where. */
import type { Locator } from 'playwright-core'
import { layoutOf, type Placing, placingOf, wholeView } from '../web/src/features/flow/viewer/draw/frame.ts'

/** Columns and rows of the slice, with voxels of equal sides and one colour bar beside it. CSS pixels of the stage. */
export async function placingIn(
  stage: Locator,
  [width, height]: [number, number],
  bars = 1,
): Promise<Placing> {
  const box = await stage.boundingBox()
  if (!box) throw new Error('the picture is not to be seen')
  const shown = { width, height, spacing: [1, 1] as [number, number] }
  return placingOf(layoutOf(box, bars).image, shown, wholeView(shown))
}

export type Pixel = { column: number; row: number; colour: readonly [number, number, number] }

/** Coloured pixels within the picture, as samples of the slice. Magnitude, letters and streamlines are grey. */
export async function inkIn(stage: Locator, placing: Placing): Promise<Pixel[]> {
  const { image } = placing
  const found = await stage
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement, { x, y, width, height }) => {
      const ratio = canvas.width / canvas.clientWidth
      const sides = [x, y, width, height].map((side) => Math.round(side * ratio))
      const [left = 0, top = 0, wide = 0, high = 0] = sides
      const data =
        canvas.getContext('2d')?.getImageData(left, top, wide, high).data ?? new Uint8ClampedArray()
      const pixels: number[][] = []
      for (let at = 0; at < data.length; at += 4) {
        const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
        if (Math.max(red, green, blue) - Math.min(red, green, blue) < 45) continue
        const pixel = at / 4
        const [across, down] = [(pixel % wide) + 0.5, Math.floor(pixel / wide) + 0.5]
        pixels.push([x + across / ratio, y + down / ratio, red, green, blue])
      }
      return pixels
    }, image)
  return found.map(([x = 0, y = 0, red = 0, green = 0, blue = 0]) => ({
    ...{ column: placing.column(x), row: placing.row(y), colour: [red, green, blue] },
  }))
}

type Arrow = { tail: readonly [number, number]; way: readonly [number, number] }

/** Yellow arrows that touch no other, by their shape alone: most of an arrow lies at its head. Samples. */
export function arrowsOf(ink: readonly Pixel[], placing: Placing): Arrow[] {
  return piecesOf(ink.filter(isYellow), 1.6 / placing.across).flatMap((piece) => {
    const middle = meanOf(piece)
    const apart = piece.map(({ column, row }) => [column - middle[0], row - middle[1]] as const)
    const sum = (value: (x: number, y: number) => number) =>
      apart.reduce((all, [x, y]) => all + value(x, y), 0)
    const [xx, xy, yy] = [sum((x) => x * x), sum((x, y) => x * y), sum((_, y) => y * y)]
    const angle = Math.atan2(2 * xy, xx - yy) / 2
    const along = [Math.cos(angle), Math.sin(angle)] as const
    const places = apart.map(([x, y]) => x * along[0] + y * along[1])
    const [low, high] = [Math.min(...places), Math.max(...places)]
    // Too short to have a shape.
    if ((high - low) * placing.across < 16) return []
    const sign = -(low + high) > 0 ? 1 : -1
    const back = sign > 0 ? low : high
    return [
      {
        tail: [middle[0] + back * along[0], middle[1] + back * along[1]] as const,
        way: [sign * along[0], sign * along[1]] as const,
      },
    ]
  })
}

/** The arrows' colour, without what their rims mix into it. */
const isYellow = ({ colour: [red, green, blue] }: Pixel): boolean => red > 170 && green > 130 && blue < 90

function meanOf(pixels: readonly Pixel[]): readonly [number, number] {
  const sum = (value: (pixel: Pixel) => number) => pixels.reduce((all, one) => all + value(one), 0)
  return [sum(({ column }) => column) / pixels.length, sum(({ row }) => row) / pixels.length]
}

/** Pixels nearer to each other than `near` hang together. */
function piecesOf(pixels: readonly Pixel[], near: number): Pixel[][] {
  const left = new Set(pixels)
  const pieces: Pixel[][] = []
  for (const first of pixels) {
    if (!left.delete(first)) continue
    const piece = [first]
    for (const one of piece) {
      for (const other of left) {
        if (Math.hypot(other.column - one.column, other.row - one.row) > near) continue
        left.delete(other)
        piece.push(other)
      }
    }
    pieces.push(piece)
  }
  return pieces
}

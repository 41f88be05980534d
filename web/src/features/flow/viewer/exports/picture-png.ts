/** The picture as a file, or as a frame of a film: the same drawing at another size. */
import { drawnWidth, figureWidth } from '@neuroloom/contract/flow/options'
import { drawFigure, type Figure } from '../draw/figure.ts'

/** All but its size. */
export type Shown = Omit<Figure, 'width' | 'height'>

/** Four by three, as a figure of 8 inches. */
const SHAPE = 0.75

/** In pixels. */
export function figureSize(imageClarity: number): { width: number; height: number } {
  const width = figureWidth(imageClarity)
  return { width, height: Math.round(width * SHAPE) }
}

/** Without the cursor, which belongs to the page. Widths and letters are those of a figure 8 inches wide. */
export function paintFigure(canvas: HTMLCanvasElement | OffscreenCanvas, figure: Shown): void {
  const ctx = canvas.getContext('2d') as CanvasRenderingContext2D | null // Both kinds draw alike.
  if (!ctx) throw new Error('no canvas')
  const ratio = canvas.width / drawnWidthOfFigure
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  const marks = { ...figure.marks, cursor: null, begun: null }
  drawFigure(ctx, { ...figure, marks, width: canvas.width / ratio, height: canvas.height / ratio })
}

/** CSS pixels of 96 to the inch. */
export const drawnWidthOfFigure = figureWidth(1) / drawnWidth(1, 1)

/** Draws a picture that fills the canvas, whatever its size. */
export type Paint = (canvas: HTMLCanvasElement) => void

export const picturePng = (figure: Shown, imageClarity: number): Promise<Blob> =>
  paintedPng((canvas) => paintFigure(canvas, figure), imageClarity)

export async function paintedPng(paint: Paint, imageClarity: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, figureSize(imageClarity))
  paint(canvas)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  )
}

/** What is drawn on a canvas or in a picture, read from the page itself. */
import type { Locator, Page } from 'playwright-core'

/**
 * What WebGL has drawn can be read at any time, not only until the browser shows it: a picture of the window would wait
 * for frames that a busy machine draws late.
 */
export const keepDrawings = (opened: Page) => opened.addInitScript(preserveDrawings)

/** In the page, before anything of its own. */
export function preserveDrawings(): void {
  const original = HTMLCanvasElement.prototype.getContext
  HTMLCanvasElement.prototype.getContext = function (
    this: HTMLCanvasElement,
    ...[kind, options]: [string, object?]
  ) {
    return Reflect.apply(original, this, [
      kind,
      kind === 'webgl2' ? { ...options, preserveDrawingBuffer: true } : options,
    ])
  } as typeof original
}

/** Brightness from 0 to 255, how much it differs, and a sum that says whether anything changed. */
export type Look = { mean: number; spread: number; sum: number }

export const lookAt = (shown: Locator): Promise<Look> =>
  shown.evaluate((drawn: HTMLCanvasElement | HTMLImageElement) => {
    const [width, height] =
      drawn instanceof HTMLImageElement
        ? [drawn.naturalWidth, drawn.naturalHeight]
        : [drawn.width, drawn.height]
    if (width === 0 || height === 0) return { mean: 0, spread: 0, sum: 0 }
    // Its middle, square: black margins say nothing.
    const side = Math.min(width, height) * 0.8
    const canvas = new OffscreenCanvas(160, 160)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    context.drawImage(drawn, (width - side) / 2, (height - side) / 2, side, side, 0, 0, 160, 160)
    const { data } = context.getImageData(0, 0, 160, 160)
    let [total, squares, sum] = [0, 0, 0]
    for (let at = 0; at < data.length; at += 4) {
      const value = ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3
      total += value
      squares += value * value
      sum += value * (1 + (at % 7) / 1000)
    }
    const mean = total / (data.length / 4)
    return { mean, spread: Math.sqrt(Math.max(squares / (data.length / 4) - mean ** 2, 0)), sum }
  })

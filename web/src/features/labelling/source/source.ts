/** What the editor asks of an image: to be drawn, and its colours for the assists. */
import type { ImageSource } from '../canvas/pane.ts'
import type { Size } from '../canvas/plane.ts'
import type { ReadPixels } from './ground.ts'

export type Source = ImageSource & {
  size: Size
  pixels: ReadPixels
  /** More of the image has come: what is seen is to be drawn anew. */
  onNews?: (listener: () => void) => void
  /** Of videos: frames a second, and whether one of them can be drawn at once. */
  rate?: number
  isReady?: (frame: number) => boolean
  /** Of volumes: how brightness is shown. */
  window?: WindowSetting
}

export type WindowSetting = {
  /** The value that is black, and the one that is white. */
  get: () => readonly [low: number, high: number]
  set: (low: number, high: number) => void
}

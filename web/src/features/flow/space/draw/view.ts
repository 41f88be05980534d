/** One look at the volume, drawn the same on the screen and into a file. */
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { Bar } from '../../viewer/draw/bars.ts'
import { type Layout, layoutOf } from '../../viewer/draw/frame.ts'
import { drawnWidthOfFigure } from '../../viewer/exports/picture-png.ts'
import { type PackedLines, particlesAt } from '../numbers/pack.ts'
import { lettersOf } from './box.ts'
import { type Camera, cameraOf, type Look } from './camera.ts'
import { drawAround, drawFlat } from './overlay.ts'
import type { Drawn, Scene } from './scene.ts'

export type View = {
  head: FlowStudy
  look: Look
  box: PackedLines
  lines: PackedLines | null
  lineWidth: number
  /** m/s that colours end at. */
  reference: number
  /** Frames since the first particle was let go; null of streamlines. */
  moment: { now: number; tail: number } | null
  bar: Bar
  foot: readonly string[]
}

/** All but from where it is looked at. */
export type Shown = Omit<View, 'look' | 'box'>

type Size = { width: number; height: number }

/** A tube needs some pixels to look round. */
const TUBE = 3

export const placed = ({ head, look }: View, size: Size): { layout: Layout; camera: Camera } => {
  const layout = layoutOf(size, 1)
  return { layout, camera: cameraOf(head, look, layout.image) }
}

export function drawnOf(view: View, camera: Camera, ratio: number): Drawn {
  const { lines, moment, reference, lineWidth } = view
  const particles = lines && moment ? particlesAt(lines, moment.now) : null
  return { camera, ratio, thick: TUBE * lineWidth, reference, moment, particles }
}

/** All but what the scene draws: letters, bar and foot, and the lines too where there is no scene. */
export function drawOver(ctx: CanvasRenderingContext2D, view: View, size: Size, hasScene: boolean): void {
  const { layout, camera } = placed(view, size)
  if (!hasScene) drawFlat(ctx, { ...view, ...drawnOf(view, camera, 1), box: view.box, lines: view.lines })
  drawAround(ctx, { layout, letters: lettersOf(view.head, camera), bar: view.bar, foot: view.foot })
}

/** Pixels along a side that any graphics card draws at once. */
const TILE = 2048

/** As a figure 8 inches wide. The scene is left with another size than before. */
export function paintView(canvas: HTMLCanvasElement, view: View, scene: Scene | null): void {
  const ctx = canvas.getContext('2d')
  if (!ctx) throw new Error('no canvas')
  const ratio = canvas.width / drawnWidthOfFigure
  const size = { width: canvas.width / ratio, height: canvas.height / ratio }
  const { camera } = placed(view, size)
  ctx.setTransform(1, 0, 0, 1, 0, 0)
  if (scene) drawTiles(ctx, scene, drawnOf(view, camera, ratio))
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  drawOver(ctx, view, size, scene !== null)
}

function drawTiles(ctx: CanvasRenderingContext2D, scene: Scene, drawn: Drawn): void {
  const { fineness, canvas } = scene
  const ratio = drawn.ratio * fineness
  const { image } = drawn.camera
  const [width, height] = [Math.round(image.width * ratio), Math.round(image.height * ratio)]
  ctx.imageSmoothingQuality = 'high'
  for (let y = 0; y < height; y += TILE) {
    for (let x = 0; x < width; x += TILE) {
      const tile = { x, y, width: Math.min(TILE, width - x), height: Math.min(TILE, height - y) }
      scene.draw({ ...drawn, ratio, tile })
      const [left, top, wide, tall] = [x, y, tile.width, tile.height].map((side) => side / fineness)
      ctx.drawImage(canvas, left ?? 0, top ?? 0, wide ?? 0, tall ?? 0)
    }
  }
}

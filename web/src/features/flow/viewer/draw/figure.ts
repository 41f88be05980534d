/** One picture with its colour bars, drawn the same on the screen and into a file. CSS pixels: whoever wants more of them scales. */
import { type ColourMapName, shareOf } from '@neuroloom/contract/flow/colours'
import type { FlowSettings } from '@neuroloom/contract/flow/options'
import type { Samples } from '@neuroloom/contract/flow/slice'
import type { MapName, Picture } from '../numbers/asks.ts'
import { type Bar, drawBars } from './bars.ts'
import { type Box, layoutOf, type Placing, placingOf, type View } from './frame.ts'
import { BAND_LINE, GROUND, INK, RIM } from './ink.ts'
import { drawMarks, type Marks } from './marks.ts'
import { arrowShape, cssColour, greyPixels, mapPixels } from './shapes.ts'

export type Colours = 'none' | 'speed' | 'through' | 'vortex' | MapName
export type Look = {
  hasMagnitude: boolean
  hasArrows: boolean
  colours: Colours | 'difference'
  /** Lowest and highest magnitude that differ from black and white. */
  window: readonly [number, number]
  settings: FlowSettings
}
export type Figure = {
  width: number
  height: number
  picture: Picture
  look: Look
  view: View
  bars: readonly Bar[]
  /** Below the picture; where it is narrow the first ones are left out. */
  foot: readonly string[]
  marks: Marks
}

const SPEED_BINS = 24

export type Ctx = CanvasRenderingContext2D

/** Where the samples came to lie. */
export function drawFigure(ctx: Ctx, figure: Figure): Placing {
  const { width, height, picture, look, view, bars } = figure
  const layout = layoutOf(figure, bars.length)
  const placing = placingOf(layout.image, picture, view)
  ctx.fillStyle = GROUND
  ctx.fillRect(0, 0, width, height)
  ctx.save()
  ctx.beginPath()
  ctx.rect(layout.image.x, layout.image.y, layout.image.width, layout.image.height)
  ctx.clip()
  drawGround(ctx, placing, picture, look)
  if (look.colours === 'vortex') drawVortex(ctx, placing, picture, look)
  if (picture.lines) drawLines(ctx, placing, picture.lines, look.settings.lineWidth)
  if (look.hasArrows && picture.arrows) drawArrows(ctx, placing, picture, look.settings)
  drawMarks(ctx, placing, figure.marks)
  ctx.restore()
  drawBars(ctx, layout, bars)
  drawFoot(ctx, layout.foot, figure.foot)
  return placing
}

/** Where it is narrow the first parts are left out. */
export function drawFoot(ctx: Ctx, { x, y, width, height }: Box, parts: readonly string[]): void {
  ctx.fillStyle = INK
  ctx.font = '12px sans-serif'
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  const most = width - 20
  const texts = parts.map((_, at) => parts.slice(at).join(' · '))
  const text = texts.find((one) => ctx.measureText(one).width <= most) ?? texts.at(-1) ?? ''
  ctx.fillText(text, x + 10, y + height / 2, most)
}

function drawGround(
  ctx: Ctx,
  placing: Placing,
  picture: Picture,
  { hasMagnitude, window, colours }: Look,
): void {
  if (hasMagnitude && picture.magnitude) {
    drawPixels(ctx, placing, { picture, pixels: greyPixels(picture.magnitude, window), isSmooth: true })
  }
  const map = (values: Samples, name: ColourMapName, top = picture.reference) =>
    drawPixels(ctx, placing, { picture, pixels: mapPixels(values, name, top), isSmooth: false })
  if (colours === 'speed') map(picture.speed, 'speed')
  if (colours === 'through') map(picture.through, 'vorticity')
  if (picture.map?.name === colours) map(picture.map.values, mapColours[colours], picture.map.top)
}

/** Energy is never below 0; the others have two signs. */
export const mapColours: Record<MapName | 'difference', ColourMapName> = {
  energy: 'speed',
  difference: 'vorticity',
  q: 'vorticity',
  lambda2: 'vorticity',
}

type Pixels = { picture: Picture; pixels: Uint8ClampedArray<ArrayBuffer>; isSmooth: boolean }

function drawPixels(ctx: Ctx, placing: Placing, { picture, pixels, isSmooth }: Pixels): void {
  const { width, height } = picture
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0)
  ctx.imageSmoothingEnabled = isSmooth
  ctx.imageSmoothingQuality = 'high'
  ctx.drawImage(canvas, placing.x(-0.5), placing.y(-0.5), width * placing.across, height * placing.down)
}

function drawVortex(ctx: Ctx, placing: Placing, picture: Picture, { settings }: Look): void {
  const { vortex } = picture
  if (!vortex) return
  if (!vortex.bands) {
    const pixels = mapPixels(vortex.omega, 'vorticity', vortex.top)
    drawPixels(ctx, placing, { picture, pixels, isSmooth: false })
    return
  }
  for (const { middle, rings } of vortex.bands.areas) {
    ctx.beginPath()
    for (const ring of rings) trace(ctx, placing, ring)
    ctx.fillStyle = cssColour('vorticity', shareOf('vorticity', middle, vortex.top))
    ctx.fill('evenodd')
  }
  ctx.strokeStyle = BAND_LINE
  ctx.lineWidth = Math.min(1, settings.lineWidth)
  for (const { level, points } of vortex.bands.lines) {
    // Against the clock is dashed, so that signs are told apart without colour.
    ctx.setLineDash(level < 0 ? [4, 3] : [])
    ctx.beginPath()
    for (const line of points) trace(ctx, placing, line)
    ctx.stroke()
  }
  ctx.setLineDash([])
}

/** x and y after each other, in samples. */
function trace(ctx: Ctx, placing: Placing, points: Float64Array | Float32Array): void {
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [placing.x(points[at] ?? 0), placing.y(points[at + 1] ?? 0)]
    if (at === 0) ctx.moveTo(x, y)
    else ctx.lineTo(x, y)
  }
}

/** With a dark rim, so that they stand out from light and from dark. */
function drawLines(ctx: Ctx, placing: Placing, lines: readonly Float32Array[], width: number): void {
  ctx.lineJoin = 'round'
  ctx.lineCap = 'round'
  ctx.beginPath()
  for (const line of lines) trace(ctx, placing, line)
  ctx.strokeStyle = RIM
  ctx.lineWidth = width + 1
  ctx.stroke()
  ctx.strokeStyle = INK
  ctx.lineWidth = width
  ctx.stroke()
}

function drawArrows(ctx: Ctx, placing: Placing, picture: Picture, settings: FlowSettings): void {
  const { arrows, reference } = picture
  if (!arrows) return
  const bySpeed = settings.arrowColor === 'speed'
  const bins: Path2D[] = Array.from({ length: bySpeed ? SPEED_BINS : 1 }, () => new Path2D())
  for (let at = 0; at < arrows.x.length; at++) {
    const corners = arrowShape({
      x: placing.x(arrows.x[at] ?? 0),
      y: placing.y(arrows.y[at] ?? 0),
      dx: (arrows.dx[at] ?? 0) * placing.across,
      dy: (arrows.dy[at] ?? 0) * placing.down,
      width: settings.arrowWidth,
    })
    const share = Math.min(1, (arrows.speed[at] ?? 0) / reference)
    polygon(bins[bySpeed ? Math.round(share * (SPEED_BINS - 1)) : 0], corners)
  }
  ctx.lineJoin = 'round'
  ctx.lineWidth = 1
  ctx.strokeStyle = RIM
  for (const [bin, path] of bins.entries()) {
    ctx.stroke(path)
    ctx.fillStyle = bySpeed ? cssColour('speed', bin / (SPEED_BINS - 1)) : settings.arrowColor
    ctx.fill(path)
  }
}

function polygon(path: Path2D | undefined, corners: readonly number[]): void {
  if (!path || corners.length === 0) return
  path.moveTo(corners[0] ?? 0, corners[1] ?? 0)
  for (let at = 2; at < corners.length; at += 2) path.lineTo(corners[at] ?? 0, corners[at + 1] ?? 0)
  path.closePath()
}

/** What stands around and over the volume: letters, the colour bar, the line below; and the lines themselves where WebGL is missing. CSS pixels. */
import { type Bar, drawBars } from '../../viewer/draw/bars.ts'
import { drawFoot } from '../../viewer/draw/figure.ts'
import type { Layout } from '../../viewer/draw/frame.ts'
import { DARK, GROUND, INK, SOFT_INK } from '../../viewer/draw/ink.ts'
import { cssColour } from '../../viewer/draw/shapes.ts'
import { countOf, lineAt, type PackedLines, STRIDE } from '../numbers/pack.ts'
import type { Letter } from './box.ts'
import { type Camera, seen } from './camera.ts'

type Ctx = CanvasRenderingContext2D

export type Around = {
  layout: Layout
  letters: readonly Letter[]
  bar: Bar
  foot: readonly string[]
}

/** The picture itself stays as it is. */
export function drawAround(ctx: Ctx, { layout, letters, bar, foot }: Around): void {
  const { image, bars } = layout
  ctx.fillStyle = GROUND
  ctx.fillRect(bars.x, bars.y, bars.width, bars.height)
  ctx.fillRect(layout.foot.x, layout.foot.y, layout.foot.width, layout.foot.height)
  ctx.save()
  ctx.beginPath()
  ctx.rect(image.x, image.y, image.width, image.height)
  ctx.clip()
  ctx.font = '600 13px sans-serif'
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.lineJoin = 'round'
  ctx.lineWidth = 3
  ctx.strokeStyle = DARK
  ctx.fillStyle = INK
  for (const { text, x, y } of letters) {
    ctx.strokeText(text, x, y)
    ctx.fillText(text, x, y)
  }
  ctx.restore()
  drawBars(ctx, layout, [bar])
  drawFoot(ctx, layout.foot, foot)
}

export type Flat = {
  camera: Camera
  box: PackedLines
  lines: PackedLines | null
  lineWidth: number
  reference: number
  moment: { now: number; tail: number } | null
  particles: Float32Array | null
}

/** Points of a stroke: one colour each. */
const PIECE = 4

/** The farthest stroke first, so that the nearest one covers the others. */
export function drawFlat(ctx: Ctx, flat: Flat): void {
  const { image } = flat.camera
  ctx.save()
  ctx.beginPath()
  ctx.rect(image.x, image.y, image.width, image.height)
  ctx.clip()
  ctx.fillStyle = GROUND
  ctx.fillRect(image.x, image.y, image.width, image.height)
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  for (const stroke of [...strokesOf(flat.box, flat), ...strokesOf(flat.lines, flat)].toSorted(
    (one, other) => other.depth - one.depth,
  )) {
    draw(ctx, stroke, flat)
  }
  drawParticles(ctx, flat)
  ctx.restore()
}

type Stroke = { lines: PackedLines; from: number; to: number; depth: number }

/** Each stroke ends where the next begins. */
function strokesOf(lines: PackedLines | null, { camera, moment, box }: Flat): Stroke[] {
  if (lines === null) return []
  const { points, times } = lines
  const now = lines === box ? Number.POSITIVE_INFINITY : (moment?.now ?? Number.POSITIVE_INFINITY)
  const strokes: Stroke[] = []
  for (let index = 0; index < countOf(lines); index++) {
    const { from, to } = lineAt(lines, index)
    for (let at = from; at + 1 < to && (times[at] ?? 0) < now; at += PIECE) {
      const last = Math.min(to - 1, at + PIECE)
      const [, , depth] = seen(camera, placeAt(points, (at + last) >> 1))
      strokes.push({ lines, from: at, to: last, depth })
    }
  }
  return strokes
}

const placeAt = (points: Float32Array, at: number) =>
  [points[STRIDE * at] ?? 0, points[STRIDE * at + 1] ?? 0, points[STRIDE * at + 2] ?? 0] as const

function draw(
  ctx: Ctx,
  { lines, from, to }: Stroke,
  { camera, box, lineWidth, reference, moment }: Flat,
): void {
  const { points, times } = lines
  const middle = (from + to) >> 1
  const isOld = moment !== null && (times[middle] ?? 0) < moment.now - moment.tail
  const share = (points[STRIDE * middle + 3] ?? 0) / (reference || 1)
  ctx.strokeStyle = lines === box ? SOFT_INK : cssColour('speed', share)
  ctx.globalAlpha = isOld || lines === box ? 0.5 : 1
  ctx.lineWidth = lines === box ? 1 : lineWidth
  ctx.beginPath()
  for (let at = from; at <= to; at++) {
    const [x, y] = seen(camera, placeAt(points, at))
    if (at === from) ctx.moveTo(x, y)
    else ctx.lineTo(x, y)
  }
  ctx.stroke()
  ctx.globalAlpha = 1
}

/** Pixels. */
const BALL = 3.5

function drawParticles(ctx: Ctx, { camera, particles, reference }: Flat): void {
  for (let at = 0; particles && at < particles.length; at += 4) {
    const [x, y] = seen(camera, [particles[at] ?? 0, particles[at + 1] ?? 0, particles[at + 2] ?? 0])
    ctx.fillStyle = cssColour('speed', (particles[at + 3] ?? 0) / (reference || 1))
    ctx.beginPath()
    ctx.arc(x, y, BALL, 0, 2 * Math.PI)
    ctx.fill()
  }
}

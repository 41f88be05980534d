/** Colour bars with their units, beside the picture or below it. */
import type { ColourMapName } from '@neuroloom/contract/flow/colours'
import type { Box, Layout } from './frame.ts'
import { INK, SOFT_INK } from './ink.ts'
import { cssColour, ticksOf } from './shapes.ts'

export type Bar = {
  map: ColourMapName
  title: string
  unit: string
  /** Both in the unit. */
  from: number
  to: number
  format: (value: number) => string
  /** What the two signs mean. */
  ends?: { low: string; high: string }
}

const STEPS = 128

type Ctx = CanvasRenderingContext2D

export function drawBars(ctx: Ctx, { bars: box, areBarsBelow }: Layout, bars: readonly Bar[]): void {
  for (const [at, bar] of bars.entries()) {
    if (areBarsBelow) {
      const height = box.height / bars.length
      drawFlat(ctx, { ...box, y: box.y + at * height, height }, bar)
    } else {
      const width = box.width / bars.length
      drawTall(ctx, { ...box, x: box.x + at * width, width }, bar)
    }
  }
}

/** Title and unit above, the ends' meanings at the ends. */
function drawTall(ctx: Ctx, { x, y, width, height }: Box, bar: Bar): void {
  const thick = 14
  const left = x + 8
  const top = y + (bar.ends ? 62 : 46)
  const tall = height - (top - y) - (bar.ends ? 30 : 14)
  words(ctx, bar.title, { x: left, y: y + 16, colour: INK, most: width - 10 })
  words(ctx, bar.unit, { x: left, y: y + 32, colour: SOFT_INK, most: width - 10 })
  for (let step = 0; step < STEPS; step++) {
    ctx.fillStyle = cssColour(bar.map, 1 - (step + 0.5) / STEPS)
    ctx.fillRect(left, top + (tall * step) / STEPS, thick, tall / STEPS + 0.6)
  }
  for (const tick of ticksOf(bar.from, bar.to, Math.max(2, Math.min(8, tall / 36)))) {
    const place = top + tall * (1 - (tick - bar.from) / (bar.to - bar.from))
    ctx.fillStyle = INK
    ctx.fillRect(left + thick, place - 0.5, 4, 1)
    words(ctx, bar.format(tick), { x: left + thick + 7, y: place, colour: INK, most: width - thick - 16 })
  }
  if (!bar.ends) return
  words(ctx, bar.ends.high, { x: left, y: top - 10, colour: SOFT_INK, most: width - 10 })
  words(ctx, bar.ends.low, { x: left, y: top + tall + 12, colour: SOFT_INK, most: width - 10 })
}

function drawFlat(ctx: Ctx, { x, y, width }: Box, bar: Bar): void {
  const left = x + 14
  const wide = width - 28
  const top = y + 20
  words(ctx, `${bar.title}, ${bar.unit}`, { x: left, y: y + 10, colour: INK, most: wide * 0.55 })
  for (let step = 0; step < STEPS; step++) {
    ctx.fillStyle = cssColour(bar.map, (step + 0.5) / STEPS)
    ctx.fillRect(left + (wide * step) / STEPS, top, wide / STEPS + 0.6, 10)
  }
  for (const tick of ticksOf(bar.from, bar.to, 5)) {
    const place = left + (wide * (tick - bar.from)) / (bar.to - bar.from)
    ctx.fillStyle = INK
    ctx.fillRect(place - 0.5, top + 10, 1, 4)
    words(ctx, bar.format(tick), {
      x: place,
      y: top + 22,
      colour: INK,
      most: 60,
      align: alignAt(place, left, wide),
    })
  }
  if (!bar.ends) return
  const ends = `− ${bar.ends.low} · + ${bar.ends.high}`
  words(ctx, ends, { x: left + wide, y: y + 10, colour: SOFT_INK, most: wide * 0.45, align: 'right' })
}

/** The outermost numbers stay in the picture. */
function alignAt(place: number, left: number, wide: number): CanvasTextAlign {
  if (place < left + 12) return 'left'
  return place > left + wide - 12 ? 'right' : 'center'
}

type Words = { x: number; y: number; colour: string; most: number; align?: CanvasTextAlign }

function words(ctx: Ctx, text: string, { x, y, colour, most, align = 'left' }: Words): void {
  ctx.font = '12px sans-serif'
  ctx.textAlign = align
  ctx.textBaseline = 'middle'
  ctx.fillStyle = colour
  ctx.fillText(text, x, y, most)
}

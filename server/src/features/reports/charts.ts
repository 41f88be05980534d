/** Line charts as SVG texts that stand alone: no script, no style sheet, nothing fetched. */

export type Line = { name: string; points: readonly (readonly [number, number])[] }
export type Chart = {
  x: string
  y: string
  lines: readonly Line[]
  /** Both axes from 0 to 1. */
  isUnit?: boolean
  /** What chance alone gives, or perfect agreement. */
  hasDiagonal?: boolean
}

export const chartSize = { width: 380, height: 216 } as const
const frame = { left: 56, right: 12, top: 12, bottom: 78 } as const
/** Letters that are still read where two charts stand beside each other on paper. */
const SIZE = 11
const LETTER_WIDTH = 6.2
const colours = [
  '#0b6e99',
  '#c2410c',
  '#4d7c0f',
  '#7c3aed',
  '#be185d',
  '#0f766e',
  '#a16207',
  '#475569',
] as const
const ink = '#1f2937'
const quiet = '#d1d5db'
/** More would hide each other. */
const MOST_LINES = 8
const TICKS = 4
const KEYS_IN_ROW = 4

export function drawChart({ x, y, lines, isUnit = false, hasDiagonal = false }: Chart): string {
  const shown = lines.slice(0, MOST_LINES)
  const xs = spanOf(
    shown.flatMap(({ points }) => points.map(([at]) => at)),
    isUnit,
  )
  const ys = spanOf(
    shown.flatMap(({ points }) => points.map(([, value]) => value)),
    isUnit,
  )
  const inner = {
    width: chartSize.width - frame.left - frame.right,
    height: chartSize.height - frame.top - frame.bottom,
  }
  const left = (value: number): number => frame.left + ((value - xs.min) / (xs.max - xs.min)) * inner.width
  const top = (value: number): number => frame.top + (1 - (value - ys.min) / (ys.max - ys.min)) * inner.height
  const bottom = frame.top + inner.height
  const grid = ticksOf(ys).map((value) => {
    const at = top(value)
    const text = label(frame.left - 6, at + 3, shortNumber(value), 'end')
    return `<path d="M${frame.left} ${at.toFixed(1)}H${chartSize.width - frame.right}" stroke="${quiet}" stroke-width="0.6"/>${text}`
  })
  const below = ticksOf(xs).map((value) => label(left(value), bottom + 15, shortNumber(value), 'middle'))
  const diagonal = hasDiagonal
    ? `<path d="M${left(0)} ${top(0)}L${left(1)} ${top(1)}" stroke="${quiet}" stroke-width="1" stroke-dasharray="4 3"/>`
    : ''
  const paths = shown.map(({ points }, index) => {
    const path = points.map(
      ([at, value], step) => `${step === 0 ? 'M' : 'L'}${left(at).toFixed(1)} ${top(value).toFixed(1)}`,
    )
    return `<path d="${path.join('')}" fill="none" stroke="${colourOf(index)}" stroke-width="1.6" stroke-linejoin="round"/>`
  })
  const axes = `<path d="M${frame.left} ${frame.top}V${bottom}H${chartSize.width - frame.right}" fill="none" stroke="${ink}" stroke-width="0.8"/>`
  const names = [
    label(frame.left + inner.width / 2, bottom + 32, x, 'middle'),
    `<text x="12" y="${frame.top + inner.height / 2}" font-size="${SIZE}" fill="${ink}" text-anchor="middle" transform="rotate(-90 12 ${frame.top + inner.height / 2})">${escaped(y)}</text>`,
  ]
  const box = `width="${chartSize.width}" height="${chartSize.height}" viewBox="0 0 ${chartSize.width} ${chartSize.height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box} font-family="sans-serif"><rect width="${chartSize.width}" height="${chartSize.height}" fill="#ffffff"/>${grid.join('')}${below.join('')}${diagonal}${paths.join('')}${axes}${names.join('')}${keyOf(shown)}</svg>`
}

/** Names of the lines in their colours, a few in a row. */
function keyOf(lines: readonly Line[]): string {
  const inRow = Math.min(KEYS_IN_ROW, Math.max(1, lines.length))
  const width = (chartSize.width - 24) / inRow
  const most = Math.floor((width - 16) / LETTER_WIDTH)
  return lines
    .map(({ name }, index) => {
      const at = 16 + (index % inRow) * width
      const y = chartSize.height - 24 + Math.floor(index / inRow) * 15
      const short = name.length > most ? `${name.slice(0, most - 1)}…` : name
      return `<path d="M${at.toFixed(1)} ${y - 3}h10" stroke="${colourOf(index)}" stroke-width="2"/>${label(at + 14, y, short, 'start')}`
    })
    .join('')
}

/** Round numbers within the span, about `TICKS` of them. */
function ticksOf({ min, max }: Span): number[] {
  const rough = (max - min) / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10)
  const first = Math.ceil(min / step - 1e-9)
  const count = Math.floor(max / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, index) => (first + index) * step)
}

const colourOf = (index: number): string => colours[index % colours.length] ?? ink

const label = (x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${SIZE}" fill="${ink}" text-anchor="${anchor}">${escaped(text)}</text>`

type Span = { min: number; max: number }

function spanOf(values: readonly number[], isUnit: boolean): Span {
  if (isUnit || values.length === 0) return { min: 0, max: 1 }
  const min = values.reduce((least, value) => Math.min(least, value))
  const max = values.reduce((most, value) => Math.max(most, value))
  return min === max ? { min: min - 0.5, max: max + 0.5 } : { min, max }
}

const shortNumber = (value: number): string => String(Number(value.toPrecision(3)))

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

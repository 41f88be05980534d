/** Line charts as SVG texts that stand alone: no script, no style sheet, nothing fetched. */
import { markupText } from '../../infra/html.ts'

/** Lines of one name have one colour and one key. */
export type Line = {
  name: string
  points: readonly (readonly [number, number])[]
  isDashed?: boolean
  /** The area below it has its colour, too. */
  isFilled?: boolean
}
export type Chart = {
  x: string
  y: string
  lines: readonly Line[]
  /** What dashed and other lines are, where there are both. */
  strokes?: { solid: string; dashed: string }
  /** Each line has a sign of its own at its points, for whoever tells no colours apart. */
  hasMarks?: boolean
  /** The axis of values reaches 0. */
  hasZero?: boolean
  /** Values are numbers of things: no mark stands between two of them. */
  isCount?: boolean
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
export const ink = '#1f2937'
export const quiet = '#d1d5db'
/** More would hide each other. */
const MOST_NAMES = 10
const TICKS = 4
const KEY_LEFT = 16
const KEY_ROWS = 2
/** How many of a name may be shown, where there is room. */
const LETTERS = Array.from({ length: 48 }, (_, index) => index + 4)
const DASHES = '4 2.5'

export function drawChart(chart: Chart): string {
  const {
    x,
    y,
    lines,
    strokes,
    isUnit = false,
    hasDiagonal = false,
    hasMarks = false,
    hasZero = false,
    isCount = false,
  } = chart
  const names = [...new Set(lines.map(({ name }) => name))].slice(0, MOST_NAMES)
  const shown = lines.filter(({ name }) => names.includes(name))
  const xs = spanOf(
    shown.flatMap(({ points }) => points.map(([at]) => at)),
    isUnit,
  )
  const ys = spanOf(
    [...shown.flatMap(({ points }) => points.map(([, value]) => value)), ...(hasZero ? [0] : [])],
    isUnit,
  )
  const inner = {
    width: chartSize.width - frame.left - frame.right,
    height: chartSize.height - frame.top - frame.bottom,
  }
  const left = (value: number): number => frame.left + ((value - xs.min) / (xs.max - xs.min)) * inner.width
  const top = (value: number): number => frame.top + (1 - (value - ys.min) / (ys.max - ys.min)) * inner.height
  const bottom = frame.top + inner.height
  const marked = ticksOf(ys).filter((value) => !isCount || Number.isInteger(value))
  const grid = marked.map((value) => {
    const at = top(value)
    const text = label(frame.left - 6, at + 3, shortNumber(value), 'end')
    return `<path d="M${frame.left} ${at.toFixed(1)}H${chartSize.width - frame.right}" stroke="${quiet}" stroke-width="0.6"/>${text}`
  })
  const below = ticksOf(xs).map((value) => label(left(value), bottom + 15, shortNumber(value), 'middle'))
  const diagonal = hasDiagonal
    ? `<path d="M${left(0)} ${top(0)}L${left(1)} ${top(1)}" stroke="${quiet}" stroke-width="1" stroke-dasharray="4 3"/>`
    : ''
  const paths = shown.map(({ name, points, isDashed = false, isFilled = false }) => {
    const places = points.map(([at, value]) => [left(at).toFixed(1), top(value).toFixed(1)] as const)
    const index = names.indexOf(name)
    const colour = colourOf(index)
    const [only, ...others] = places
    // A line of one point is none.
    if (only && others.length === 0)
      return `<circle cx="${only[0]}" cy="${only[1]}" r="2.2" fill="${colour}"/>`
    const path = places.map((place, step) => `${step === 0 ? 'M' : 'L'}${place.join(' ')}`)
    // Of many points every other one or fewer, so that signs do not run into each other.
    const every = Math.ceil(places.length / MOST_MARKS)
    const marks = hasMarks
      ? places.map(([left, top], step) =>
          (step + index) % every === 0 ? markOf(index, [Number(left), Number(top)]) : '',
        )
      : []
    const fill = isFilled ? `fill="${colour}" fill-opacity="0.3"` : 'fill="none"'
    return `<path d="${path.join('')}" ${fill} stroke="${colour}" stroke-width="1.6" stroke-linejoin="round"${dashes(isDashed)}/>${marks.join('')}`
  })
  const axes = `<path d="M${frame.left} ${frame.top}V${bottom}H${chartSize.width - frame.right}" fill="none" stroke="${ink}" stroke-width="0.8"/>`
  const titles = [
    label(frame.left + inner.width / 2, bottom + 32, x, 'middle'),
    `<text x="12" y="${frame.top + inner.height / 2}" font-size="${SIZE}" fill="${ink}" text-anchor="middle" transform="rotate(-90 12 ${frame.top + inner.height / 2})">${markupText(y)}</text>`,
  ]
  const box = `width="${chartSize.width}" height="${chartSize.height}" viewBox="0 0 ${chartSize.width} ${chartSize.height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box} font-family="sans-serif"><rect width="${chartSize.width}" height="${chartSize.height}" fill="#ffffff"/>${grid.join('')}${below.join('')}${diagonal}${paths.join('')}${axes}${titles.join('')}${keyOf(keysOf(names, { strokes, hasMarks }))}</svg>`
}

/** Signs along a line. */
const MOST_MARKS = 12
const MARK = 3.2

/** The sign of a line at a place: six shapes, hollow so that those of lines that run together show. */
function markOf(index: number, [x, y]: readonly [number, number]): string {
  const at = (across: number, down: number): string =>
    `${(x + across * MARK).toFixed(1)} ${(y + down * MARK).toFixed(1)}`
  const circle = `M${at(-1, 0)}a${MARK} ${MARK} 0 1 0 ${2 * MARK} 0a${MARK} ${MARK} 0 1 0 ${-2 * MARK} 0Z`
  const shapes = [
    circle,
    `M${at(-1, -1)}L${at(1, -1)}L${at(1, 1)}L${at(-1, 1)}Z`,
    `M${at(0, -1.2)}L${at(1.1, 0.8)}L${at(-1.1, 0.8)}Z`,
    `M${at(0, -1.3)}L${at(1.3, 0)}L${at(0, 1.3)}L${at(-1.3, 0)}Z`,
    `M${at(-1, -1)}L${at(1, 1)}M${at(1, -1)}L${at(-1, 1)}`,
    `M${at(-1.2, 0)}L${at(1.2, 0)}M${at(0, -1.2)}L${at(0, 1.2)}`,
  ]
  return `<path d="${shapes[index % shapes.length] ?? circle}" fill="none" stroke="${colourOf(index)}" stroke-width="1.2"/>`
}

type Key = { name: string; colour: string; isDashed: boolean; mark: number | null }

const keysOf = (
  names: readonly string[],
  { strokes, hasMarks }: { strokes: Chart['strokes'] | undefined; hasMarks: boolean },
): Key[] => [
  ...names.map((name, index) => ({
    name,
    colour: colourOf(index),
    isDashed: false,
    mark: hasMarks ? index : null,
  })),
  ...(strokes
    ? [
        { name: strokes.solid, colour: ink, isDashed: false, mark: null },
        { name: strokes.dashed, colour: ink, isDashed: true, mark: null },
      ]
    : []),
]

/** Names of the lines in their colours, one after another; cut where they would need more rows than there are. */
function keyOf(keys: readonly Key[]): string {
  const [least = 0, ...longer] = LETTERS
  const most = longer.findLast((letters) => rowsOf(keys, letters).length <= KEY_ROWS) ?? least
  return rowsOf(keys, most)
    .flatMap((row, below) => {
      let at = KEY_LEFT
      return row.map((key) => {
        const y = chartSize.height - 24 + below * 15
        const text = label(at + 16, y, cutTo(key.name, most), 'start')
        const line = `<path d="M${at.toFixed(1)} ${y - 3}h12" stroke="${key.colour}" stroke-width="2"${dashes(key.isDashed)}/>`
        const mark = key.mark === null ? '' : markOf(key.mark, [at + 6, y - 3])
        at += widthOf(key, most)
        return mark === '' ? line + text : line + mark + text
      })
    })
    .join('')
}

function rowsOf(keys: readonly Key[], most: number): Key[][] {
  const rows: Key[][] = [[]]
  let left = chartSize.width - KEY_LEFT
  for (const key of keys) {
    const width = widthOf(key, most)
    if (width > left && rows.at(-1)?.length !== 0) {
      rows.push([])
      left = chartSize.width - KEY_LEFT
    }
    rows.at(-1)?.push(key)
    left -= width
  }
  return rows
}

const widthOf = ({ name }: Key, most: number): number =>
  [...cutTo(name, most)].reduce((sum, sign) => sum + (isWide(sign) ? SIZE : LETTER_WIDTH), 26)

/** Signs as wide as they are high, such as Chinese ones. */
const isWide = (sign: string): boolean => /[\p{sc=Han}\u3000-\u303f\uff00-\uffef]/u.test(sign)

const cutTo = (name: string, most: number): string =>
  name.length > most ? `${name.slice(0, most - 1)}…` : name

const dashes = (isDashed: boolean): string => (isDashed ? ` stroke-dasharray="${DASHES}"` : '')

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

type Print = { size?: number; isBold?: boolean; colour?: string }

export const label = (
  x: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end',
  { size = SIZE, isBold = false, colour = ink }: Print = {},
): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" fill="${colour}" text-anchor="${anchor}"${isBold ? ' font-weight="bold"' : ''}>${markupText(text)}</text>`

type Span = { min: number; max: number }

function spanOf(values: readonly number[], isUnit: boolean): Span {
  if (isUnit || values.length === 0) return { min: 0, max: 1 }
  const min = values.reduce((least, value) => Math.min(least, value))
  const max = values.reduce((most, value) => Math.max(most, value))
  return min === max ? { min: min - 0.5, max: max + 0.5 } : { min, max }
}

const shortNumber = (value: number): string => String(Number(value.toPrecision(3)))

/** Small parts of SVG as text: escaped words, estimated widths, cards and lines. Knows nothing of networks. */
import type { Point } from '../layout/layout.ts'

export type Font = 'title' | 'strong' | 'plain' | 'small' | 'mono'

const fonts: Record<Font, { size: number; weight: number; family: string; ink: string }> = {
  title: { size: 22, weight: 700, family: 'system-ui, sans-serif', ink: '#10262f' },
  strong: { size: 14, weight: 600, family: 'system-ui, sans-serif', ink: '#10262f' },
  plain: { size: 13, weight: 400, family: 'system-ui, sans-serif', ink: '#465d68' },
  small: { size: 12, weight: 400, family: 'system-ui, sans-serif', ink: '#465d68' },
  mono: { size: 11, weight: 400, family: 'ui-monospace, monospace', ink: '#5d717d' },
}

/** Names and notes come from users: nothing of them may become markup, and XML takes no control characters. */
export function escapeText(text: string): string {
  return text.replace(forbidden, '').replace(/[&<>"']/g, (sign) => escapes.get(sign) ?? '')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: just these must go
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff\p{Surrogate}]/gu
const escapes = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Without a browser widths can only be estimated: by kinds of letters, on the safe side. */
export function widthOf(text: string, font: Font): number {
  const { size, weight, family } = fonts[font]
  let em = 0
  for (const letter of text)
    em += family.startsWith('ui-monospace') && letter < '\u2e80' ? 0.61 : emOf(letter)
  return em * size * (weight >= 600 ? 1.1 : 1)
}

function emOf(letter: string): number {
  if (letter >= '\u2e80') return 1
  if (/[iljtf.,:;|!'()[\]·\s]/.test(letter)) return 0.36
  if (/[mwMWШЩЖЮМшщжюмфФ@%]/.test(letter)) return 0.9
  return /[A-ZА-Я]/.test(letter) ? 0.7 : 0.61
}

/** Shortened with an ellipsis where it would be wider than `most`. */
export function shorten(text: string, font: Font, most: number): string {
  if (widthOf(text, font) <= most) return text
  const letters = [...text]
  while (letters.length > 1 && widthOf(`${letters.join('')}…`, font) > most) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/** Broken into lines between words, and within words that are longer than a line. */
export function wrap(text: string, font: Font, most: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/[ \t\r\n]+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer, font) <= most) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const letter of word) {
      if (widthOf(line + letter, font) > most) {
        lines.push(line)
        line = ''
      }
      line += letter
    }
  }
  return line === '' ? lines : [...lines, line]
}

interface TextLook {
  font: Font
  anchor?: 'start' | 'middle' | 'end'
  ink?: string
  /** A light edge keeps words readable where a line passes below them. */
  halo?: string
}

export function textAt([x, y]: Point, text: string, { font, anchor = 'start', ink, halo }: TextLook): string {
  const { size, weight, family, ink: usual } = fonts[font]
  const edge =
    halo === undefined
      ? ''
      : ` stroke="${halo}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`
  const place = anchor === 'start' ? '' : ` text-anchor="${anchor}"`
  const style = `font-family="${family}" font-size="${size}" font-weight="${weight}" fill="${ink ?? usual}"`
  return `<text x="${round(x)}" y="${round(y)}" ${style}${place}${edge}>${escapeText(text)}</text>`
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}
interface BoxLook {
  fill: string
  stroke: string
  radius: number
  isDashed?: boolean
}

export function boxAt({ x, y, width, height }: Box, { fill, stroke, radius, isDashed }: BoxLook): string {
  const dash = isDashed ? ' stroke-dasharray="5 4"' : ''
  const size = `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}"`
  return `<rect ${size} fill="${fill}" stroke="${stroke}"${dash}/>`
}

const arrow = { length: 7, half: 4 }

/** Through all points, upright at each of them; `hasArrow`: with an arrow head at the end. */
export function lineThrough(
  points: readonly Point[],
  ink: string,
  { hasArrow }: { hasArrow: boolean },
): string {
  const [start, ...rest] = points
  const last = points.at(-1)
  if (start === undefined || last === undefined) return ''
  let path = `M${round(start[0])} ${round(start[1])}`
  let [x, y] = start
  for (const [k, [nextX, end]] of rest.entries()) {
    const nextY = hasArrow && k === rest.length - 1 ? end - arrow.length + 1 : end
    const half = (nextY - y) / 2
    path +=
      Math.abs(nextX - x) < 0.5
        ? `L${round(nextX)} ${round(nextY)}`
        : `C${round(x)} ${round(y + half)} ${round(nextX)} ${round(nextY - half)} ${round(nextX)} ${round(nextY)}`
    ;[x, y] = [nextX, nextY]
  }
  return stroke(path, ink) + (hasArrow ? arrowAt(last, ink) : '')
}

/** Straight from point to point with rounded corners. */
export function cornersThrough(points: readonly Point[], ink: string): string {
  const path = points.map((point, k) => {
    const [before, after] = [points[k - 1], points[k + 1]]
    const [x, y] = point
    if (before === undefined) return `M${round(x)} ${round(y)}`
    if (after === undefined) return `L${round(x)} ${round(y)}`
    const [inX, inY] = towards(point, before)
    const [outX, outY] = towards(point, after)
    return `L${round(inX)} ${round(inY)}Q${round(x)} ${round(y)} ${round(outX)} ${round(outY)}`
  })
  return stroke(path.join(''), ink)
}

const cornerRadius = 8

function towards([x, y]: Point, [toX, toY]: Point): Point {
  const length = Math.hypot(toX - x, toY - y)
  const share = length === 0 ? 0 : Math.min(0.5, cornerRadius / length)
  return [x + share * (toX - x), y + share * (toY - y)]
}

const stroke = (path: string, ink: string): string =>
  `<path d="${path}" fill="none" stroke="${ink}" stroke-width="1.5"/>`

function arrowAt([x, y]: Point, ink: string): string {
  const base = round(y - arrow.length)
  return `<path d="M${round(x - arrow.half)} ${base}L${round(x + arrow.half)} ${base}L${round(x)} ${round(y)}Z" fill="${ink}"/>`
}

const round = (value: number): number => Math.round(value * 10) / 10

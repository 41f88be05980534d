/** The drawings of a report's first page as SVG texts that stand alone: the score with its range, and all single scores. */
import { type Chart, chartSize, drawChart, ink, label, quiet } from './charts.ts'

export type ScoreCard = {
  /** Name of the figure, its value in words, and lines below it. */
  title: string
  value: string
  lines: readonly string[]
  /** What the line and the band of the bar mean. */
  key: string
  /** On a scale from 0 to 1; null where there is none. */
  score: number | null
  range: readonly [number, number] | null
  /** The marks of the scale as the figure is written. */
  writeMark: (value: number) => string
}

const brand = '#0b6e99'
const LEFT = 24
const BAR = { top: 138, height: 16, width: chartSize.width - 2 * LEFT } as const
const MARKS = [0, 0.25, 0.5, 0.75, 1] as const

/** A figure in large print above a bar from 0 to 1: the range as a band, the score as a line. */
export function drawScoreCard({ title, value, lines, key, score, range, writeMark }: ScoreCard): string {
  const at = (share: number): number => LEFT + Math.min(1, Math.max(0, share)) * BAR.width
  const bottom = BAR.top + BAR.height
  const band = range
    ? `<rect x="${at(range[0]).toFixed(1)}" y="${BAR.top}" width="${Math.max(1, at(range[1]) - at(range[0])).toFixed(1)}" height="${BAR.height}" fill="${brand}" fill-opacity="0.45"/>`
    : ''
  const line =
    score === null
      ? ''
      : `<path d="M${at(score).toFixed(1)} ${BAR.top - 5}V${bottom + 5}" stroke="${brand}" stroke-width="2.6"/>`
  const marks = MARKS.map(
    (mark) =>
      `<path d="M${at(mark).toFixed(1)} ${bottom}v4" stroke="${ink}" stroke-width="0.8"/>${label(at(mark), bottom + 18, writeMark(mark), 'middle')}`,
  )
  const texts = [
    label(LEFT, 26, title, 'start', { size: 13, isBold: true }),
    label(LEFT, 66, value, 'start', { size: 32, isBold: true, colour: brand }),
    ...lines.map((text, index) => label(LEFT, 88 + index * 17, text, 'start', { size: 12 })),
    label(LEFT, chartSize.height - 12, key, 'start'),
  ]
  const box = `width="${chartSize.width}" height="${chartSize.height}" viewBox="0 0 ${chartSize.width} ${chartSize.height}"`
  const ground = `<rect x="${LEFT}" y="${BAR.top}" width="${BAR.width}" height="${BAR.height}" fill="#ffffff" stroke="${quiet}" stroke-width="1"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box} font-family="sans-serif"><rect width="${chartSize.width}" height="${chartSize.height}" fill="#ffffff"/>${ground}${band}${line}${marks.join('')}${texts.join('')}</svg>`
}

const BINS = 10

type Histogram = Pick<Chart, 'x' | 'y'> & { values: readonly number[]; isUnit: boolean }

/** How many values lie in each of ten equal steps, of shares between 0 and 1, else between the lowest and the highest. */
export function drawHistogram({ x, y, values, isUnit }: Histogram): string {
  const lowest = isUnit ? 0 : values.reduce((least, value) => Math.min(least, value), Infinity)
  const highest = isUnit ? 1 : values.reduce((most, value) => Math.max(most, value), -Infinity)
  const width = (highest - lowest || 1) / BINS
  const counts = Array.from({ length: BINS }, () => 0)
  for (const value of values) {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor((value - lowest) / width)))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const steps = counts.flatMap((count, bin) => [
    [lowest + bin * width, count] as const,
    [lowest + (bin + 1) * width, count] as const,
  ])
  const points = [[lowest, 0] as const, ...steps, [lowest + BINS * width, 0] as const]
  return drawChart({ x, y, lines: [{ name: y, points, isFilled: true }], hasZero: true, isCount: true })
}

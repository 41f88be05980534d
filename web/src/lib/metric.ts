/** How a result is judged and how its figures are written, for every list and page that shows one. */
import { mainMetric, metricKind } from '@neuroloom/contract/metric'
import type { Task } from '@neuroloom/contract/task'
import { formatNumber, formatPercent } from './format.ts'
import { currentTag } from './i18n.ts'

/** A figure as its field writes it: accuracies in percent, signal to noise in decibels, the rest with three decimals. */
export function formatMetric(name: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  switch (metricKind(name)) {
    case 'percent':
      return fixed(value, { style: 'percent', digits: 1 })
    case 'decibels':
      return inDecibels(fixed(value, { digits: 2 }))
    case 'count':
      return formatNumber(value, 0)
    case 'number':
      return fixed(value)
  }
}

/** The probability from which on something counts, written alike wherever it stands. */
export const formatThreshold = (share: number): string => fixed(share, { style: 'percent', digits: 1 })

/** From one value to another; the unit is said once. */
export function formatRange(name: string, [low, high]: readonly [number, number]): string {
  if (metricKind(name) !== 'decibels') return `${formatMetric(name, low)} – ${formatMetric(name, high)}`
  return inDecibels(`${fixed(low, { digits: 2 })} – ${fixed(high, { digits: 2 })}`)
}

/**
 * A difference without its unit, with a minus that no dash is taken for; of percentages in percentage points, since 5 %
 * less could be meant of the percentage itself.
 */
export function formatDifference(name: string, value: number, { isSigned = false } = {}): string {
  const kind = metricKind(name)
  const digits = { percent: 1, decibels: 2, count: 0, number: 3 }[kind]
  const shown = kind === 'percent' ? value * 100 : value
  const text = fixed(Math.abs(shown), { digits })
  // What is rounded to nothing has no sign.
  if (Number(Math.abs(shown).toFixed(digits)) === 0) return text
  return shown < 0 ? `${MINUS}${text}` : `${isSigned ? '+' : ''}${text}`
}

const MINUS = '\u2212'

/** Numbers along an axis, in equal steps: with as many decimals as tell them apart. */
export function formatTicks(name: string, ticks: readonly number[]): string[] {
  const [first = 0, second = first + 1] = ticks
  const decimals = decimalsOf(second - first)
  const isPercent = metricKind(name) === 'percent'
  return ticks.map((tick) =>
    isPercent ? formatPercent(tick, Math.max(0, decimals - 2)) : formatNumber(tick, decimals),
  )
}

/** A step of 0.25 has two; the sides of a subtraction leave a little dust. */
function decimalsOf(step: number): number {
  const isWhole = (decimals: number) => {
    const scaled = step * 10 ** decimals
    return scaled > 0.5 && Math.abs(scaled - Math.round(scaled)) < 1e-3
  }
  return [0, 1, 2, 3, 4, 5, 6, 7, 8].find(isWhole) ?? 9
}

/** A run's score at a glance: shares in percent, whatever the page of its result writes. */
export function formatScore(task: Task, score: number): string {
  const name = mainMetric[task]
  return metricKind(name) === 'decibels' ? formatMetric(name, score) : formatPercent(score)
}

/** The unit never stands on a line of its own. */
export const inDecibels = (text: string): string =>
  `${text}\u00A0${currentTag().startsWith('ru') ? 'дБ' : 'dB'}`

/** Always the same number of decimals, so that figures stand below each other. */
function fixed(
  value: number,
  { style = 'decimal', digits = 3 }: { style?: 'decimal' | 'percent'; digits?: number } = {},
): string {
  const options = { style, minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(currentTag(), options).format(value).replace('-', MINUS)
}

/** How a result is judged and how its figures are written, for every list and page that shows one. */
import type { mainMetric as contractMetric, Task } from '@neuroloom/contract/task'
import { formatNumber, formatPercent, formatRate } from './format.ts'
import { currentTag } from './i18n.ts'

// The contract's module carries schemas that must not reach the browser; the type keeps both ends equal.
export const mainMetric: typeof contractMetric = {
  classification: 'accuracy',
  multilabel: 'macroF1',
  segmentation: 'dice',
  volume_segmentation: 'dice',
  detection: 'map50',
  super_resolution: 'psnr',
  denoising: 'psnr',
}

const percents = new Set(['accuracy', 'balancedAccuracy', 'confidence', 'exactMatch', 'hamming'])
const counts = new Set(['support', 'boxes', 'found'])
const decibels = new Set(['psnr', 'bicubicPsnr', 'inputPsnr'])

/** A figure as its field writes it: accuracies in percent, signal to noise in decibels, the rest with three decimals. */
export function formatMetric(name: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (percents.has(name)) return fixed(value, { style: 'percent', digits: 1 })
  if (decibels.has(name)) return inDecibels(fixed(value, { digits: 2 }))
  return counts.has(name) ? formatNumber(value, 0) : fixed(value)
}

/** From one value to another; the unit is said once. */
export function formatRange(name: string, [low, high]: readonly [number, number]): string {
  if (!decibels.has(name)) return `${formatMetric(name, low)} – ${formatMetric(name, high)}`
  return inDecibels(`${fixed(low, { digits: 2 })} – ${fixed(high, { digits: 2 })}`)
}

/** Round numbers along an axis need no filled-up decimals. */
export function formatTick(name: string, value: number): string {
  if (name === 'learningRate') return formatRate(value)
  return percents.has(name) ? formatPercent(value, 0) : formatNumber(value)
}

/** A run's score at a glance: shares in percent, whatever the page of its result writes. */
export function formatScore(task: Task, score: number): string {
  const name = mainMetric[task]
  return decibels.has(name) ? formatMetric(name, score) : formatPercent(score)
}

/** The unit never stands on a line of its own. */
const inDecibels = (text: string): string => `${text}\u00A0${currentTag().startsWith('ru') ? 'дБ' : 'dB'}`

/** Always the same number of decimals, so that figures stand below each other. */
function fixed(
  value: number,
  { style = 'decimal', digits = 3 }: { style?: 'decimal' | 'percent'; digits?: number } = {},
): string {
  const options = { style, minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(currentTag(), options).format(value)
}

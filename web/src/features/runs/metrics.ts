import type { Run } from '@neuroloom/contract/runs'
import type { mainMetric as contractMetric } from '@neuroloom/contract/task'
import { formatNumber, formatPercent, formatRate } from '../../lib/format.ts'
import { currentTag } from '../../lib/i18n.ts'

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

/** In the order shown; what the engine reports beyond them follows by name. */
const order = [
  'accuracy',
  'balancedAccuracy',
  'macroF1',
  'dice',
  'iou',
  'precision',
  'recall',
  'f1',
  'rocAuc',
  'sensitivity',
  'specificity',
  'confidence',
  'support',
  'loss',
]
const percents = new Set(['accuracy', 'balancedAccuracy', 'confidence'])
const counts = new Set(['support'])

export type Values = Record<string, number | null>

/** Without learning rates and the spread over folds (`…Sd`), which stands beside its mean. */
export function orderedMetrics(values: Values): string[] {
  return Object.keys(values)
    .filter((name) => name !== 'learningRate' && !name.endsWith('Sd'))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}

/** A figure as its field writes it: accuracies in percent, the rest with three decimals. */
export function formatMetric(name: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (percents.has(name)) return fixed(value, { style: 'percent', digits: 1 })
  return counts.has(name) ? formatNumber(value, 0) : fixed(value)
}

/** Round numbers along an axis need no filled-up decimals. */
export function formatTick(name: string, value: number): string {
  if (name === 'learningRate') return formatRate(value)
  return percents.has(name) ? formatPercent(value, 0) : formatNumber(value)
}

/** What a run is judged by: its main metric and, over several folds, the spread. Null before there is a result. */
export function headlineOf(
  run: Pick<Run, 'task' | 'metrics'>,
): { name: string; value: number; deviation: number | null } | null {
  const name = mainMetric[run.task]
  const value = run.metrics[name]
  if (value === null || value === undefined) return null
  return { name, value, deviation: run.metrics[`${name}Sd`] ?? null }
}

/** Always the same number of decimals, so that figures stand below each other. */
function fixed(
  value: number,
  { style = 'decimal', digits = 3 }: { style?: 'decimal' | 'percent'; digits?: number } = {},
): string {
  const options = { style, minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(currentTag(), options).format(value)
}

const rank = (name: string): number => {
  const index = order.indexOf(name)
  return index < 0 ? order.length : index
}

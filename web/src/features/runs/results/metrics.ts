import { mainMetric } from '@neuroloom/contract/metric'
import type { Run } from '@neuroloom/contract/runs'
import { isLearned } from '@neuroloom/contract/task'

/** In the order shown; what the engine reports beyond them follows by name. */
const order = [
  'accuracy',
  'balancedAccuracy',
  'macroF1',
  'microF1',
  'exactMatch',
  'psnr',
  'bicubicPsnr',
  'inputPsnr',
  'ssim',
  'bicubicSsim',
  'inputSsim',
  'map50',
  'map',
  'ap50',
  'ap',
  'dice',
  'iou',
  'precision',
  'recall',
  'f1',
  'microPrecision',
  'microRecall',
  'rocAuc',
  'averagePrecision',
  'sensitivity',
  'specificity',
  'confidence',
  'support',
  'boxes',
  'found',
  'loss',
]

export type Values = Record<string, number | null>

/** Without learning rates and the spread over folds (`…Sd`), which stands beside its mean. */
export function orderedMetrics(values: Values): string[] {
  return Object.keys(values)
    .filter((name) => name !== 'learningRate' && !name.endsWith('Sd'))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}

/** What a run is judged by: its main metric and, over several folds, the spread. Null before there is a result, and of 4D flow. */
export function headlineOf(
  run: Pick<Run, 'task' | 'metrics'>,
): { name: string; value: number; deviation: number | null } | null {
  if (!isLearned(run.task)) return null
  const name = mainMetric[run.task]
  const value = run.metrics[name]
  if (value === null || value === undefined) return null
  return { name, value, deviation: run.metrics[`${name}Sd`] ?? null }
}

const rank = (name: string): number => {
  const index = order.indexOf(name)
  return index < 0 ? order.length : index
}

import { orderedFigures } from '@neuroloom/contract/evidence/figure-order'
import { mainMetric } from '@neuroloom/contract/metric'
import type { Run } from '@neuroloom/contract/runs'
import { isLearned } from '@neuroloom/contract/task'

export type Values = Record<string, number | null>

/** Without learning rates and the spread over folds (`…Sd`), which stands beside its mean. */
export function orderedMetrics(values: Values): string[] {
  return orderedFigures(Object.keys(values).filter((name) => name !== 'learningRate' && !name.endsWith('Sd')))
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

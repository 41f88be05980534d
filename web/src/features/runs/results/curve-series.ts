import type { CurvePoint } from '../apply-event.ts'

/** One line of a chart over the epochs. */
export type Series = { split: CurvePoint['split']; name: string; values: (number | null)[] }
export type Chart = { key: 'loss' | 'metric' | 'learningRate'; epochs: number[]; series: Series[] }

/** The charts of one fold: loss of both sides, the task's first metric, the learning rate. */
export function chartsOf(curves: readonly CurvePoint[], fold: number, metric: string): Chart[] {
  const points = curves.filter((point) => point.fold === fold)
  const epochs = [...new Set(points.map(({ epoch }) => epoch))].sort((a, b) => a - b)
  const series = (split: CurvePoint['split'], name: string): Series => ({
    split,
    name,
    values: epochs.map((epoch) => {
      const point = points.find((one) => one.epoch === epoch && one.split === split)
      return point?.values[name] ?? null
    }),
  })
  const chart = (key: Chart['key'], ...lines: Series[]): Chart => ({
    key,
    epochs,
    series: lines.filter(({ values }) => values.some((value) => value !== null)),
  })
  return [
    chart('loss', series('train', 'loss'), series('validation', 'loss')),
    chart('metric', series('train', metric), series('validation', metric)),
    chart('learningRate', series('train', 'learningRate')),
  ].filter((one) => one.series.length > 0)
}

export const foldsOf = (curves: readonly CurvePoint[]): number[] =>
  [...new Set(curves.map(({ fold }) => fold))].sort((a, b) => a - b)

/** Mean and standard deviation (of the sample) of the best validated value of each fold; null before two folds. */
export function acrossFolds(
  curves: readonly CurvePoint[],
  metric: string,
): { mean: number; deviation: number; folds: number } | null {
  const best = foldsOf(curves).flatMap((fold) => {
    const values = curves
      .filter((point) => point.fold === fold && point.split === 'validation')
      .flatMap(({ values }) => values[metric] ?? [])
    return values.length > 0 ? [Math.max(...values)] : []
  })
  if (best.length < 2) return null
  const mean = best.reduce((sum, value) => sum + value, 0) / best.length
  const squares = best.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / (best.length - 1)), folds: best.length }
}

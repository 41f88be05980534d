/** From the points of a training to the lines that are drawn. Pure. */
import { flowMethods } from '@neuroloom/contract/flow/sharpen'
import type { CurvePoint } from '@neuroloom/contract/runs'

export type Chart = { epochs: number[]; lines: { name: string; values: number[] }[]; at: number }

/** Times what interpolation, or the first epoch, comes to: of a network that lost its way only so much is drawn. */
const CAP = 3
const capped = (value: number, most: number): number => (most > 0 ? Math.min(value, most) : value)

/** As the engine names them. */
const errors = {
  network: 'rmse',
  linear: 'rmseLinear',
  weighted: 'rmseWeighted',
  cubic: 'rmseCubic',
} as const

/** Error of the velocity on the flows that choose the epoch, in cm/s; beside it those of interpolation, which do not learn. */
export function errorChart(curves: readonly CurvePoint[]): Chart {
  const points = sorted(curves, 'validation', 'rmse')
  const others = points.flatMap(({ values }) => [values.rmseLinear ?? 0, values.rmseCubic ?? 0])
  const most = CAP * 100 * Math.max(...others)
  const lines = flowMethods.map((method) => ({
    name: method,
    values: points.map(({ values }) => capped(100 * (values[errors[method]] ?? Number.NaN), most)),
  }))
  return { epochs: points.map(({ epoch }) => epoch), lines, at: lowest(lines[0]?.values ?? []) }
}

/** What the network learns by, in per cent of the first epoch: the number itself tells nobody anything. */
export function lossChart(curves: readonly CurvePoint[]): Chart {
  const points = sorted(curves, 'train', 'loss')
  const first = points[0]?.values.loss ?? 1
  const values = points.map(({ values: { loss } }) =>
    capped((100 * (loss ?? Number.NaN)) / (first || 1), CAP * 100),
  )
  const best = errorChart(curves)
  const kept = best.epochs[best.at] ?? points.at(-1)?.epoch
  return {
    epochs: points.map(({ epoch }) => epoch),
    lines: [{ name: 'loss', values }],
    at: Math.max(
      0,
      points.findLastIndex(({ epoch }) => kept !== undefined && epoch <= kept),
    ),
  }
}

const sorted = (curves: readonly CurvePoint[], split: CurvePoint['split'], name: string): CurvePoint[] =>
  curves
    .filter((point) => point.split === split && typeof point.values[name] === 'number')
    .sort((one, other) => one.epoch - other.epoch)

const lowest = (values: readonly number[]): number =>
  values.reduce(
    (best, value, index) => (value < (values[best] ?? Number.POSITIVE_INFINITY) ? index : best),
    0,
  )

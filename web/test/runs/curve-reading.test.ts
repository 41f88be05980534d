import { describe, expect, it } from 'vitest'
import type { CurvePoint } from '../../src/features/runs/apply-event.ts'
import { axisRange, bestEpochOf, overfitSince } from '../../src/features/runs/results/curve-reading.ts'

const losses = (split: CurvePoint['split'], values: readonly number[], fold = 0): CurvePoint[] =>
  values.map((loss, index) => ({ fold, epoch: index + 1, split, values: { loss } }))
const falling = (count: number) => Array.from({ length: count }, (_, index) => 1 / (index + 1))

describe('overfitting', () => {
  const climbing = [1, 0.7, 0.5, 0.52, 0.6, 0.7, 0.8, 0.95]

  it('is told since the epoch with the lowest validation loss, while training still falls', () => {
    const curves = [...losses('train', falling(8)), ...losses('validation', climbing)]
    expect(overfitSince(curves, 0)).toBe(3)
  })

  it.each([
    ['while validation falls', falling(8), falling(8)],
    ['of noise around a level', [1, 0.6, 0.5, 0.52, 0.49, 0.53, 0.5, 0.52], falling(8)],
    ['after a single jump', [1, 0.7, 0.5, 0.45, 2, 0.44, 0.43, 0.42], falling(8)],
    ['where training climbs too', climbing, [1, 0.7, 0.5, 0.6, 0.7, 0.8, 0.9, 1]],
    ['of few checks', [0.5, 0.6, 0.7, 0.8, 0.9], falling(5)],
    ['right after the lowest value', [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.7, 0.8], falling(8)],
  ])('is not told %s', (_, validation, training) => {
    const curves = [...losses('train', training), ...losses('validation', validation)]
    expect(overfitSince(curves, 0)).toBeNull()
  })

  it('is told of the fold that is shown alone', () => {
    const curves = [...losses('train', falling(8), 1), ...losses('validation', climbing, 1)]
    expect(overfitSince(curves, 0)).toBeNull()
    expect(overfitSince(curves, 1)).toBe(3)
  })
})

describe('the best epoch', () => {
  const check = (epoch: number, dice: number): CurvePoint => ({
    ...{ fold: 0, epoch, split: 'validation' },
    values: { dice, loss: 1 - dice },
  })
  const curves = [check(1, 0.5), check(2, 0.9), check(3, 0.8)]

  it('is the one whose figures the run is judged by', () => {
    const metrics = { dice: 0.8, loss: 1 - 0.8, iou: 0.7 }
    expect(bestEpochOf(curves, { fold: 0, metric: 'dice', metrics })).toBe(3)
  })

  it('is that with the highest score where none was kept, and none before a check', () => {
    expect(bestEpochOf(curves, { fold: 0, metric: 'dice', metrics: {} })).toBe(2)
    expect(bestEpochOf(curves, { fold: 1, metric: 'dice', metrics: {} })).toBeNull()
  })
})

describe('the upright axis', () => {
  it('spans enough that noise does not look like a crash', () => {
    const [low, high] = axisRange('loss', 0.69, 0.705)
    expect(high - low).toBeGreaterThan(0.2)
    const [from, to] = axisRange('dice', 0.88, 0.89)
    expect(to - from).toBeGreaterThan(0.1)
  })

  it('goes neither below nothing nor above all', () => {
    expect(axisRange('loss', 0, 1)[0]).toBe(0)
    expect(axisRange('accuracy', 0.2, 1)[1]).toBe(1)
    expect(axisRange('psnr', 20, 34)[1]).toBeGreaterThan(34)
  })
})

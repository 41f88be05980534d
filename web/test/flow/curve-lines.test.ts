import { expect, it } from 'vitest'
import { errorChart, lossChart } from '../../src/features/flow/sharpen/curve-lines.ts'
import { makeTraining } from './make-training.ts'

const { curves } = makeTraining()

it('draws the error in cm/s beside flat interpolations, and finds the epoch that is kept', () => {
  const { epochs, lines, at } = errorChart([...curves].reverse())
  expect(epochs).toEqual([1, 2, 3])
  expect(lines.map(({ values }) => values.map((value) => Math.round(100 * value) / 100))).toEqual([
    [3.8, 3.1, 3.3],
    [4.12, 4.12, 4.12],
    [3.89, 3.89, 3.89],
    [3.47, 3.47, 3.47],
  ])
  expect(at).toBe(1)
})

it('draws the loss in per cent of the first epoch, at the last point up to the kept one', () => {
  const { epochs, lines, at } = lossChart(curves)
  expect(epochs).toEqual([1, 3])
  expect(lines[0]?.values).toEqual([100, 50])
  expect(at).toBe(0)
})

it('draws no more than three times of a network that lost its way', () => {
  const lost = curves.map((one) =>
    one.epoch === 3 ? { ...one, values: { ...one.values, rmse: 3, loss: 40 } } : one,
  )
  expect(errorChart(lost).lines[0]?.values[2]).toBeCloseTo(3 * 4.12)
  expect(lossChart(lost).lines[0]?.values[1]).toBe(300)
})

it('has nothing to draw before the first epoch', () => {
  expect(errorChart([])).toMatchObject({ epochs: [], at: 0 })
  expect(lossChart([])).toMatchObject({ epochs: [], at: 0 })
})

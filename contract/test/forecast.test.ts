import {
  type Cost,
  costOf,
  forecast,
  heldOut,
  type Measured,
  type Place,
  type PlanCost,
  type Rates,
  ratesOf,
  type Sized,
  slowdownOf,
  startsOf,
  workOf,
} from '@neuroloom/contract/forecast'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { describe, expect, test } from 'vitest'

const cost: PlanCost = { macs: 1e6, grouped: 0, elements: 3e3, calls: 12, weights: 500, isRandom: false }
const sized: Sized = {
  kind: 'train',
  task: 'classification',
  items: 100,
  hyper: { epochs: 10, validationInterval: 1, batchSize: 8 },
  validation: { method: 'holdout', train: 4, test: 1, seed: 7 },
  cost,
}

describe('the cost of a plan', () => {
  const node = { op: 'conv', in: {}, params: {}, learn: 0, buffers: 0, macs: 0, share: null }
  const plan: Plan = {
    ...{ v: 1, name: 'small', inputs: {}, heads: {}, learn: 70, buffers: 0, macs: 900, keptBytes: 0 },
    transientBytes: 0,
    nodes: [
      { ...node, id: 'a', type: { k: 'map', c: 4, s: [3, 5] } },
      { ...node, id: 'b', type: { k: 'seq', n: 6, c: 2 } },
      { ...node, id: 'c', type: { k: 'vec', c: 9 } },
    ],
  }
  test('is its multiply-adds, all that its layers write, their number and its weights', () => {
    const whole = { macs: 900, grouped: 0, elements: 60 + 12 + 9, calls: 3, weights: 70, isRandom: false }
    expect(costOf(plan)).toEqual(whole)
    const nodes = plan.nodes.map((one, index) => ({
      ...one,
      op: index === 1 ? 'dwconv' : 'dropout',
      macs: 300,
    }))
    expect(costOf({ ...plan, nodes })).toEqual({ ...whole, macs: 600, grouped: 300, isRandom: true })
  })
})

describe('the work of a run', () => {
  test('grows with items, epochs, operations and folds', () => {
    const base = workOf(sized)
    expect(base.macs).toBeCloseTo(80 * (0.85 * 10 * 3 + 0.15 * 10) * 1e6)
    expect(base.elements).toBeCloseTo(80 * (0.85 * 10 + (0.15 * 10) / 3) * 3e3)
    // 68 items in batches of 8.
    expect(base.weights).toBeCloseTo(8.5 * 10 * 500)
    expect(base.calls).toBeCloseTo((8.5 * 10 + (1.5 * 10) / 3) * 12)
    expect(workOf({ ...sized, items: 200 }).macs).toBeCloseTo(base.macs * 2)
    expect(workOf({ ...sized, cost: { ...cost, macs: 3e6 } }).macs).toBeCloseTo(base.macs * 3)
    const seldom = { ...sized.hyper, epochs: 20, validationInterval: 2 }
    expect(workOf({ ...sized, hyper: seldom }).macs).toBeLessThan(base.macs * 2)
    const large = workOf({ ...sized, hyper: { ...sized.hyper, batchSize: 16 } })
    expect(large.macs).toBeCloseTo(base.macs)
    expect(large.calls).toBeCloseTo(base.calls / 2)
    const kfold = { method: 'kfold', splits: 5, seed: 7 } as const
    expect(workOf({ ...sized, validation: kfold }).macs).toBeGreaterThan(base.macs * 5)
  })

  test('is longer where a batch is not learned from in two halves: too small, or a network that draws lots', () => {
    const small = { ...sized, hyper: { ...sized.hyper, batchSize: 4 } }
    const [own, random] = [false, true].map((isRandom) => workOf({ ...small, cost: { ...cost, isRandom } }))
    expect(own?.weights).toBeCloseTo(((random?.weights ?? 0) * 2) / 1.5)
  })

  test('of a test is one pass over its items, which changes no weights', () => {
    expect(workOf({ ...sized, kind: 'test' })).toEqual({
      macs: 1e8,
      grouped: 0,
      elements: 1e5,
      calls: 50,
      weights: 0,
    })
    expect(heldOut(100, sized.validation)).toBe(20)
  })
})

const rates: Rates = { macs: 1e-10, grouped: 1e-9, elements: 5e-9, calls: 4e-5, weights: 1e-8 }
const secondsOf = (of: Cost): number =>
  of.macs * rates.macs +
  of.grouped * rates.grouped +
  of.elements * rates.elements +
  of.calls * rates.calls +
  of.weights * rates.weights

describe('the rates of a device', () => {
  const steps: Cost[] = [
    { macs: 3e9, grouped: 0, elements: 1e6, calls: 7, weights: 3e5 },
    { macs: 2e8, grouped: 0, elements: 9e6, calls: 10, weights: 2e3 },
    { macs: 1e7, grouped: 0, elements: 3e5, calls: 40, weights: 3e4 },
    { macs: 1e8, grouped: 0, elements: 4e5, calls: 7, weights: 5e6 },
  ]
  test('are found again from what steps took', () => {
    const found = ratesOf(steps.map((step) => ({ ...step, seconds: secondsOf(step) })))
    for (const step of steps) {
      const { macs, elements, calls, weights } = found
      const seconds =
        step.macs * macs + step.elements * elements + step.calls * calls + step.weights * weights
      expect(seconds / secondsOf(step)).toBeCloseTo(1, 1)
    }
  })

  test('are never negative, and nothing where nothing was measured', () => {
    const odd = steps.map((step, index) => ({ ...step, seconds: index + 0.1 }))
    for (const rate of Object.values(ratesOf(odd))) expect(rate).toBeGreaterThanOrEqual(0)
    expect(ratesOf([])).toEqual({ macs: 0, grouped: 0, elements: 0, calls: 0, weights: 0 })
    expect(ratesOf([{ ...cost, seconds: 0 }])).toEqual({
      macs: 0,
      grouped: 0,
      elements: 0,
      calls: 0,
      weights: 0,
    })
  })
})

const quiet: Place = { kind: 'cpu', threads: 2, cores: 2, others: 0, rates }
// 100 seconds by the rates.
const work: Cost = { macs: 5e11, grouped: 0, elements: 8e9, calls: 2e5, weights: 2e8 }
const run = { kind: 'train', task: 'classification', network: 'small_resnet', work } as const
const ended = (changes: Partial<Measured> = {}): Measured => ({ ...run, quietSeconds: 104, ...changes })

describe('the forecast', () => {
  test('before any run is what steps cost on the device, and not sure', () => {
    expect(secondsOf(work)).toBeCloseTo(100)
    const { seconds, isSure } = forecast(run, { place: quiet, measured: [] })
    expect(seconds).toBeCloseTo(104)
    expect(isSure).toBe(false)
  })

  test('before anything was measured is that of a usual core, or card', () => {
    const { rates: _, ...unknown } = quiet
    const plain = forecast(run, { place: unknown, measured: [] }).seconds
    expect(plain).toBeGreaterThan(40)
    expect(plain).toBeLessThan(80)
    const card = forecast(run, { place: { ...unknown, kind: 'cuda' }, measured: [] })
    expect(card.seconds).toBeLessThan(plain / 2)
  })

  test('is what runs of the same network took, however much larger', () => {
    const slow = ended({ quietSeconds: 304 })
    expect(forecast(run, { place: quiet, measured: [slow] }).seconds).toBeCloseTo(304)
    const twice = { ...work, macs: 1e12, elements: 16e9, calls: 4e5, weights: 4e8 }
    const { seconds, isSure } = forecast({ ...run, work: twice }, { place: quiet, measured: [slow] })
    expect(seconds).toBeCloseTo(604)
    expect(isSure).toBe(true)
  })

  test('takes nothing over from another network, task or kind', () => {
    const others = [
      ended({ network: 'resnet18', quietSeconds: 5004 }),
      ended({ task: 'segmentation', quietSeconds: 2004 }),
      ended({ kind: 'test', quietSeconds: 9004 }),
    ]
    const { seconds, isSure } = forecast(run, { place: quiet, measured: others })
    expect(seconds).toBeCloseTo(104)
    expect(isSure).toBe(false)
  })

  test('grows with the load that is there now, and with that alone', () => {
    const measured = [ended()]
    const loaded = forecast(run, { place: { ...quiet, others: 2 }, measured }).seconds
    expect(loaded).toBeCloseTo(208)
    expect(forecast(run, { place: quiet, measured }).seconds).toBeCloseTo(104)
  })
})

describe('the load of others', () => {
  test.each([
    [0, 2, 1],
    [1, 2, 1.5],
    [2, 2, 2],
    [6, 8, 1],
    [8, 8, 1.25],
  ])('%d programs on %d cores make a run of two threads %d times as long', (others, cores, factor) => {
    expect(slowdownOf({ kind: 'cpu', threads: 2, cores, others })).toBeCloseTo(factor)
  })

  test('does not slow a graphics card', () => {
    expect(slowdownOf({ kind: 'cuda', threads: 2, cores: 2, others: 9 })).toBe(1)
  })
})

describe('the forecast of a prediction', () => {
  const predict = { ...run, kind: 'predict' } as const
  const tested = ended({ kind: 'test', quietSeconds: 54 })

  test('comes from predictions with the same network, else from tests of it', () => {
    const own = ended({ kind: 'predict', quietSeconds: 29 })
    const sure = forecast(predict, { place: quiet, measured: [tested, own] })
    expect(sure.seconds).toBeCloseTo(29)
    expect(sure.isSure).toBe(true)
    const unsure = forecast(predict, { place: quiet, measured: [tested, ended()] })
    expect(unsure.seconds).toBeCloseTo(54)
    expect(unsure.isSure).toBe(false)
    const other = ended({ kind: 'test', network: 'resnet18', quietSeconds: 54 })
    expect(forecast(predict, { place: quiet, measured: [other] }).seconds).toBeCloseTo(104)
  })

  test('counts parts of a pass', () => {
    expect(workOf({ ...sized, kind: 'predict', items: 2.5 }).macs).toBe(2.5e6)
  })
})

describe('expected starts', () => {
  test('follow the order of the queue on one device', () => {
    expect(startsOf([30], [60, 10, 5])).toEqual([30, 90, 100])
    expect(startsOf([0], [60])).toEqual([0])
  })

  test('share several devices', () => {
    expect(startsOf([30, 0], [60, 10, 5])).toEqual([0, 30, 40])
  })

  test('are unknown behind what is unknown, and without any device', () => {
    expect(startsOf([10], [null, 5])).toEqual([10, null])
    expect(startsOf([null], [5])).toEqual([null])
    expect(startsOf([], [5])).toEqual([null])
  })
})

import { forecast, heldOut, type Measured, type Sized, startsOf, workOf } from '@neuroloom/contract/forecast'
import { describe, expect, test } from 'vitest'

const sized: Sized = {
  kind: 'train',
  task: 'classification',
  items: 100,
  hyper: { epochs: 10, validationInterval: 1 },
  validation: { method: 'holdout', train: 4, test: 1, seed: 7 },
  macs: 1e6,
}
const device = { kind: 'cpu', threads: 2 } as const
const run = { kind: 'train', task: 'classification', network: 'small_resnet', work: 1e11 } as const
const ended = (changes: Partial<Measured> = {}): Measured => ({ ...run, seconds: 104, ...changes })

describe('the work of a run', () => {
  test('grows with items, epochs, operations and folds', () => {
    const base = workOf(sized)
    expect(base).toBeCloseTo(80 * (0.85 * 10 * 3 + 0.15 * 10) * 1e6)
    expect(workOf({ ...sized, items: 200 })).toBeCloseTo(base * 2)
    expect(workOf({ ...sized, macs: 3e6 })).toBeCloseTo(base * 3)
    expect(workOf({ ...sized, hyper: { epochs: 20, validationInterval: 2 } })).toBeLessThan(base * 2)
    const kfold = { method: 'kfold', splits: 5, seed: 7 } as const
    expect(workOf({ ...sized, validation: kfold })).toBeGreaterThan(base * 5)
  })

  test('of a test is one pass over its items', () => {
    expect(workOf({ ...sized, kind: 'test' })).toBe(1e8)
    expect(heldOut(100, sized.validation)).toBe(20)
  })
})

describe('the forecast', () => {
  test('before any run is cautious and says so', () => {
    expect(forecast(run, { device, measured: [] })).toEqual({ seconds: 14, isSure: false })
    const gpu = forecast(run, { device: { kind: 'cuda', threads: 2 }, measured: [] })
    expect(gpu.seconds).toBeLessThan(14)
  })

  test('is what runs of the same network reached here', () => {
    const others = [
      ended({ network: 'resnet18', seconds: 1004 }),
      ended({ task: 'segmentation', seconds: 2004 }),
    ]
    expect(forecast(run, { device, measured: [ended(), ...others] })).toEqual({ seconds: 104, isSure: true })
    expect(forecast({ ...run, work: 2e11 }, { device, measured: [ended()] }).seconds).toBeCloseTo(204)
  })

  test('falls back to the task, then to any run of the kind, and is then not sure', () => {
    const ofTask = ended({ network: 'resnet18', seconds: 54 })
    const any = ended({ network: 'unet', task: 'segmentation', seconds: 24 })
    expect(forecast(run, { device, measured: [ofTask, any] })).toEqual({ seconds: 54, isSure: false })
    expect(forecast(run, { device, measured: [any] })).toEqual({ seconds: 24, isSure: false })
    expect(forecast(run, { device, measured: [ended({ kind: 'test' })] }).seconds).toBe(14)
  })
})

describe('the forecast of a prediction', () => {
  const predict = { ...run, kind: 'predict' } as const
  const test1 = ended({ kind: 'test', seconds: 54 })

  test('comes from predictions with the same network, else from tests of it', () => {
    const own = ended({ kind: 'predict', seconds: 29 })
    expect(forecast(predict, { device, measured: [test1, own] })).toEqual({ seconds: 29, isSure: true })
    expect(forecast(predict, { device, measured: [test1, ended()] })).toEqual({ seconds: 54, isSure: false })
    const other = ended({ kind: 'test', network: 'resnet18', seconds: 54 })
    expect(forecast(predict, { device, measured: [other] })).toEqual({ seconds: 14, isSure: false })
  })

  test('counts parts of a pass', () => {
    expect(workOf({ ...sized, kind: 'predict', items: 2.5 })).toBe(2.5e6)
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

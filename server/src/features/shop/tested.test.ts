import { expect, it } from 'vitest'
import type { Tested } from './tables.ts'
import { repeats } from './tested.ts'

const before: Tested = {
  score: 0.9,
  metrics: { loss: 0.1, dice: 0.9, iou: 0.8 },
  perClass: [{ class: 'nucleus', values: { dice: 0.9, iou: 0.8 } }],
  confusion: null,
  items: 12,
  results: 'a digest',
  interval: { low: 0.8, high: 0.95 },
  part: 'all',
}
const now: Tested = {
  ...before,
  metrics: { ...before.metrics, pooledDice: 0.89, meanIou: 0.82 },
  perClass: [{ class: 'nucleus', values: { dice: 0.9, iou: 0.8, pooledDice: 0.89, meanIou: 0.82 } }],
}

it('takes figures that the seller’s test did not have for no difference', () => {
  expect(repeats(now, before)).toBe(true)
  expect(repeats(now, now)).toBe(true)
})

it('finds a figure that differs in the last digit, is gone, or stands on another answer', () => {
  expect(repeats({ ...now, metrics: { ...now.metrics, iou: 0.8 + 1e-15 } }, before)).toBe(false)
  const other = [{ class: 'nucleus', values: { dice: 0.9, iou: 0.8 + 1e-15 } }]
  expect(repeats({ ...now, perClass: other }, before)).toBe(false)
  expect(repeats(before, now)).toBe(false)
  expect(repeats({ ...now, results: 'another' }, before)).toBe(false)
  expect(repeats({ ...now, perClass: [] }, before)).toBe(false)
})

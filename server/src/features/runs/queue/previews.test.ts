import { expect, it } from 'vitest'
import { sparedEpoch } from './previews.ts'

const after = (epochs: number, most: number): number[] => {
  let kept: number[] = []
  for (let epoch = 1; epoch <= epochs; epoch += 1) {
    kept = [...kept, epoch]
    const dropped = sparedEpoch(kept, most)
    kept = kept.filter((one) => one !== dropped)
  }
  return kept
}

it('keeps every epoch while there is room', () => {
  expect(sparedEpoch([1, 2, 3], 3)).toBeNull()
})

it.each([25, 60, 100, 1000])('keeps the first, the newest and an even spread of %i epochs', (epochs) => {
  const kept = after(epochs, 24)
  expect(kept).toHaveLength(24)
  expect(kept[0]).toBe(1)
  expect(kept.at(-1)).toBe(epochs)
  const gaps = kept.slice(1).map((epoch, index) => epoch - (kept[index] ?? 0))
  expect(Math.max(...gaps)).toBeLessThanOrEqual((4 * epochs) / 24)
})

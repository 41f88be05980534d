import type { ItemResult } from '@neuroloom/contract/engine'
import { describe, expect, it } from 'vitest'
import { boxTotals, leastSureBox } from './predict-counts.ts'

const box = (classIndex: number, score: number) => ({ class: classIndex, x0: 0, y0: 0, x1: 9, y1: 9, score })

/** So many of each class count; of the boxes, surest first, the list may hold a part alone. */
const framed = (counts: [number, number, number], ...found: ReturnType<typeof box>[]): ItemResult => ({
  ...{ id: 'a', name: 'a.png', truth: null, labels: null, probabilities: [], named: null, score: null },
  ...{ overlay: null, heat: null, boxes: { truth: [], found } },
  values: {
    ...{ found: counts[0] + counts[1] + counts[2] },
    ...{ boxes_0: counts[0], boxes_1: counts[1], boxes_2: counts[2] },
  },
})

describe('the boxes of a prediction', () => {
  const images = [
    framed([1, 1, 0], box(1, 0.9), box(0, 0.6), box(1, 0.2)),
    framed([0, 0, 0], box(2, 0.1)),
    framed([0, 120, 0], box(1, 0.8), box(1, 0.7), box(1, 0.5)),
  ]

  it('are counted by class over all images, without those that do not count', () => {
    expect(boxTotals(['rbc', 'wbc', 'platelets'], images)).toEqual({ boxes_0: 1, boxes_1: 121, boxes_2: 0 })
  })

  it('order their images by the least sure one that counts', () => {
    expect(images.map(leastSureBox)).toEqual([0.6, null, 0.5])
  })
})

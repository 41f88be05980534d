import { describe, expect, it } from 'vitest'
import { mergeFolds } from './folds.ts'

const fold = (confusion: number[][], recall: number | null) => ({
  perClass: ['well', 'ill'].map((name) => ({ class: name, values: { recall, rocAuc: recall, support: 1 } })),
  confusion,
})

describe('all folds together', () => {
  it('are read from the sum of their counts, not from means over folds of few images', () => {
    const merged = mergeFolds([
      fold(
        [
          [8, 0],
          [0, 1],
        ],
        1,
      ),
      fold(
        [
          [3, 3],
          [2, 1],
        ],
        0.5,
      ),
    ])
    expect(merged?.confusion).toEqual([
      [11, 3],
      [2, 2],
    ])
    const [well, ill] = merged?.perClass ?? []
    expect(well?.values).toMatchObject({ recall: 11 / 14, precision: 11 / 13, f1: 22 / 27, support: 14 })
    expect(ill?.values).toMatchObject({ recall: 0.5, precision: 0.4, support: 4, rocAuc: 0.75 })
  })

  it('say of a class that none of them has nothing', () => {
    const merged = mergeFolds([
      fold(
        [
          [4, 1],
          [0, 0],
        ],
        null,
      ),
      fold(
        [
          [5, 0],
          [0, 0],
        ],
        null,
      ),
    ])
    expect(merged?.perClass[1]?.values).toMatchObject({ recall: null, precision: null, f1: null, support: 0 })
  })

  it('are the only fold itself where there is one', () => {
    expect(
      mergeFolds([
        fold(
          [
            [8, 0],
            [0, 1],
          ],
          0.25,
        ),
      ])?.perClass[0]?.values.recall,
    ).toBe(0.25)
    expect(mergeFolds([])).toBeNull()
  })
})

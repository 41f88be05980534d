import { components } from '@neuroloom/contract/labelling/components'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../network/random.ts'
import { drawn } from './drawn.ts'

describe('connected parts', () => {
  it.each([
    { rows: ['#.#', '.#.', '#.#'], byCorners: false, sizes: [1, 1, 1, 1, 1] },
    { rows: ['#.#', '.#.', '#.#'], byCorners: true, sizes: [5] },
    { rows: ['#.#.#', '#.#.#', '#####'], byCorners: false, sizes: [11] },
    { rows: ['..##', '....', '###.'], byCorners: true, sizes: [2, 3] },
    { rows: ['....'], byCorners: true, sizes: [] },
  ])('are counted in $rows (by corners: $byCorners)', ({ rows, byCorners, sizes }) => {
    const { width, height, values } = drawn(...rows)
    expect([...components(values, [width, height, 1], byCorners).sizes].slice(1)).toEqual(sizes)
  })

  it.each([true, false])('are those that a walk from voxel to voxel finds (by corners: %s)', (byCorners) => {
    const random = makeRandom(3)
    const size = [9, 7, 6] as const
    for (let round = 0; round < 20; round++) {
      const mask = Uint8Array.from({ length: 378 }, () => Number(random.below(10) < 3 + (round % 4)))
      expect([...components(mask, size, byCorners).numbers]).toEqual(walked(mask, size, byCorners))
    }
  })
})

function walked(mask: Uint8Array, size: readonly [number, number, number], byCorners: boolean): number[] {
  const placeOf = (index: number) =>
    [index % size[0], Math.floor(index / size[0]) % size[1], Math.floor(index / size[0] / size[1])] as const
  const isBeside = (one: number, other: number) => {
    const away = placeOf(one).map((value, axis) => Math.abs(value - (placeOf(other)[axis] ?? 0)))
    return byCorners ? Math.max(...away) === 1 : away.reduce((sum, value) => sum + value, 0) === 1
  }
  const numbers = Array<number>(mask.length).fill(0)
  const drawnOnes = [...mask.keys()].filter((index) => mask[index] === 1)
  let count = 0
  for (const start of drawnOnes) {
    if (numbers[start]) continue
    count++
    const waiting = [start]
    numbers[start] = count
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      for (const other of drawnOnes) {
        if (numbers[other] || !isBeside(index, other)) continue
        numbers[other] = count
        waiting.push(other)
      }
    }
  }
  return numbers
}

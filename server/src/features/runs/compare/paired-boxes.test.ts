import { comparison } from '@neuroloom/contract/limits'
import { describe, expect, it } from 'vitest'
import { type Boxes, hitsOf } from './boxes-match.ts'
import { drawGroups } from './paired.ts'
import { boxDifferences, type PairedBoxes } from './paired-boxes.ts'

/** Places along a line, each a box ten pixels wide that no other touches. */
const at = (place: number, index = 0) => ({
  class: index,
  x0: place * 20,
  y0: 0,
  x1: place * 20 + 10,
  y1: 10,
})
const found = (place: number, score: number, index = 0) => ({ ...at(place, index), score })
const shifted = (by: number, score: number) => ({ ...at(0), x0: by, x1: 10 + by, score })

describe('which found boxes hit', () => {
  it('is those that overlap a free box of their class by half, the surest first', () => {
    const truth = [at(0), at(1, 1)]
    expect(hitsOf({ truth, found: [found(0, 0.9), found(0, 0.8), found(1, 0.7), found(1, 0.6, 1)] })).toEqual(
      [
        true,
        // The thing is found already; then another class; then the right one.
        false,
        false,
        true,
      ],
    )
    // 20/3 of 40/3 is one half, a little further is less.
    expect(hitsOf({ truth: [at(0)], found: [shifted(3.33, 0.9)] })).toEqual([true])
    expect(hitsOf({ truth: [at(0)], found: [shifted(3.34, 0.9)] })).toEqual([false])
    expect(hitsOf({ truth: [], found: [found(0, 0.5)] })).toEqual([false])
  })

  it('prefers the box that is overlapped most', () => {
    const truth = [shifted(3, 0), at(0)].map(({ class: index, x0, y0, x1, y1 }) => ({
      class: index,
      x0,
      y0,
      x1,
      y1,
    }))
    expect(hitsOf({ truth, found: [found(0, 0.9), shifted(3, 0.8)] })).toEqual([true, true])
  })
})

describe('differences in average precision', () => {
  const whole: Boxes = { truth: [at(0)], found: [found(0, 0.9)] }

  it('are COCO’s, read at 101 recalls, over the classes that occur', async () => {
    const items: PairedBoxes[] = [
      { group: 'a', first: { truth: [at(0)], found: [found(0, 0.9)] }, other: whole },
      { group: 'b', first: { truth: [at(0)], found: [found(3, 0.8), found(0, 0.7)] }, other: whole },
    ]
    const [map, cat, dog] = await boxDifferences(['cat', 'dog'], items, 0)
    // Right, wrong, right: precision 1 up to a recall of one half, then two thirds.
    const first = (51 + (50 * 2) / 3) / 101
    expect(map?.measure).toEqual({ metric: 'map50', class: null })
    expect(map?.first).toBeCloseTo(first, 12)
    expect(map?.other).toBeCloseTo(1, 12)
    expect(map).toMatchObject({ interval: null })
    expect(cat?.value).toBeCloseTo(1 - first, 12)
    expect(dog).toMatchObject({ measure: { class: 'dog' }, first: null, other: null, value: null })
  })

  it('have the range that measuring each draw from its images gives', async () => {
    const items = someItems(24)
    const [map] = await boxDifferences(['cat', 'dog'], items, 200)
    const drawn: number[] = []
    await drawGroups(12, 200, (picks) => {
      const images = [...picks].flatMap((pick) => items.filter(({ group }) => group === `patient ${pick}`))
      drawn.push(naive(images.map(({ other }) => other)) - naive(images.map(({ first }) => first)))
    })
    drawn.sort((one, two) => one - two)
    expect(map?.interval?.[0]).toBeCloseTo(quantile(drawn, 0.025), 9)
    expect(map?.interval?.[1]).toBeCloseTo(quantile(drawn, 0.975), 9)
    expect(map?.value).toBeCloseTo(
      naive(items.map(({ other }) => other)) - naive(items.map(({ first }) => first)),
      9,
    )
    expect((await boxDifferences(['cat', 'dog'], items, 200))[0]?.interval).toEqual(map?.interval)
  })

  it('of a test with itself are nought', async () => {
    const items = someItems(24).map(({ group, first }) => ({ group, first, other: first }))
    const [map] = await boxDifferences(['cat', 'dog'], items, 100)
    // Of what never differs no draw tells how it might differ in other cases.
    expect(map).toMatchObject({ value: 0, interval: null })
  })

  it('have no range where a class is in fewer than ten patients', async () => {
    const items = someItems(24).map((item, index) => {
      const without = (boxes: Boxes): Boxes =>
        index < 4 ? boxes : { ...boxes, truth: boxes.truth.filter((box) => box.class === 0) }
      return { group: item.group, first: without(item.first), other: without(item.other) }
    })
    const [map, cat, dog] = await boxDifferences(['cat', 'dog'], items, 100)
    expect(cat?.cases).toBe(12)
    expect(cat?.interval).not.toBeNull()
    expect(dog?.cases).toBeLessThanOrEqual(2)
    expect(dog?.interval).toBeNull()
    expect(map).toMatchObject({ cases: dog?.cases, interval: null })
  })
})

/** Two images of each patient, with boxes of two classes that are found by chance. */
function someItems(count: number): PairedBoxes[] {
  let state = comparison.seed
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  const boxes = (truth: Boxes['truth'], skill: number): Boxes => ({
    truth,
    found: Array.from({ length: 5 }, () => {
      const place = Math.floor(random() * 6)
      return found(place, random() * (place < truth.length ? 1 : 1 - skill), Number(random() > skill))
    }).sort((one, two) => two.score - one.score),
  })
  return Array.from({ length: count }, (_, index) => {
    const truth = Array.from({ length: 1 + Math.floor(random() * 4) }, (_none, place) => at(place, place % 2))
    return { group: `patient ${index >> 1}`, first: boxes(truth, 0.4), other: boxes(truth, 0.8) }
  })
}

/** mAP@50 as one would write it down: for every recall the best precision at it or beyond. */
function naive(images: readonly Boxes[]): number {
  const of = (index: number): number => {
    const positives = images.flatMap(({ truth }) => truth.filter((box) => box.class === index)).length
    const all = images
      .flatMap((boxes) => hitsOf(boxes).map((hit, place) => ({ hit, box: boxes.found[place] })))
      .filter(({ box }) => box?.class === index)
      .sort((one, two) => (two.box?.score ?? 0) - (one.box?.score ?? 0))
    const steps = all.map((_, end) => {
      const right = all.slice(0, end + 1).filter(({ hit }) => hit).length
      return { right, precision: right / (end + 1) }
    })
    const best = (recall: number) =>
      Math.max(
        0,
        ...steps.filter(({ right }) => right * 100 >= recall * positives).map(({ precision }) => precision),
      )
    const recalls = Array.from({ length: 101 }, (_, recall) => best(recall))
    return positives === 0 ? Number.NaN : recalls.reduce((sum, value) => sum + value, 0) / 101
  }
  const values = [of(0), of(1)].filter(Number.isFinite)
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low + (high - low) * (place % 1)
}

import { describe, expect, it } from 'vitest'
import { growWire, startWire, wireTo, wireWindow } from '../../src/features/labelling/assist/live-wire.ts'
import { greyOf, type Point } from '../../src/features/labelling/assist/plane.ts'
import {
  LONGEST_STEP,
  stepCost,
  type WireCosts,
  ways,
  wireCosts,
} from '../../src/features/labelling/assist/wire-costs.ts'
import { makeRandom } from './drawn.ts'

const windowOf = (width: number, height: number) => ({
  left: 0,
  top: 0,
  right: width - 1,
  bottom: height - 1,
})

/** A bright disc on dark ground, with noise. */
function discCosts(): WireCosts {
  const random = makeRandom(3)
  const values = Float32Array.from({ length: 80 * 80 }, (_, at) => {
    const isIn = Math.hypot((at % 80) - 40, Math.floor(at / 80) - 40) < 25
    return (isIn ? 180 : 60) + random(20)
  })
  return wireCosts({ width: 80, height: 80, values }, windowOf(80, 80))
}

describe('the live wire', () => {
  it('follows the border of a disc instead of the straight line', () => {
    const path = wireTo(startWire(discCosts(), { x: 15, y: 40 }), { x: 40, y: 15 })
    for (const { x, y } of path) expect(Math.abs(Math.hypot(x - 40, y - 40) - 25)).toBeLessThan(2)
  })

  it('leads from the anchor to the pointer, from pixel to neighbour', () => {
    const path = wireTo(startWire(discCosts(), { x: 5, y: 70 }), { x: 60, y: 9 })
    expect([path[0], path.at(-1)]).toEqual([
      { x: 5, y: 70 },
      { x: 60, y: 9 },
    ])
    for (const [place, { x, y }] of path.slice(1).entries()) {
      expect(Math.max(Math.abs(x - (path[place]?.x ?? 0)), Math.abs(y - (path[place]?.y ?? 0)))).toBe(1)
    }
  })

  it('sees colours by their brightness', () => {
    const values = Uint8ClampedArray.from({ length: 4 * 900 }, (_, at) => {
      const isRight = Math.floor(at / 4) % 30 >= 12
      return (isRight ? [90, 160, 40, 255] : [90, 20, 40, 255])[at % 4] ?? 0
    })
    const grey = greyOf({ width: 30, height: 30, values })
    expect(grey.values[0]).toBeCloseTo(0.299 * 90 + 0.587 * 20 + 0.114 * 40, 4)
    const path = wireTo(startWire(wireCosts(grey, windowOf(30, 30)), { x: 12, y: 1 }), { x: 12, y: 28 })
    for (const { x } of path) expect([11, 12]).toContain(x)
  })

  it('is straight where nothing is to be followed', () => {
    const costs = wireCosts({ width: 30, height: 9, values: new Float32Array(270) }, windowOf(30, 9))
    expect(wireTo(startWire(costs, { x: 2, y: 4 }), { x: 27, y: 4 })).toHaveLength(26)
  })

  it('costs no more than any other way, as the plainest search finds it', () => {
    const random = makeRandom(5)
    const values = Float32Array.from({ length: 14 * 11 }, () => random(256))
    const costs = wireCosts({ width: 14, height: 11, values }, windowOf(14, 11))
    const anchor = { x: 3, y: 8 }
    const wire = startWire(costs, anchor)
    const cheapest = plainDijkstra(costs, anchor)
    // Pointers in any order: what was found for one serves the next.
    for (let round = 0; round < 60; round++) {
      const end = { x: random(14), y: random(11) }
      expect(costOf(costs, wireTo(wire, end))).toBe(cheapest[end.y * 14 + end.x])
    }
  })

  it('can go on ahead of the pointer, until all of the window is known', () => {
    const wire = startWire(discCosts(), { x: 40, y: 40 })
    let turns = 1
    while (growWire(wire, 1000)) turns++
    expect(turns).toBe(7)
    expect(wire.isFinal.every((value) => value === 1)).toBe(true)
  })

  it('stays in its window and takes pointers beside it at the rim', () => {
    const values = new Float32Array(100 * 50)
    const costs = wireCosts({ width: 100, height: 50, values }, { left: 20, top: 10, right: 59, bottom: 39 })
    expect(wireTo(startWire(costs, { x: 30, y: 20 }), { x: 99, y: 20 }).at(-1)).toEqual({ x: 59, y: 20 })
  })

  it.each([
    { size: { width: 3000, height: 2000 }, anchor: { x: 1500, y: 100 }, window: [988, 0, 2011, 1023] },
    { size: { width: 3000, height: 2000 }, anchor: { x: 2990, y: 1999 }, window: [1976, 976, 2999, 1999] },
    { size: { width: 300, height: 200 }, anchor: { x: 0, y: 0 }, window: [0, 0, 299, 199] },
  ])('looks at up to 1024 pixels each way around $anchor', ({ size, anchor, window }) => {
    const { left, top, right, bottom } = wireWindow(anchor, size)
    expect([left, top, right, bottom]).toEqual(window)
  })

  it('has steps of 1 up to the longest', () => {
    const costs = discCosts()
    const steps = ways.flatMap(([dx, dy], way) =>
      Array.from({ length: 60 }, (_, at) => {
        const from = (at + 10) * 81
        return stepCost(costs, from, from + dy * 80 + dx, way)
      }),
    )
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(1)
    expect(Math.max(...steps)).toBeLessThanOrEqual(LONGEST_STEP)
  })
})

function costOf(costs: WireCosts, path: Point[]): number {
  return path.slice(1).reduce((sum, { x, y }, place) => {
    const before = path[place] ?? { x: 0, y: 0 }
    const way = ways.findIndex(([dx, dy]) => dx === x - before.x && dy === y - before.y)
    return sum + stepCost(costs, before.y * costs.width + before.x, y * costs.width + x, way)
  }, 0)
}

/** Looks through all pixels for the next one each time. */
function plainDijkstra(costs: WireCosts, anchor: Point): number[] {
  const { width, height } = costs
  const known = Array<number>(width * height).fill(Number.POSITIVE_INFINITY)
  const waiting = new Set(known.keys())
  known[anchor.y * width + anchor.x] = 0
  while (waiting.size > 0) {
    const at = [...waiting].reduce((best, other) => ((known[other] ?? 0) < (known[best] ?? 0) ? other : best))
    waiting.delete(at)
    ways.forEach(([dx, dy], way) => {
      const [x, y] = [(at % width) + dx, Math.floor(at / width) + dy]
      if (x < 0 || y < 0 || x >= width || y >= height) return
      const cost = (known[at] ?? 0) + stepCost(costs, at, y * width + x, way)
      known[y * width + x] = Math.min(known[y * width + x] ?? 0, cost)
    })
  }
  return known
}

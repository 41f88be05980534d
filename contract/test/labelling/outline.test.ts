import { outline, type Polygon, simplified } from '@neuroloom/contract/labelling/outline'
import { rasterise } from '@neuroloom/contract/labelling/rasterise'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../network/random.ts'
import { byChance, drawn } from './drawn.ts'

/** Twice the area a ring encloses; positive when it runs clockwise on a screen. */
const area = (ring: Polygon[number]) =>
  ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [0, 0]
    return sum + x * nextY - nextX * y
  }, 0) / 2

describe('the outline of a mask', () => {
  it('runs around pixels, not through their middles', () => {
    expect(outline(drawn('...', '.#.', '...'))).toEqual([[[[1, 1], [2, 1], [2, 2], [1, 2]]]]) // biome-ignore format: a ring
  })

  it.each([
    { name: 'nothing', rows: ['...'], holes: [] },
    { name: 'pixels that touch at a corner are two regions', rows: ['#.', '.#'], holes: [0, 0] },
    { name: 'the same, the other way', rows: ['.#', '#.'], holes: [0, 0] },
    { name: 'a hole', rows: ['####', '#..#', '####'], holes: [1] },
    { name: 'holes that touch at a corner are one', rows: ['####', '#.##', '##.#', '####'], holes: [1] },
    { name: 'two holes', rows: ['#####', '#.#.#', '#####'], holes: [2] },
    { name: 'an island in a hole', rows: ['#####', '#...#', '#.#.#', '#...#', '#####'], holes: [1, 0] },
    {
      name: 'a hole in an island in a hole',
      rows: ['#######', '#.....#', '#.###.#', '#.#.#.#', '#.###.#', '#.....#', '#######'],
      holes: [1, 1],
    },
    { name: 'a mouth is no hole', rows: ['###', '#.#', '#.#'], holes: [0] },
  ])('tells regions and holes: $name', ({ rows, holes }) => {
    expect(outline(drawn(...rows)).map((polygon) => polygon.length - 1)).toEqual(holes)
  })

  it('runs clockwise around regions, against the clock around holes, and encloses as much as is drawn', () => {
    const random = makeRandom(4)
    for (let round = 0; round < 20; round++) {
      const mask = byChance(random, { width: 23, height: 17, rounds: round % 3 })
      const polygons = outline(mask)
      const pixels = mask.values.reduce((sum, value) => sum + value, 0)
      expect(polygons.flat().reduce((sum, ring) => sum + area(ring), 0)).toBe(pixels)
      for (const [border, ...holes] of polygons) {
        expect(area(border)).toBeGreaterThan(0)
        for (const hole of holes) expect(area(hole)).toBeLessThan(0)
        // Each hole lies in its own border.
        const whole = rasterise([[border]], mask)
        for (const hole of holes) {
          expect(rasterise([[hole]], mask).every((value, at) => value <= (whole[at] ?? 0))).toBe(true)
        }
      }
    }
  })

  it('gives the same mask back, to the pixel', () => {
    const random = makeRandom(5)
    for (let round = 0; round < 60; round++) {
      const size = { width: 1 + random.below(40), height: 1 + random.below(40) }
      const mask = byChance(random, { ...size, rounds: round % 4 })
      expect(rasterise(outline(mask), mask)).toEqual(mask.values)
    }
  })

  it('is made simpler within the tolerance', () => {
    const size = { width: 100, height: 80 }
    const values = Uint8Array.from({ length: 8000 }, (_, at) =>
      Number(Math.hypot((at % 100) - 50, Math.floor(at / 100) - 40) < 30),
    )
    const [exact, loose] = [outline({ ...size, values }), outline({ ...size, values }, 1)]
    expect(loose[0]?.[0].length).toBeLessThan((exact[0]?.[0].length ?? 0) / 4)
    const difference = rasterise(loose, size).filter((value, at) => value !== values[at]).length
    expect(difference).toBeLessThan(0.05 * values.reduce((sum, value) => sum + value, 0))
  })

  it('leaves out no corner that lies farther away than the tolerance', () => {
    const ring = [[0, 0], [4, 0.9], [8, 0], [8, 6], [4, 7.2], [0, 6]] as const // biome-ignore format: a ring
    expect(simplified(ring, 1)).toEqual([[0, 0], [8, 0], [8, 6], [4, 7.2], [0, 6]]) // biome-ignore format: a ring
  })

  it('is never less than a triangle', () => {
    const [polygon] = outline(drawn('...', '.#.', '...'), 50)
    expect(polygon?.[0]).toHaveLength(3)
  })
})

describe('rasterising polygons', () => {
  const size = { width: 8, height: 8 }
  const count = (mask: Uint8Array) => mask.reduce((sum, value) => sum + value, 0)

  it('takes the middles of pixels by the even-odd rule', () => {
    const random = makeRandom(6)
    for (let round = 0; round < 200; round++) {
      const ring = Array.from(
        { length: 3 + random.below(6) },
        () => [random.below(90) / 9 - 1, random.below(90) / 9 - 1] as const,
      )
      const mask = rasterise([[ring]], size)
      const expected = Array.from({ length: 64 }, (_, at) =>
        Number(isInside(ring, (at % 8) + 0.5, Math.floor(at / 8) + 0.5)),
      )
      if (expected.includes(1)) expect([...mask]).toEqual(expected)
    }
  })

  it('leaves out what a line that crosses itself goes around twice', () => {
    // A pentagram: its five points are in, the pentagon in the middle is out.
    const star = [0, 2, 4, 1, 3].map((tip) => {
      const turn = (tip * 2 * Math.PI) / 5 - Math.PI / 2
      return [50 + 45 * Math.cos(turn), 50 + 45 * Math.sin(turn)] as const
    })
    const mask = rasterise([[star]], { width: 100, height: 100 })
    expect(mask[50 * 100 + 50]).toBe(0)
    expect(mask[20 * 100 + 50]).toBe(1)
  })

  it('gives each pixel to one of two polygons that share an edge', () => {
    const left = [[0, 0], [2.5, 0], [4.5, 8], [0, 8]] as const // biome-ignore format: a ring
    const right = [[2.5, 0], [8, 0], [8, 8], [4.5, 8]] as const // biome-ignore format: a ring
    const [first, other] = [rasterise([[left]], size), rasterise([[right]], size)]
    expect(first.map((value, at) => value + (other[at] ?? 0))).toEqual(new Uint8Array(64).fill(1))
  })

  it('puts polygons beside and over each other together', () => {
    const one = [[0, 0], [4, 0], [4, 4], [0, 4]] as const // biome-ignore format: a ring
    const two = [[2, 2], [6, 2], [6, 6], [2, 6]] as const // biome-ignore format: a ring
    expect(count(rasterise([[one], [two]], size))).toBe(28)
    expect(count(rasterise([[one, two]], size))).toBe(24)
  })

  it.each(
    [
    { name: 'a speck within a pixel', ring: [[3.1, 3.1], [3.3, 3.1], [3.2, 3.4]], pixels: [[3, 3]] },
    { name: 'a point', ring: [[2.2, 5.7]], pixels: [[2, 5]] },
    { name: 'a hair', ring: [[1.1, 2.1], [4.1, 2.1], [4.1, 2.2]], pixels: [[1, 2], [2, 2], [3, 2], [4, 2]] },
  ] as { name: string; ring: [number, number][]; pixels: [number, number][] }[], // biome-ignore format: a table
  )('does not let vanish what holds no middle of a pixel: $name', ({ ring, pixels }) => {
    const mask = rasterise([[ring]], size)
    expect([...mask.keys()].filter((at) => mask[at] === 1)).toEqual(pixels.map(([x, y]) => y * 8 + x))
  })

  it('leaves out what lies outside the plane', () => {
    const square = (x: number, y: number) => [[x, y], [x + 4, y], [x + 4, y + 4], [x, y + 4]] as const // biome-ignore format: a ring
    expect(count(rasterise([[square(6, -2)]], size))).toBe(4)
    expect(count(rasterise([[square(20, 3)]], size))).toBe(0)
    expect(count(rasterise([[square(-9, -9)]], size))).toBe(0)
    expect(count(rasterise([[square(-3.7, 3)]], size))).toBe(0)
    const all = [[-1e12, -1e12], [1e12, -1e12], [1e12, 1e12], [-1e12, 1e12]] as const // biome-ignore format: a ring
    expect(count(rasterise([[all]], size))).toBe(64)
  })
})

/** W. R. Franklin's test, half-open as the product's. */
function isInside(ring: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let isIn = false
  ring.forEach(([x1, y1], at) => {
    const [x2, y2] = ring[(at + 1) % ring.length] ?? [0, 0]
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isIn = !isIn
  })
  return isIn
}

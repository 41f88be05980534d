import { describe, expect, it } from 'vitest'
import { giveawaysOf, type Told } from './giveaways.ts'

/** Evenly between 0 and 1, the same every time. */
function makeDraw(seed: number): () => number {
  let state = seed * 2654435761 + 12345
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const sizes = [256, 300, 512, 640]

function drawn(
  count: number,
  seed: number,
  make: (index: number, draw: () => number) => Partial<Told>,
): Told[] {
  const draw = makeDraw(seed)
  return Array.from({ length: count }, (_, index) => {
    const side = sizes[Math.floor(draw() * sizes.length)] ?? 256
    const noise = { width: side, height: side, mean: draw(), format: draw() < 0.5 ? 'png' : 'jpeg' }
    return { class: index % 2, group: `${index}`, ...noise, ...make(index, draw) }
  })
}

describe('what alone tells the class', () => {
  it.each([12, 30, 300])('is nothing in noise of %i pictures', (count) => {
    const named = Array.from({ length: 100 }, (_, seed) => giveawaysOf(drawn(count, seed, () => ({}))).length)
    // 200 sets would let one or two through by chance; that is what was promised.
    expect(named.filter((found) => found > 0).length).toBeLessThanOrEqual(2)
  })

  it('is nothing in noise of many pictures of few patients', () => {
    const named = Array.from({ length: 60 }, (_, seed) => {
      const draw = makeDraw(seed + 500)
      const usual = Array.from({ length: 6 }, () => draw())
      return giveawaysOf(
        drawn(300, seed, (index) => {
          const patient = index % 6
          return { class: patient % 2, group: `p${patient}`, mean: usual[patient] ?? 0 }
        }),
      ).filter(({ by }) => by === 'brightness').length
    })
    expect(named.filter((found) => found > 0).length).toBeLessThanOrEqual(1)
  })

  it.each([12, 30, 300])('is the size, where each class of %i pictures has its own', (count) => {
    const told = drawn(count, 1, (index) => ({ width: index % 2 ? 640 : 512, height: 480 }))
    expect(giveawaysOf(told)).toEqual([{ by: 'size', accuracy: 1, chance: 0.5 }])
  })

  it.each([30, 300])('is the size of %i pictures, where each is another and one class is larger', (count) => {
    const told = drawn(count, 2, (index, draw) => {
      const side = Math.round((index % 2 ? 900 : 500) + draw() * 200)
      return { width: side, height: side }
    })
    const [found] = giveawaysOf(told)
    expect(found?.by).toBe('size')
    expect(found?.accuracy).toBeGreaterThan(0.8)
  })

  it('is the brightness, with how often it is right', () => {
    const told = drawn(300, 3, (index, draw) => ({ mean: 0.4 * draw() + (index % 2 ? 0.4 : 0.2) }))
    const [found, ...others] = giveawaysOf(told)
    expect(others).toEqual([])
    expect(found).toMatchObject({ by: 'brightness', chance: 0.5 })
    expect(found?.accuracy).toBeGreaterThan(0.65)
    expect(found?.accuracy).toBeLessThan(0.8)
  })

  it('is the kind of file, where one class came from another device', () => {
    const told = drawn(30, 4, (index) => ({ format: index % 2 ? 'png' : 'tiff' }))
    expect(giveawaysOf(told)).toEqual([{ by: 'format', accuracy: 1, chance: 0.5 }])
  })

  it('is measured against the largest class, and needs two', () => {
    const lopsided = drawn(100, 5, (index) => ({
      class: index < 80 ? 0 : 1,
      format: index < 80 ? 'png' : 'tiff',
    }))
    expect(giveawaysOf(lopsided)).toEqual([])
    expect(giveawaysOf(drawn(30, 6, () => ({ class: 0 })))).toEqual([])
    expect(giveawaysOf([])).toEqual([])
  })
})

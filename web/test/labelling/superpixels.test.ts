import { components } from '@neuroloom/contract/labelling/components'
import { describe, expect, it } from 'vitest'
import { labBands } from '../../src/features/labelling/assist/bands.ts'
import {
  type Superpixels,
  superpixelsOfColour,
  superpixelsOfGrey,
} from '../../src/features/labelling/assist/superpixels.ts'
import { makeRandom } from './drawn.ts'

const random = makeRandom(6)
const isBright = (at: number) => at % 60 > 22 && Math.floor(at / 60) < 31
const grey = {
  ...{ width: 60, height: 50 },
  values: Float32Array.from({ length: 3000 }, (_, at) => (isBright(at) ? 900 : 200) + random(80)),
}

function expectWhole({ width, height, numbers, count }: Superpixels) {
  for (let number = 0; number < count; number++) {
    const { sizes } = components(
      numbers.map((value) => Number(value === number)),
      [width, height, 1],
      false,
    )
    expect(sizes).toHaveLength(2)
  }
}

describe('superpixels', () => {
  it('hang together, are numbered without gaps, and are about as many as asked for', () => {
    const superpixels = superpixelsOfGrey(grey, { step: 10 })
    expect(superpixels.count).toBeGreaterThan(24)
    expect(superpixels.count).toBeLessThan(40)
    expectWhole(superpixels)
  })

  it('end where the picture changes', () => {
    const { numbers, count } = superpixelsOfGrey(grey, { step: 10 })
    let wrong = 0
    for (let number = 0; number < count; number++) {
      const pixels = [...numbers.keys()].filter((at) => numbers[at] === number)
      const bright = pixels.filter(isBright).length
      wrong += Math.min(bright, pixels.length - bright)
    }
    expect(wrong).toBeLessThan(30)
  })

  it('are squares when they are to be compact', () => {
    const { numbers, count } = superpixelsOfGrey(grey, { step: 10, compactness: 1e6 })
    expect(count).toBe(30)
    for (let number = 0; number < count; number++) {
      const pixels = [...numbers.keys()].filter((at) => numbers[at] === number)
      const columns = new Set(pixels.map((at) => at % 60))
      const rows = new Set(pixels.map((at) => Math.floor(at / 60)))
      expect(columns.size * rows.size).toBe(pixels.length)
      expect(Math.max(columns.size, rows.size)).toBeLessThanOrEqual(12)
    }
  })

  it('tell colours of the same brightness apart', () => {
    const values = Uint8ClampedArray.from({ length: 4 * 1600 }, (_, at) => {
      const isLeft = Math.floor(at / 4) % 40 < 17
      return (isLeft ? [200, 80, 80, 255] : [60, 133, 80, 255])[at % 4] ?? 0
    })
    const superpixels = superpixelsOfColour({ width: 40, height: 40, values }, { step: 10 })
    expectWhole(superpixels)
    const { numbers } = superpixels
    for (let y = 0; y < 40; y++) expect(numbers[y * 40 + 16]).not.toBe(numbers[y * 40 + 17])
  })

  it('are one in a picture smaller than a step', () => {
    const { count } = superpixelsOfGrey({ width: 4, height: 3, values: new Float32Array(12) }, { step: 10 })
    expect(count).toBe(1)
  })
})

describe('lightness and colour', () => {
  it.each([
    { colour: [255, 255, 255], lab: [100, 0, 0] },
    { colour: [0, 0, 0], lab: [0, 0, 0] },
    { colour: [255, 0, 0], lab: [53.2, 80.1, 67.2] },
    { colour: [0, 0, 255], lab: [32.3, 79.2, -107.9] },
  ])('of $colour are $lab', ({ colour, lab }) => {
    const { lightness, red, yellow } = labBands({
      width: 1,
      height: 1,
      values: Uint8ClampedArray.from([...colour, 255]),
    })
    const found = [lightness[0], red[0], yellow[0]]
    lab.forEach((value, band) => {
      expect(Math.abs((found[band] ?? 0) - value)).toBeLessThan(0.15)
    })
  })
})

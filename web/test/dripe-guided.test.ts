import type { Library } from '@neuroloom/contract/network/library'
import { presetSizes } from '@neuroloom/contract/network/templates'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadLibrary } from '../src/features/networks/library.ts'
import { rangeOf, sized, startOf, tryOut } from '../src/features/networks/panels/guided-size.ts'
import { recommend } from '../src/features/networks/panels/recommend.ts'
import { imageFacts, makeDataset } from './runs-make.ts'

let library: Library
beforeAll(async () => {
  library = await loadLibrary()
})

const span = { min: 96, median: 128, max: 160 }
const datasets = (['classification', 'segmentation'] as const).map((task) =>
  makeDataset({
    task,
    classes: ['a', 'b', 'c'],
    facts: { ...imageFacts, items: 200, width: span, height: span, channels: 1, classCounts: [100, 50, 50] },
  }),
)
const cases = datasets.flatMap((dataset) =>
  recommend(dataset).flatMap(({ template }) =>
    presetSizes.map((size) => [`${template.id}, ${size}`, { dataset, template, size }] as const),
  ),
)

describe('the sliders of the guided start', () => {
  it.each(cases)('%s: every width and depth is a network without mistakes', (_, start) => {
    const document = startOf(library, start)
    if (document === undefined) throw new Error('no such network')
    const learned = (['width', 'depth'] as const).map((dimension) => {
      const range = rangeOf(document, dimension)
      if (range === null) return []
      const count = (range.max - range.min) / range.step
      expect(Number.isInteger(count)).toBe(true)
      return Array.from({ length: count + 1 }, (_, k) => range.min + k * range.step).map((value) => {
        const trial = tryOut(sized(document, { [dimension]: value }), library, start.dataset)
        return trial?.plan.learn ?? 0
      })
    })
    expect(learned.flat().length).toBeGreaterThan(1)
    for (const counts of learned) {
      expect(counts).not.toContain(0)
      expect(counts).toEqual([...counts].sort((a, b) => a - b))
    }
  })

  it('works out what training would cost with its size of pictures, else with the designed one', () => {
    const [, start] = cases.find(([name]) => name === 'resnet18, full') ?? []
    const document = start && startOf(library, start)
    if (document === undefined) throw new Error('no such network')
    const sizeFor = (changes: Parameters<typeof makeDataset>[0]) =>
      tryOut(document, library, makeDataset({ ...start?.dataset, ...changes }))?.size
    expect(sizeFor({})).toEqual([128, 128])
    expect(sizeFor({ facts: null })).toEqual([224, 224])
  })
})

import type { Library } from '@neuroloom/contract/network/library'
import { presetSizes } from '@neuroloom/contract/network/templates'
import { axesOf, isRestoration, tasks } from '@neuroloom/contract/task'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadLibrary } from '../../src/features/networks/library.ts'
import { rangeOf, sized, startOf, tryOut } from '../../src/features/networks/panels/guided/guided-size.ts'
import { recommend } from '../../src/features/networks/panels/guided/recommend.ts'
import { imageFacts, makeDataset } from '../runs/runs-make.ts'

let library: Library
beforeAll(async () => {
  library = await loadLibrary()
})

const span = { min: 96, median: 128, max: 160 }
const datasets = tasks.map((task) => {
  const classes = isRestoration(task) ? [] : ['a', 'b', 'c']
  return makeDataset({
    task,
    classes,
    facts: {
      ...imageFacts,
      ...{ items: 200, width: span, height: span, channels: 1 },
      classCounts: classes.map(() => 50),
      depth: axesOf(task) === 3 ? span : null,
      factor: task === 'super_resolution' ? 2 : null,
    },
  })
})
const cases = datasets.flatMap((dataset) =>
  recommend(dataset).flatMap(({ template }) =>
    presetSizes.map(
      (size) => [`${dataset.task}: ${template.id}, ${size}`, { dataset, template, size }] as const,
    ),
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
    const [, start] = cases.find(([name]) => name === 'classification: resnet18, full') ?? []
    const document = start && startOf(library, start)
    if (document === undefined) throw new Error('no such network')
    const sizeFor = (changes: Parameters<typeof makeDataset>[0]) =>
      tryOut(document, library, makeDataset({ ...start?.dataset, ...changes }))?.size
    expect(sizeFor({})).toEqual([128, 128])
    expect(sizeFor({ facts: null })).toEqual([224, 224])
  })
})

describe('the recommended network', () => {
  const firstFor = (task: string) => recommend(datasets.find((one) => one.task === task) ?? makeDataset())[0]

  it.each([
    ['multilabel', 'mobilenetv2', 'fewPictures'],
    ['segmentation', 'unet_small', 'marking'],
    ['volume_segmentation', 'unet3d', 'markingVolumes'],
    ['detection', 'yolo', 'finding'],
    ['super_resolution', 'edsr', 'finer'],
  ])('of %s is %s', (task, id, reason) => {
    expect(firstFor(task)).toMatchObject({ template: { id }, reason })
  })

  it('reads what the data are: volumes are not for flat pictures', () => {
    expect(recommend(makeDataset({ task: 'segmentation' })).map(({ template }) => template.id)).not.toContain(
      'unet3d',
    )
  })
})

import type { DataFacts } from '@neuroloom/contract/datasets'
import { dataCautions } from '@neuroloom/contract/suggest/suggest-cautions'
import type { Task } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'

const side = { min: 64, median: 64, max: 64 }
const plain: DataFacts = {
  ...{ items: 200, width: side, height: side, channels: 1, classCounts: [100, 100] },
  ...{ depth: null, spacing: null, factor: null, boxSide: null, given: null, patients: null },
}
const told = (changes: Partial<DataFacts>, task: Task = 'classification') =>
  dataCautions({ task, classes: ['healthy', 'ill'], facts: { ...plain, ...changes } }).map(
    ({ name, params }) => [name, params],
  )
const given = { train: 160, validation: 0, test: 40 }
const doubles = { items: 0, groups: 0, pairs: 0, loose: 0, crossing: 5, aside: 0 }

describe('what the data say before training', () => {
  it('is nothing where nothing is unusual', () => {
    expect(told({})).toEqual([])
    expect(told({ given, absent: { train: [], test: [] } })).toEqual([])
  })

  it.each<[string, Partial<DataFacts>, Task, [string, object][]]>([
    ['few tests', { items: 60 }, 'classification', [['few_test', { count: 12, wanted: 20 }]]],
    [
      'a class that a given part lacks',
      { given, absent: { train: [1], test: [0] } },
      'classification',
      [
        ['class_missing_train', { classes: 'ill' }],
        ['class_missing_test', { classes: 'healthy' }],
      ],
    ],
    ['doubles on both sides', { given, doubles }, 'segmentation', [['test_also_learned', { count: 5 }]]],
    [
      'doubles that were left aside',
      { given: { ...given, test: 35 }, doubles: { ...doubles, aside: 5 } },
      'classification',
      [],
    ],
    ['items of no part', { given, items: 207 }, 'classification', [['no_part', { count: 7 }]]],
    ['decimal numbers', { stretched: 3 }, 'detection', [['brightness_stretched', { count: 3 }]]],
    [
      'sizes far apart',
      { width: { ...side, max: 640 } },
      'classification',
      [['sizes_differ', { least: '64 × 64', most: '640 × 64' }]],
    ],
    ['sizes far apart in restoration', { width: { ...side, max: 640 } }, 'denoising', []],
    [
      'few boxes',
      { classCounts: [300, 4] },
      'detection',
      [['few_boxes', { class: 'ill', count: 4, wanted: 20 }]],
    ],
    [
      'a tiny area',
      { classCounts: [1_000_000, 250] },
      'segmentation',
      [['area_tiny', { class: 'ill', percent: 0.025 }]],
    ],
  ])('names %s', (_, changes, task, wanted) => {
    expect(told(changes, task)).toEqual(wanted)
  })
})

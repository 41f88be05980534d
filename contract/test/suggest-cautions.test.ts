import type { DataFacts } from '@neuroloom/contract/datasets'
import { askedFor } from '@neuroloom/contract/suggest/asking'
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
const origin: NonNullable<DataFacts['origin']> = {
  ...{ items: 200, patients: 60, single: 0, pattern: 'p…', samples: [], options: [] },
  ...{ rule: { by: 'file' }, isChosen: false, pairs: 0, tooFew: 0, crossing: 0, aside: 0 },
}
const doubles = { items: 0, groups: 0, pairs: 0, loose: 0, crossing: 5, aside: 0 }

it('calls a class missing where two others are learned from', () => {
  const classes = ['healthy', 'ill', 'unsure']
  const facts = { ...plain, classCounts: [80, 80, 40], given, absent: { train: [2], test: [] } }
  const found = dataCautions({ task: 'classification', classes, facts })
  expect(found).toEqual([{ name: 'class_missing_train', params: { classes: 'unsure' } }])
  expect(askedFor(found)).toBeNull()
})

it('asks for a word for the gravest alone', () => {
  const few = { name: 'few_per_class', params: {} } as const
  const one = { name: 'one_class_train', params: { class: 'ill' } } as const
  expect(askedFor([few, one])).toBe(one)
  expect(askedFor([{ name: 'few_test', params: {} }, few])).toBe(few)
})

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
        ['one_class_train', { class: 'healthy', classes: 'ill' }],
        ['class_missing_test', { classes: 'healthy' }],
      ],
    ],
    ['one patient to learn from', { given, learners: 1 }, 'classification', [['one_patient_train', {}]]],
    [
      'one patient to learn from where others are given to check with',
      { given: { ...given, validation: 9, train: 151 }, learners: 1 },
      'classification',
      [],
    ],
    ['doubles on both sides', { given, doubles }, 'segmentation', [['test_also_learned', { count: 5 }]]],
    [
      'doubles that were left aside',
      { given: { ...given, test: 35 }, doubles: { ...doubles, aside: 5 } },
      'classification',
      [],
    ],
    [
      'test items whose patients are learned from',
      { given, origin: { ...origin, crossing: 7 } },
      'classification',
      [['test_patients_learned', { count: 7 }]],
    ],
    [
      'test items of known patients that were left aside',
      { given: { ...given, test: 33 }, origin: { ...origin, crossing: 7, aside: 7 } },
      'classification',
      [],
    ],
    [
      'what alone tells the class',
      {
        giveaway: [
          { by: 'size', accuracy: 0.914, chance: 0.5 },
          { by: 'format', accuracy: 0.7, chance: 0.5 },
        ],
      },
      'classification',
      [
        ['giveaway_size', { accuracy: 91, chance: 50 }],
        ['giveaway_format', { accuracy: 70, chance: 50 }],
      ],
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

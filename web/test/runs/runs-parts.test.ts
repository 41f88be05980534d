import { builtInNetworks } from '@neuroloom/contract/built-in-networks'
import type { LiveEvent } from '@neuroloom/contract/live'
import { shareOf } from '@neuroloom/contract/run-progress'
import { type Facts, suggest } from '@neuroloom/contract/suggest/suggest'
import { axesOf, isRestoration, tasks } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'
import { applyEvent, warningOf } from '../../src/features/runs/apply-event.ts'
import { journeyOf } from '../../src/features/runs/journey.ts'
import { acrossFolds, chartsOf } from '../../src/features/runs/results/curve-series.ts'
import { orderedMetrics } from '../../src/features/runs/results/metrics.ts'
import { learningRates } from '../../src/features/runs/train/learning-rates.ts'
import { changesOf, type Draft, draftOf, errorsOf } from '../../src/features/runs/train/settings-draft.ts'
import { formatRate } from '../../src/lib/format.ts'
import { formatMetric, formatScore, formatTicks } from '../../src/lib/metric.ts'
import { textsOf } from '../texts.ts'
import {
  holdout,
  hyper,
  imageFacts,
  makeDataset,
  makeDetail,
  makeDone,
  makeRun,
  makeSuggestion,
} from './runs-make.ts'

describe('the draft of the settings', () => {
  const suggestion = makeSuggestion()
  const draft = draftOf(suggestion)

  it('sends nothing while nothing was changed', () => {
    expect(changesOf(draft, suggestion)).toEqual({ hyper: {}, validation: null })
  })

  it('sends a changed picture size as height and width together', () => {
    expect(changesOf({ ...draft, imageWidth: 96 }, suggestion).hyper).toEqual({ imageSize: [64, 96] })
  })

  it('sends cross-validation with the seed that was suggested', () => {
    const { validation } = changesOf({ ...draft, method: 'kfold', splits: 8 }, suggestion)
    expect(validation).toEqual({ method: 'kfold', splits: 8, seed: 7 })
  })

  it('neither checks nor sends a setting that the chosen schedule does not use', () => {
    const changed = { ...draft, decayInterval: null, decayRatio: 0.9 }
    expect(errorsOf(changed)).toEqual({})
    expect(changesOf(changed, suggestion).hyper).toEqual({})
    expect(errorsOf({ ...changed, scheduler: 'step' })).toMatchObject({ decayInterval: { key: 'required' } })
  })

  it('smooths labels in cross-entropy alone', () => {
    const smoothed = makeSuggestion({ hyper: { ...suggestion.hyper, labelSmoothing: 0.1 } })
    const own = draftOf(smoothed)
    expect(errorsOf({ ...own, labelSmoothing: null })).toMatchObject({ labelSmoothing: { key: 'required' } })
    expect(errorsOf({ ...own, labelSmoothing: 0.6 })).toMatchObject({ labelSmoothing: { key: 'range' } })
    expect(changesOf({ ...own, labelSmoothing: 0 }, smoothed).hyper).toEqual({ labelSmoothing: 0 })
    const focal: Draft = { ...own, criterion: 'focal', labelSmoothing: null }
    expect(errorsOf(focal)).toEqual({})
    expect(changesOf(focal, smoothed).hyper).toEqual({ criterion: 'focal' })
  })

  it.each([
    ['epochs', 0, 'range'],
    ['epochs', 1.5, 'whole'],
    ['batchSize', null, 'required'],
    ['learningRate', 2, 'range'],
  ] as const)('finds %s = %s wrong (%s)', (field, value, key) => {
    expect(errorsOf({ ...draft, [field]: value })).toMatchObject({ [field]: { key } })
  })

  it('keeps the split that the data set brings along, and sends another one that was chosen', () => {
    const given = makeSuggestion({ validation: { method: 'given', seed: 7 } })
    const own = draftOf(given)
    expect(changesOf(own, given).validation).toBeNull()
    expect(changesOf({ ...own, method: 'holdout' }, given).validation).toEqual(holdout)
    expect(changesOf({ ...own, method: 'given' }, suggestion).validation).toEqual({
      method: 'given',
      seed: 7,
    })
  })

  it.each([4, 11])('allows five to ten parts of cross-validation, not %i', (splits) => {
    expect(errorsOf({ ...draft, method: 'kfold', splits })).toHaveProperty('splits')
  })
})

describe('the drawn learning rate', () => {
  const rates = (changes: Partial<typeof hyper>) =>
    learningRates({ ...hyper, learningRate: 1, epochs: 4, ...changes })

  it('stays, falls in steps, or falls by a factor', () => {
    expect(rates({ scheduler: 'constant' })).toEqual([1, 1, 1, 1])
    expect(rates({ scheduler: 'step', decayInterval: 2, decayRatio: 0.1 })).toEqual([1, 1, 0.1, 0.1])
    expect(rates({ scheduler: 'exponential', decayRatio: 0.5 })).toEqual([1, 0.5, 0.25, 0.125])
  })

  it('falls along a half cosine', () => {
    expect(rates({ scheduler: 'cosine' })[2]).toBeCloseTo(0.5)
  })

  it('rises to its peak after a quarter of one cycle', () => {
    const [first, second, third] = rates({ scheduler: 'onecycle' })
    expect(first).toBeCloseTo(1 / 25)
    expect(second).toBeCloseTo(1)
    expect(third).toBeLessThan(1)
  })
})

describe('a live event', () => {
  const event = (type: string, data: Record<string, unknown>, id = 5): LiveEvent => ({
    id,
    topic: { kind: 'run', id: 'run-1' },
    type,
    data,
  })
  const point = { split: 'validation', fold: 0, epoch: 2, perClass: [], confusion: null }

  it('puts a validated epoch on the curves once, however often it comes', () => {
    const first = event('metrics', { ...point, values: { accuracy: 0.5 }, best: false })
    const again = event('metrics', { ...point, values: { accuracy: 0.6 }, best: false })
    const { detail, stale } = applyEvent(applyEvent(makeDetail(makeRun()), first).detail, again)
    expect(detail.curves).toEqual([{ fold: 0, epoch: 2, split: 'validation', values: { accuracy: 0.6 } }])
    expect(stale).toBe(false)
  })

  it('makes the best epoch the result so far', () => {
    const best = event('metrics', { ...point, values: { accuracy: 0.9 }, best: true })
    expect(applyEvent(makeDetail(makeRun()), best).detail.run.metrics).toEqual({ accuracy: 0.9 })
  })

  it('tells to ask the server when a state changed or pictures came', () => {
    expect(applyEvent(makeDetail(makeRun()), event('state', {})).stale).toBe(true)
    expect(applyEvent(makeDetail(makeRun()), event('preview', {})).stale).toBe(true)
  })

  it('changes nothing about a run that has ended', () => {
    const detail = makeDetail(makeDone())
    expect(applyEvent(detail, event('progress', { epoch: 1 }))).toEqual({ detail, stale: false })
  })

  it('carries a warning only where it is one', () => {
    const warning = event('warning', { code: 'disk_low', data: {} })
    expect(warningOf(warning)).toEqual({ code: 'disk_low', params: {} })
    expect(warningOf(event('phase', { phase: 'training' }))).toBeNull()
  })
})

describe('curves', () => {
  const curves = [0, 1].flatMap((fold) => [
    { fold, epoch: 1, split: 'train' as const, values: { loss: 1, learningRate: 0.1 } },
    { fold, epoch: 1, split: 'validation' as const, values: { loss: 2, accuracy: 0.8 + fold / 10 } },
  ])

  it('are those of one fold, loss first, without lines that have no value', () => {
    const charts = chartsOf(curves, 1, 'accuracy')
    expect(charts.map(({ key, series }) => [key, series.map(({ split }) => split)])).toEqual([
      ['loss', ['train', 'validation']],
      ['metric', ['validation']],
      ['learningRate', ['train']],
    ])
  })

  it('give mean and deviation of the best values over folds', () => {
    const result = acrossFolds(curves, 'accuracy')
    expect(result?.mean).toBeCloseTo(0.85)
    expect(result?.deviation).toBeCloseTo(0.0707, 3)
    expect(acrossFolds(curves.slice(0, 2), 'accuracy')).toBeNull()
  })
})

describe('figures', () => {
  it('stand in the order of the field, the spread over folds beside its mean', () => {
    expect(orderedMetrics({ loss: 1, accuracySd: 0, own: 1, macroF1: 1, accuracy: 1 })).toEqual([
      'accuracy',
      'macroF1',
      'loss',
      'own',
    ])
  })

  it('differ along an axis, however near they are', () => {
    expect(formatTicks('learningRate', [0.0002, 0.000205, 0.00021])).toEqual([
      '0.0002',
      '0.000205',
      '0.00021',
    ])
    expect(formatTicks('accuracy', [0.99, 0.9925, 0.995])).toEqual(['99%', '99.25%', '99.5%'])
    expect(formatTicks('loss', [0, 20, 40])).toEqual(['0', '20', '40'])
  })

  it('are written as the field writes them', () => {
    expect(formatMetric('accuracy', 0.98)).toBe('98.0%')
    expect(formatMetric('dice', 0.9)).toBe('0.900')
    expect(formatMetric('support', 20)).toBe('20')
    expect(formatMetric('psnr', 32.1)).toBe('32.10\u00A0dB')
    expect(formatMetric('map50', 0.5)).toBe('0.500')
    expect(formatScore('detection', 0.815)).toBe('81.5%')
    expect(formatScore('denoising', 28.456)).toBe('28.46\u00A0dB')
    expect(formatMetric('rocAuc', null)).toBe('–')
    expect(formatRate(0.00012345)).toBe('0.00012')
  })

  it('tell the share of a whole cross-validation', () => {
    const progress = { fold: 1, folds: 2, epoch: 1, epochs: 10, step: 0, steps: 5, loss: 0 }
    expect(shareOf({ ...progress, learningRate: 0, itemsPerSecond: 1, etaSeconds: 1 })).toBe(0.5)
  })
})

it.each([
  ['add_data', [], []],
  ['checking_data', [makeDataset({ state: 'checking' })], []],
  ['repair_data', [makeDataset({ state: 'failed' })], []],
  ['train', [makeDataset()], [makeRun({ state: 'failed' })]],
  ['follow', [makeDataset()], [makeRun({ state: 'queued' })]],
  ['read_result', [makeDataset()], [makeDone()]],
] as const)('a project waits for %s', (journey, datasets, runs) => {
  expect(journeyOf(datasets, runs)).toBe(journey)
})

describe('every sentence of a suggestion', () => {
  const names = reasonNames()

  it.each(['en', 'zh', 'ru'])('has a text in %s, and no text is without a reason', (language) => {
    const texts = Object.keys(textsOf(language, 'runs')).filter((key) => key.startsWith('reason.'))
    expect(texts.map((key) => key.replace('reason.', '')).sort()).toEqual(names)
  })
})

/** All reasons that come up over data, networks and devices of every kind. */
function reasonNames(): string[] {
  const found = new Set<string>()
  for (const facts of everyKindOfFacts()) for (const { reason } of suggest(facts).reasons) found.add(reason)
  return [...found].sort()
}

function* everyKindOfFacts(): Generator<Facts> {
  for (const task of tasks)
    for (const side of [16, 64, 1000])
      for (const items of [40, 2000, 200_000])
        for (const channels of [1, 3] as const)
          for (const memoryBytes of [null, 310_000_000])
            for (const [rare, macs] of [
              [10, 1e8],
              [100, 1e11],
            ] as const) {
              const span = { min: side, median: side, max: side }
              const isPlain = isRestoration(task)
              yield {
                task,
                classes: isPlain ? [] : ['a', 'b'],
                facts: {
                  ...imageFacts,
                  depth: axesOf(task) === 3 ? span : null,
                  given: channels === 1 ? null : { train: 30, validation: 0, test: 10 },
                  items,
                  width: span,
                  height: span,
                  channels,
                  classCounts: isPlain ? [] : [100, rare],
                },
                network: null,
                device: {
                  ...{ kind: channels === 1 ? 'cuda' : 'cpu', threads: 2, memoryBytes },
                  halfOps: ['conv'],
                },
                planFor: (network) => ({ ...plan, name: network, macs }),
                sizeFor: (_, { size }) => (memoryBytes === null ? size.map(() => 48) : size),
              }
            }
}

const plan = {
  v: 1 as const,
  name: builtInNetworks.classification[0],
  inputs: {},
  nodes: [],
  heads: {},
  learn: 1000,
  buffers: 0,
  macs: 1e8,
  keptBytes: 4e6,
  transientBytes: 1e6,
}

import { builtInNetworks } from '@neuroloom/contract/built-in-networks'
import type { DataFacts } from '@neuroloom/contract/datasets'
import { training } from '@neuroloom/contract/limits'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { type Capacity, type Facts, memoryOf, suggest } from '@neuroloom/contract/suggest/suggest'
import type { Task } from '@neuroloom/contract/task'
import { describe, expect, it } from 'vitest'

/** A plan whose cost grows with the picture, as every convolutional network's does. */
const makePlan = ([height = 1, width = 1]: readonly number[], cost = 1): Plan => ({
  v: 1,
  name: 'test',
  inputs: { image: { k: 'map', c: 1, s: [height, width] } },
  nodes: [],
  heads: {},
  learn: 700_000,
  buffers: 0,
  macs: cost * 25_000 * height * width,
  keptBytes: cost * 800 * height * width,
  transientBytes: 0,
})

const makeNode = (op: string): Plan['nodes'][number] => ({
  ...{ id: op, op, in: {}, params: {}, type: { k: 'map', c: 1, s: [1, 1] } },
  ...{ learn: 0, buffers: 0, macs: 0, share: null },
})

const makeData = (facts: Partial<DataFacts> & { side?: number } = {}): DataFacts => {
  const { side = 64, ...given } = facts
  const span = { min: side, median: side, max: side }
  const none = { depth: null, spacing: null, factor: null, boxSide: null, given: null, patients: null }
  return {
    ...none,
    items: 900,
    width: span,
    height: span,
    channels: 1,
    classCounts: [300, 300, 300],
    ...given,
  }
}

const makeFacts = (task: Task, facts: DataFacts, changes: Partial<Facts> = {}): Facts => ({
  task,
  classes: facts.classCounts.map((_, index) => `class ${index}`),
  facts,
  network: null,
  device: { kind: 'cpu', threads: 2, memoryBytes: 8e9 },
  planFor: (_, { size }) => makePlan(size),
  ...changes,
})
const classify = (facts: Parameters<typeof makeData>[0], changes?: Partial<Facts>) =>
  suggest(makeFacts('classification', makeData(facts), changes))
const segment = (facts: Parameters<typeof makeData>[0], changes?: Partial<Facts>) =>
  suggest(makeFacts('segmentation', makeData({ classCounts: [9e6, 1e6], ...facts }), changes))

describe('the network', () => {
  it.each([
    [28, 'small_resnet'],
    [64, 'small_resnet'],
    [112, 'small_resnet'],
    [224, 'resnet18_small'],
    [2000, 'resnet18_small'],
  ])('for pictures of %i pixels is %s', (side, network) => {
    expect(classify({ side }).network).toBe(network)
  })

  it('is a deep one for many large pictures, where the device has the time for it', () => {
    const many = { side: 224, items: 6000, classCounts: [2000, 2000, 2000] }
    const chosen = (kind: 'cpu' | 'cuda') => {
      const device = { kind, threads: 2, memoryBytes: 8e10 }
      const { network, hyper, reasons } = classify(many, {
        device,
        planFor: (_, { size }) => makePlan(size, 5),
      })
      return [network, hyper.imageSize, reasons.find(({ field }) => field === 'network')?.reason]
    }
    expect(chosen('cuda')).toEqual(['resnet18', [224, 224], 'network_large_images'])
    expect(chosen('cpu')).toEqual(['resnet18_small', [128, 128], 'network_slow_device'])
  })

  it('is the small one of its kind for segmentation', () => {
    expect(segment({ side: 256 }).network).toBe(builtInNetworks.segmentation[0])
  })

  it('is the member’s when one was chosen, without a reason of ours', () => {
    const chosen = classify({ side: 64 }, { network: 'mobilenetv2' })
    expect(chosen.network).toBe('mobilenetv2')
    expect(chosen.reasons.filter(({ field }) => field === 'network')).toEqual([])
  })
})

describe('the image size', () => {
  it.each([
    [20, 20, 'size_raised', [32, 32]],
    [64, 64, 'size_kept', [64, 64]],
    [100, 70, 'size_kept', [96, 64]],
    [128, 128, 'size_kept', [128, 128]],
    [224, 224, 'size_reduced', [128, 128]],
    [1000, 500, 'size_reduced', [128, 64]],
    [3000, 100, 'size_reduced', [128, 32]],
  ] as const)('of a picture of %i × %i (height × width): %s', (height, width, reason, expected) => {
    const span = (side: number) => ({ min: side, median: side, max: side })
    const { hyper, reasons } = classify({ height: span(height), width: span(width) })
    expect(hyper.imageSize).toEqual(expected)
    expect(reasons.find(({ field }) => field === 'imageSize')?.reason).toBe(reason)
  })

  it('is larger for a network that was made for large pictures', () => {
    for (const [side, size, reason] of [
      [224, 224, 'size_kept'],
      [512, 224, 'size_reduced'],
    ] as const) {
      const { hyper, reasons } = classify({ side }, { network: 'resnet18' })
      expect(hyper.imageSize).toEqual([size, size])
      expect(reasons.find(({ field }) => field === 'imageSize')?.reason).toBe(reason)
    }
  })

  it('is one that the network works with, and the plan is made for it', () => {
    const { hyper, reasons, parameters } = classify({ side: 64 }, { sizeFor: () => [96, 80] })
    expect(hyper.imageSize).toEqual([96, 80])
    expect(reasons).toContainEqual({
      ...{ field: 'imageSize', reason: 'size_network', params: { width: 80, height: 96 } },
    })
    expect(parameters).toBe(makePlan([96, 80]).learn)
    const kept = classify({ side: 64 }, { sizeFor: (_, { size }) => size })
    expect(kept.reasons.map(({ reason }) => reason)).toContain('size_kept')
  })

  it('is a crop in segmentation, in multiples that can be halved four times', () => {
    for (const side of [40, 100, 250, 360, 2000]) {
      const [height, width] = segment({ side }).hyper.imageSize
      expect([height % 16, width % 16]).toEqual([0, 0])
      expect(height).toBeLessThanOrEqual(256)
    }
  })
})

describe('the length', () => {
  it('gives few data more rounds than many, so that both get enough steps', () => {
    const few = classify({ items: 60, classCounts: [20, 20, 20] })
    const many = classify({ items: 9000, classCounts: [3000, 3000, 3000] })
    expect(few.hyper.epochs).toBeGreaterThan(many.hyper.epochs * 3)
    expect(few.reasons.find(({ field }) => field === 'epochs')?.reason).toBe('epochs_enough')
  })

  it('stays affordable where a round is dear, and says for how long', () => {
    const dear = classify({ items: 5000, side: 224 }, { planFor: (_, { size }) => makePlan(size, 5) })
    const why = dear.reasons.find(({ field }) => field === 'epochs')
    expect(why?.reason).toBe('epochs_time')
    expect(why?.params.epochs).toBe(dear.hyper.epochs)
  })

  it('is longer on a device that computes faster', () => {
    const on = (kind: 'cpu' | 'cuda') =>
      classify({ items: 5000, side: 224 }, { device: { kind, threads: 2, memoryBytes: 8e10 } })
    expect(on('cuda').hyper.epochs).toBeGreaterThan(on('cpu').hyper.epochs)
  })

  it('is longer on a processor that is quick in 16 bits', () => {
    const on = (halfOps: string[]) =>
      segment(
        { items: 1000, side: 256 },
        {
          planFor: (_, { size }) => ({ ...makePlan(size), nodes: [makeNode('conv')] }),
          device: { kind: 'cpu', threads: 2, memoryBytes: 8e9, halfOps },
        },
      )
    expect(on(['conv']).hyper.epochs).toBeGreaterThan(on([]).hyper.epochs)
  })

  it('looks at the progress often, whatever the length', () => {
    for (const items of [20, 100, 900, 20_000]) {
      const { epochs, validationInterval } = segment({ items }).hyper
      expect(validationInterval).toBeLessThanOrEqual(Math.max(1, epochs / 10))
    }
  })
})

describe('the batch', () => {
  it('shrinks with few data and with little memory, never below one', () => {
    const usual = classify({}).hyper.batchSize
    expect(classify({ items: 30, classCounts: [10, 10, 10] }).hyper.batchSize).toBeLessThan(usual)
    const tight = classify({}, { device: { kind: 'cpu', threads: 2, memoryBytes: 3.5e8 } })
    expect(tight.hyper.batchSize).toBeLessThan(usual)
    expect(tight.reasons.find(({ field }) => field === 'batchSize')?.reason).toBe('batch_memory')
    expect(tight.blockers).toEqual([])
  })

  it('fits into the memory that it says it takes', () => {
    const chosen = classify({ side: 128 })
    const plan = makePlan([128, 128])
    expect(chosen.memoryBytes).toBe(memoryOf(plan, chosen.hyper))
    const most = chosen.largestBatch ?? 0
    expect(memoryOf(plan, { ...chosen.hyper, batchSize: most })).toBeLessThanOrEqual(8e9)
  })
})

describe('blockers and cautions', () => {
  it.each([
    ['a single class', { classCounts: [900] }, 'labels_too_few'],
    ['hardly any pictures', { items: training.minItems - 1, classCounts: [5, 4] }, 'data_too_few'],
    ['a class with two pictures', { items: 40, classCounts: [38, 2] }, 'data_too_few'],
  ])('stops at %s', (_, facts, name) => {
    expect(classify(facts).blockers.map((blocker) => blocker.name)).toContain(name)
  })

  it('counts each pair as many crops in an epoch', () => {
    const data = makeData({ items: 6, classCounts: [], factor: 2, side: 256 })
    const { hyper } = suggest(makeFacts('super_resolution', data))
    // 3.84 pairs for training, 16 crops of each, 8 in a batch: 8 steps an epoch.
    expect([hyper.batchSize, hyper.epochs, hyper.imageSize]).toEqual([8, 4000 / 8, [24, 24]])
  })

  it('learns to restore from few pairs, each of which gives many crops', () => {
    const restore = (items: number) =>
      suggest(makeFacts('super_resolution', makeData({ items, classCounts: [], factor: 2, side: 256 })))
    expect(restore(6)).toMatchObject({ blockers: [], cautions: [] })
    expect(restore(training.minPairs - 1).blockers).toEqual([
      { name: 'data_too_few', params: { have: training.minPairs - 1, need: training.minPairs } },
    ])
  })

  it('stops at a network that does not fit and at one that needs too much memory', () => {
    expect(classify({}, { planFor: () => null }).blockers).toEqual([
      { name: 'network_unfit', params: { network: 'small_resnet' } },
    ])
    const starved = classify({}, { device: { kind: 'cpu', threads: 2, memoryBytes: 3e8 } })
    expect(starved.blockers).toMatchObject([{ name: 'memory_exceeded', params: { haveBytes: 3e8 } }])
  })

  it('stops where memory allows one picture at a time and a batch norm sees one value of it', () => {
    const device = { kind: 'cpu', threads: 2, memoryBytes: 4e8 } as const
    const norm = (s: number[], k: 'map' | 'vec' = 'map'): Facts['planFor'] => {
      const type = k === 'map' ? { k, c: 8, s } : { k, c: 8 }
      const node = {
        id: 'aspp/gc/bn',
        op: 'bn',
        in: {},
        params: {},
        type,
        learn: 16,
        buffers: 16,
        macs: 0,
        share: null,
      }
      return (_, { size }) => ({ ...makePlan(size, 200), nodes: [node] })
    }
    const stopped = (planFor: Facts['planFor'], on: Facts['device'] = device) => {
      const { hyper, blockers } = segment({ side: 224 }, { planFor, device: on })
      return [hyper.batchSize, blockers.some(({ name }) => name === 'batch_too_small')]
    }
    expect(stopped(norm([1, 1]))).toEqual([1, true])
    expect(stopped(norm([], 'vec'))).toEqual([1, true])
    expect(stopped(norm([1, 2]))).toEqual([1, false])
    expect(stopped(norm([1, 1]), { ...device, memoryBytes: 8e10 })).toEqual([expect.any(Number), false])
  })

  it('names the class that has few pictures, and how uneven classes are', () => {
    const { cautions, hyper } = classify({ items: 118, classCounts: [50, 50, 18] })
    expect(cautions[0]).toEqual({
      name: 'few_per_class',
      params: { class: 'class 2', count: 18, wanted: training.fewPerClass },
    })
    expect(hyper.classWeights).toBe(false)
    const uneven = classify({ items: 500, classCounts: [400, 60, 40] })
    expect(uneven.cautions).toEqual([{ name: 'imbalanced', params: { ratio: 10 } }])
    expect(uneven.hyper.classWeights).toBe(true)
  })

  it('has nothing to say about plenty of even data', () => {
    const { blockers, cautions } = classify({})
    expect({ blockers, cautions }).toEqual({ blockers: [], cautions: [] })
  })
})

describe('the whole suggestion', () => {
  it('is the same for the same facts, and gives a reason for each choice', () => {
    for (const chosen of [classify({}), segment({})]) {
      const fields = new Set(chosen.reasons.map(({ field }) => field))
      for (const field of [
        'network',
        'imageSize',
        'batchSize',
        'epochs',
        'learningRate',
        'criterion',
        'validation',
      ]) {
        expect(fields).toContain(field)
      }
      for (const { params } of chosen.reasons) {
        for (const value of Object.values(params)) expect(value).not.toBeNaN()
      }
    }
    expect(classify({})).toEqual(classify({}))
  })

  it('offers mixed precision where a graphics card computes, with a reason, and nowhere else', () => {
    const card = classify({}, { device: { kind: 'cuda', threads: 8, memoryBytes: 8e10 } })
    expect(card.hyper.mixedPrecision).toBe(true)
    expect(card.reasons).toContainEqual({ field: 'mixedPrecision', reason: 'mixed_cuda', params: {} })
    expect(classify({}).hyper).not.toHaveProperty('mixedPrecision')
    expect(classify({}).reasons.some(({ field }) => field === 'mixedPrecision')).toBe(false)
  })

  it('offers it on processors that are quick with all layers of the network, and on no other', () => {
    const nodes = ['conv', 'mish'].map(makeNode)
    const planFor: Facts['planFor'] = (_, { size }) => ({ ...makePlan(size), nodes })
    const on = (halfOps: string[]) =>
      classify({}, { planFor, device: { kind: 'cpu', threads: 2, memoryBytes: 8e9, halfOps } })
    const quick = on(['conv', 'mish'])
    expect(quick.hyper.mixedPrecision).toBe(true)
    expect(quick.reasons).toContainEqual({ field: 'mixedPrecision', reason: 'mixed_cpu', params: {} })
    for (const halfOps of [[], ['conv']]) expect(on(halfOps).hyper).not.toHaveProperty('mixedPrecision')
  })

  it('smooths the labels of a classification, with a reason, and of nothing else', () => {
    expect(classify({}).hyper.labelSmoothing).toBe(0.1)
    expect(classify({}).reasons).toContainEqual({
      field: 'labelSmoothing',
      reason: 'smoothing_sure',
      params: {},
    })
    expect(segment({}).hyper).not.toHaveProperty('labelSmoothing')
    expect(segment({}).reasons.some(({ field }) => field === 'labelSmoothing')).toBe(false)
  })

  it('offers cross-validation where a single split keeps little aside, however long it takes', () => {
    const offer = { splits: 5, seed: 7 }
    const of = (facts: NonNullable<Parameters<typeof makeData>[0]>, changes?: Partial<Facts>) =>
      classify({ classCounts: [(facts.items ?? 0) / 2, (facts.items ?? 0) / 2], ...facts }, changes)
        .crossValidation
    expect(of({ items: 144 })).toEqual(offer)
    expect(of({ items: 150 })).toBeNull()
    // 400 pictures of 40 patients: 8 of them would be kept aside.
    expect(of({ items: 400, patients: 40 })).toEqual(offer)
    expect(of({ items: 400, patients: 60 })).toBeNull()
    expect(of({ items: 144, classCounts: [140, 4] })).toBeNull()
    expect(of({ items: 144, given: { train: 100, validation: 20, test: 24 } })).toBeNull()
    const slow: Capacity = { kind: 'cpu', threads: 1, memoryBytes: 8e9 }
    const costly = { ...makePlan([224, 224]), macs: 5e11 }
    expect(of({ items: 144 }, { device: slow, planFor: () => costly })).toEqual(offer)
  })

  it('stops before the start where patients are too few for any split', () => {
    const names = (patients: number | null) =>
      classify({ items: 60, classCounts: [30, 30], patients }).blockers.map(({ name }) => name)
    expect(names(2)).toContain('cases_too_few')
    expect(names(3)).not.toContain('cases_too_few')
    expect(names(null)).not.toContain('cases_too_few')
  })

  it('parts the data four to one', () => {
    expect(segment({}).validation).toMatchObject({ method: 'holdout', train: 4, test: 1 })
  })
})

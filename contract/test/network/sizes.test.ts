import { largestBatch, trainingMemory } from '@neuroloom/contract/network/resolve/memory'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { allowedSizes, nearestSize } from '@neuroloom/contract/network/resolve/sizes'
import { describe, expect, test } from 'vitest'
import { builtIn, exampleText, library, makeDocument, makeNetwork } from './wire.ts'

function planOf(id: string) {
  const { plan } = resolve(builtIn(id), library)
  if (plan === null) throw new Error(id)
  return plan
}

describe('allowed sizes', () => {
  test.each<[string, number | null, number]>([
    ['unet', 1, 16],
    ['unetpp', 1, 16],
    ['fcn8', 1, 32],
    ['swin_tiny', 32, 32],
    ['vgg16', 1, 32],
  ])('%s works with multiples of %i', (id, multipleOf, first) => {
    const sizes = Array.from({ length: 65 }, (_, k) => 16 + k)
    const allowed = allowedSizes(makeDocument(exampleText(id)), library, sizes)
    expect([allowed.multipleOf, allowed.works[0]]).toEqual([multipleOf, first])
  })

  test('proposes the nearest size, and none where nothing works', () => {
    const allowed = { works: [16, 32, 48], multipleOf: 16 }
    expect([17, 24, 500].map((size) => nearestSize(allowed, size))).toEqual([16, 32, 48])
    expect(nearestSize({ works: [], multipleOf: null }, 10)).toBeNull()
  })

  test('finds that a wrong network works with no size', () => {
    const broken = makeNetwork({ nodes: { a: 'linear' }, heads: { main: { task: 'x', from: 'a' } } })
    expect(allowedSizes(broken, library, [16, 32])).toEqual({ works: [], multipleOf: null })
  })
})

describe('training memory', () => {
  const plan = planOf('resnet18')

  test('counts weights, gradients and the state of the optimizer', () => {
    const fixed = (optimizer: 'adamw' | 'sgd') => trainingMemory(plan, { optimizer, batchSize: 1 }).fixedBytes
    expect(fixed('adamw')).toBe(4 * (4 * 11_689_512 + 9600))
    expect(fixed('sgd')).toBe(4 * (3 * 11_689_512 + 9600))
  })

  test('grows with each sample by what backward needs, input, label and the layer at work', () => {
    const { fixedBytes, sampleBytes, totalBytes } = trainingMemory(plan, { optimizer: 'adamw', batchSize: 8 })
    expect(sampleBytes).toBe(plan.keptBytes + plan.transientBytes + 4 * 3 * 224 * 224 + 8)
    expect(totalBytes).toBe(fixedBytes + 8 * sampleBytes)
  })

  test('counts a class number a pixel where regions are marked', () => {
    const unet = planOf('unet_small')
    const { sampleBytes } = trainingMemory(unet, { optimizer: 'adamw', batchSize: 1 })
    expect(sampleBytes - unet.keptBytes - unet.transientBytes).toBe((4 * 3 + 8) * 128 * 128)
  })

  test('finds the largest batch that fits', () => {
    const settings = { optimizer: 'adamw', freeBytes: 2 * 1024 ** 3 } as const
    const batchSize = largestBatch(plan, settings)
    expect(trainingMemory(plan, { optimizer: 'adamw', batchSize }).totalBytes).toBeLessThanOrEqual(
      settings.freeBytes,
    )
    expect(trainingMemory(plan, { optimizer: 'adamw', batchSize: batchSize + 1 }).totalBytes).toBeGreaterThan(
      settings.freeBytes,
    )
    expect(largestBatch(plan, { optimizer: 'adamw', freeBytes: 1000 })).toBe(0)
  })
})

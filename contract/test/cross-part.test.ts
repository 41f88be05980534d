import { inOrderOfTrainings, isCrossPart } from '@neuroloom/contract/evidence/cross-part'
import type { Run } from '@neuroloom/contract/runs'
import { describe, expect, it } from 'vitest'

type Told = Parameters<typeof isCrossPart>[0]

const cross: Told = {
  ...{ id: 'cross', kind: 'train', parentId: null, datasetId: 'data' },
  validation: { method: 'kfold', splits: 5, seed: 7 },
}
const tested = (id: string, changes: Partial<Run> = {}): Told => ({
  ...{ id, kind: 'test', parentId: 'cross', datasetId: 'data', validation: cross.validation },
  ...changes,
})
const single: Told = {
  ...cross,
  id: 'single',
  validation: { method: 'holdout', train: 4, test: 1, seed: 7 },
}

describe('a test of one part of a cross-validation', () => {
  it('is one on the data of its training, whose parts were all tested in turn', () => {
    expect(isCrossPart(tested('part'), cross)).toBe(true)
    expect(isCrossPart(tested('external', { datasetId: 'other' }), cross)).toBe(false)
    expect(isCrossPart(tested('split', { parentId: 'single' }), single)).toBe(false)
    expect(isCrossPart(tested('orphan', { parentId: 'gone' }), cross)).toBe(false)
    expect(isCrossPart(tested('orphan'), undefined)).toBe(false)
  })

  it('stands behind its training, and does not head the list', () => {
    const runs = [tested('part'), tested('external', { datasetId: 'other' }), single, cross]
    expect(inOrderOfTrainings(runs).map(({ id }) => id)).toEqual(['external', 'single', 'cross', 'part'])
  })
})

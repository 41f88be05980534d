import { namedBy, namedClass, namedLabels } from '@neuroloom/contract/named'
import { describe, expect, it } from 'vitest'

describe('what a result names', () => {
  it('is what the engine decided', () => {
    expect(namedClass({ probabilities: [0.6, 0.4], named: [1] })).toBe(1)
    expect(namedLabels({ probabilities: [0.6, 0.4, 0.1], named: [1] })).toEqual([1])
    expect(namedLabels({ probabilities: [0.6, 0.4], named: [] })).toEqual([])
  })

  it('is the likeliest, or what is as likely as not, in results of before', () => {
    expect(namedClass({ probabilities: [0.2, 0.5, 0.3], named: null })).toBe(1)
    expect(namedLabels({ probabilities: [0.5, 0.2, 0.7], named: null })).toEqual([0, 2])
  })
})

describe('what a downloaded network names', () => {
  const two = { classes: ['well', 'ill'], decision: { thresholds: [0.7, 0.3] } }

  it('follows the thresholds that lie in it', () => {
    expect(namedBy(two, [0.65, 0.35], 'classes')).toEqual([1])
    expect(namedBy(two, [0.75, 0.25], 'classes')).toEqual([0])
    expect(namedBy(two, [0.75, 0.35], 'labels')).toEqual([0, 1])
  })

  it('is as before where none lie in it, and of three classes the likeliest', () => {
    expect(namedBy({ ...two, decision: null }, [0.65, 0.35], 'classes')).toEqual([0])
    expect(namedBy({ ...two, decision: null }, [0.65, 0.35], 'labels')).toEqual([0])
    expect(namedBy({ ...two, decision: { thresholds: [0.5, 0.5] } }, [0.5, 0.5], 'classes')).toEqual([0])
    const three = { classes: ['a', 'b', 'c'], decision: null }
    expect(namedBy(three, [0.3, 0.3, 0.4], 'classes')).toEqual([2])
  })
})

import { describe, expect, it } from 'vitest'
import { type CrossFacts, crossSentences } from './cross-rounds.ts'
import { wordsOf } from './words.ts'

/** Right answers of each round, of as many images. */
const rounds = [
  { right: 15, items: 15 },
  { right: 10, items: 15 },
  { right: 14, items: 14 },
  { right: 13, items: 14 },
  { right: 13, items: 14 },
]
const shares = rounds.map(({ right, items }) => right / items)
const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
const accuracySd = Math.sqrt(
  shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (shares.length - 1),
)
const accuracy = 65 / 72

const cross: CrossFacts = {
  ...{ isCross: true, items: 72, inputs: { part: null }, beside: [] },
  test: { task: 'classification', metrics: { accuracy, accuracySd } },
  evidence: {
    intervals: { accuracy: [0.813, 0.952] },
    cross: {
      kept: 0,
      parts: rounds.map(({ items }, index) => ({
        items,
        epoch: 3,
        values: { accuracy: shares[index] ?? 0 },
      })),
    },
  },
}

describe('a cross-validation in a report', () => {
  it('tells each round, and what its range leaves out', () => {
    const deviation = `${(100 * accuracySd).toFixed(1)}%`
    const [told, leavesOut] = crossSentences(cross, wordsOf('en'))
    expect(told).toBe('Accuracy, round by round: 100.0% · 66.7% · 100.0% · 92.9% · 92.9%.')
    expect(leavesOut).toContain('81.3% to 95.2%')
    expect(leavesOut).toContain(`(± ${deviation})`)
  })

  it('is the better founded figure beside a test of one of its rounds', () => {
    const part: CrossFacts = {
      ...{ isCross: false, items: 15, inputs: { part: 'held-out' }, evidence: null },
      test: { task: 'classification', metrics: { accuracy: 1 } },
      beside: [{ isCross: true, items: 72, test: cross.test }],
    }
    const [said] = crossSentences(part, wordsOf('en'))
    expect(said).toContain('tested all 72 images')
    expect(said).toContain(`Accuracy 90.3% ± ${(100 * accuracySd).toFixed(1)}%`)
    expect(said).toContain('that is no improvement')
    expect(crossSentences({ ...part, inputs: { part: null } }, wordsOf('en'))).toEqual([])
    expect(crossSentences({ ...part, beside: [] }, wordsOf('en'))).toEqual([])
  })
})

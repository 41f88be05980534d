import { type Evidence, evidenceSchema } from '@neuroloom/contract/evidence'
import { withoutFewCases } from '@neuroloom/contract/evidence/enough-cases'
import { describe, expect, it } from 'vitest'

const range: [number, number] = [0.4, 0.6]

/** A test of so many cases, of which `positives` are ill, as it was stored. */
const evidenceOf = (groups: number, positives: number): Evidence =>
  evidenceSchema.parse({
    ...{ v: 1, items: groups, groups, method: 'score', intervals: { accuracy: range } },
    perClass: [{ class: 'ill', intervals: { recall: range, precision: range } }],
    curves: [
      {
        ...{ class: 'ill', positives, negatives: groups - positives },
        ...{ rocAuc: 0.5, averagePrecision: 0.5, points: [] },
      },
    ],
    calibration: null,
    surfaces: [{ class: 'ill', measured: groups, mean: 18.1, median: 12, interval: [11, 29.8] }],
    decisions: [
      {
        ...{ class: 'ill', threshold: null, basis: 'likeliest', cases: null },
        figures: [{ name: 'sensitivity', value: 0.5, interval: range }],
      },
    ],
    gains: [{ metric: 'psnr', mean: 30, baseline: 29, interval: [0.5, 1.5], worse: 0 }],
  })

describe('intervals of stored tests', () => {
  it('are none where there are fewer than ten cases', () => {
    const found = withoutFewCases(evidenceOf(4, 2))
    expect(JSON.stringify(found)).not.toMatch(/"interval":\[|"(accuracy|recall|precision)":\[/)
    expect(found.surfaces[0]).toMatchObject({ mean: 18.1, interval: null })
    expect(found.gains[0]).toMatchObject({ mean: 30, interval: null })
  })

  it('are none of what stands on fewer than ten cases of a class', () => {
    const found = withoutFewCases(evidenceOf(40, 9))
    expect(found.intervals).toEqual({ accuracy: range })
    expect(found.perClass[0]?.intervals).toEqual({ recall: null, precision: range })
    expect(found.decisions[0]?.figures[0]?.interval).toBeNull()
  })

  it('stay where there are enough', () => {
    const stored = evidenceOf(10, 10)
    expect(withoutFewCases(stored)).toEqual(stored)
  })
})

import { compareRight } from '@neuroloom/contract/statistics/mcnemar'
import { shareOf } from '@neuroloom/contract/statistics/proportion'
import { compareAreas, compareSeparateAreas, rocOf } from '@neuroloom/contract/statistics/roc'
import { accuracyOf } from '@neuroloom/contract/statistics/two-by-two'
import { describe, expect, it } from 'vitest'

describe('a share', () => {
  // Newcombe 1998, Stat Med 17:857, table I: methods 3 (score) and 5 (exact).
  it.each([
    [81, 263, [0.2553, 0.3662], [0.2527, 0.3676]],
    [15, 148, [0.0624, 0.1605], [0.0578, 0.1617]],
    [0, 20, [0, 0.1611], [0, 0.1684]],
    [1, 29, [0.0061, 0.1718], [0.0009, 0.1776]],
  ])('of %d in %d has the published intervals', (count, total, wilson, exact) => {
    const share = shareOf(count, total)
    expect(bounds(share?.wilson)).toEqual(wilson)
    expect(bounds(share?.exact)).toEqual(exact)
  })

  it('of nobody is none; of all ends at one', () => {
    expect(shareOf(0, 0)).toBeNull()
    expect(shareOf(7, 7)?.wilson.high).toBe(1)
    expect(shareOf(7, 7)?.exact.high).toBe(1)
  })
})

const bounds = (one: { low: number; high: number } | undefined) =>
  [one?.low, one?.high].map((end) => Number(end?.toFixed(4)))

describe('a test in four cells', () => {
  // Altman & Bland 1994, BMJ 308:1552 and 309:102: 344 patients with a liver scan.
  const liver = { truePositive: 231, falsePositive: 32, falseNegative: 27, trueNegative: 54 }

  it('has the published sensitivity, specificity and predictive values of liver scans', () => {
    const found = accuracyOf(liver)
    expect(found.sensitivity?.wilson.value).toBeCloseTo(0.9, 2)
    expect(found.specificity?.wilson.value).toBeCloseTo(0.63, 2)
    expect(found.positiveValue?.wilson.value).toBeCloseTo(0.88, 2)
    expect(found.negativeValue?.wilson.value).toBeCloseTo(0.67, 2)
    expect(found.prevalence?.wilson.value).toBeCloseTo(0.75, 2)
  })

  it('has likelihood ratios with intervals on the logarithm', () => {
    // By the formula of Simel 1991 in Python.
    const { positiveRatio, negativeRatio } = accuracyOf(liver)
    expect(positiveRatio?.value).toBeCloseTo(2.40625, 10)
    expect(positiveRatio?.low).toBeCloseTo(1.8227906278318318, 10)
    expect(positiveRatio?.high).toBeCloseTo(3.1764696252509923, 10)
    expect(negativeRatio?.low).toBeCloseTo(0.11258965856552884, 10)
    expect(negativeRatio?.high).toBeCloseTo(0.2467169554618616, 10)
    expect(positiveRatio?.corrected).toBe(false)
  })

  it('adds a half where a cell is empty, and says so', () => {
    const perfect = accuracyOf({ truePositive: 10, falsePositive: 0, falseNegative: 0, trueNegative: 10 })
    expect(perfect.positiveRatio).toMatchObject({ value: 21, corrected: true })
    expect(
      accuracyOf({ truePositive: 0, falsePositive: 1, falseNegative: 0, trueNegative: 1 }),
    ).toMatchObject({
      sensitivity: null,
      positiveRatio: null,
    })
  })
})

describe('two tests on the same patients', () => {
  // Exact fractions in Python.
  it.each([
    [86, 150, 3.715936139571442e-5],
    [5, 12, 0.143463134765625],
    [3, 3, 1],
    [0, 4, 0.125],
    [0, 0, 1],
  ])('differ with %d and %d apart by an exact chance', (first, second, p) => {
    const found = compareRight({ both: 10, first, second, neither: 10 })
    expect(Math.abs((found?.p ?? 0) - p)).toBeLessThan(1e-12)
  })

  // Newcombe 1998, Stat Med 17:2635, table II, method 10.
  it('have the published interval of their difference', () => {
    const found = compareRight({ both: 36, first: 12, second: 2, neither: 0 })?.difference
    expect(found?.value).toBeCloseTo(0.2, 10)
    expect(found?.low).toBeCloseTo(0.0569, 4)
    expect(found?.high).toBeCloseTo(0.3404, 4)
  })

  it('are none where there is nobody', () => {
    expect(compareRight({ both: 0, first: 0, second: 0, neither: 0 })).toBeNull()
  })
})

describe('a ROC curve', () => {
  const times = (count: number, score: number, ill: boolean) =>
    Array.from({ length: count }, () => ({ ill, score }))
  const ratings = (counts: number[], ill: boolean) => counts.flatMap((count, k) => times(count, k + 1, ill))
  // Hanley & McNeil 1982, Radiology 143:29, table I: 109 CT images in five ratings.
  const scans = [...ratings([33, 6, 6, 11, 2], false), ...ratings([3, 2, 2, 11, 33], true)]

  it('has the published area of 109 CT images, with DeLong’s interval', () => {
    // Stata, [R] roctab: ROC area 0.8932, standard error 0.0307, 0.83295 to 0.95339.
    const roc = rocOf(scans)
    expect(roc?.area.value).toBeCloseTo(0.89317106, 8)
    expect(roc?.error).toBeCloseTo(0.030724408, 8)
    expect(roc?.area.low).toBeCloseTo(0.83295, 5)
    expect(roc?.area.high).toBeCloseTo(0.95339, 5)
  })

  it('names the cut at which both shares together are largest', () => {
    expect(rocOf(scans)?.best).toEqual({ cut: 4, sensitivity: 44 / 51, specificity: 1 - 13 / 58 })
    expect(rocOf(scans)?.points).toHaveLength(6)
  })

  it('is none of one side alone', () => {
    expect(rocOf([{ ill: true, score: 1 }])).toBeNull()
  })

  const ill = [true, true, true, true, true, false, false, false, false, false, false]
  const [first, second] = [
    [5, 4, 4, 3, 1, 1, 2, 3, 0, 0, 2],
    [2, 6, 3, 3, 5, 4, 1, 1, 2, 6, 0],
  ]
  const patients = ill.map((isIll, k) => ({ ill: isIll, first: first[k] ?? 0, second: second[k] ?? 0 }))

  it('is compared with another of the same patients as the definition in double sums says', () => {
    // DeLong 1988 by its double sums, with numpy.
    const found = compareAreas(patients)
    expect(found?.first.value).toBeCloseTo(0.86666667, 8)
    expect(found?.second.value).toBeCloseTo(0.73333333, 8)
    expect(found?.z).toBeCloseTo(0.5455954715763787, 10)
    expect(found?.p).toBeCloseTo(0.5853440378484663, 10)
  })

  it('differs in nothing from itself', () => {
    const same = patients.map((one) => ({ ...one, second: one.first }))
    expect(compareAreas(same)).toMatchObject({ z: 0, p: 1 })
  })

  it('is compared with one of other patients by both errors', () => {
    const [one, other] = [
      rocOf(scans),
      rocOf(patients.map((patient) => ({ ill: patient.ill, score: patient.second }))),
    ]
    if (!one || !other) throw new Error('no curve')
    const found = compareSeparateAreas(one, other)
    expect(found.z).toBeCloseTo((one.area.value - other.area.value) / Math.hypot(one.error, other.error), 12)
  })
})

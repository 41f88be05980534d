import { blandAltmanOf } from '@neuroloom/contract/statistics/bland-altman'
import { iccOf } from '@neuroloom/contract/statistics/icc'
import { cohenKappa, fleissKappa } from '@neuroloom/contract/statistics/kappa'
import { mannWhitney, pairedMeans, separateMeans } from '@neuroloom/contract/statistics/means'
import { describe, expect, it } from 'vitest'

describe('kappa', () => {
  const categories = ['normal', 'benign', 'suspected', 'cancer']
  // Boyd 1982 in Altman 1991, Practical Statistics for Medical Research, and Stata [R] kap: 85 xeromammograms, two readers.
  const table = [
    [21, 12, 0, 0],
    [4, 17, 1, 0],
    [3, 9, 15, 2],
    [0, 0, 0, 1],
  ]
  const pairs = table.flatMap((row, i) =>
    row.flatMap((count, j) =>
      Array.from({ length: count }, () => [categories[i] ?? '', categories[j] ?? ''] as const),
    ),
  )

  // Kappa and agreement as published; intervals by the formula of Fleiss, Cohen & Everitt in numpy.
  it.each([
    ['none', 0.4728, 0.6353, 0.3302695933, 0.6153086379],
    ['linear', 0.5684, 0.8667, 0.43599154, 0.7008065484],
    ['quadratic', 0.6714, 0.9477, 0.5378686679, 0.804872488],
  ] as const)('of two readers with weights %s', (weights, value, observed, low, high) => {
    const found = cohenKappa(pairs, { categories, weights })
    expect(found?.kappa.value).toBeCloseTo(value, 4)
    expect(found?.observed).toBeCloseTo(observed, 4)
    expect(found?.kappa.low).toBeCloseTo(low, 8)
    expect(found?.kappa.high).toBeCloseTo(high, 8)
  })

  it('is none where both always say the same thing', () => {
    expect(cohenKappa([['a', 'a']], { categories: ['a', 'b'], weights: 'none' })).toBeNull()
    expect(cohenKappa([], { categories: ['a', 'b'], weights: 'none' })).toBeNull()
  })

  it.each([3, 10, 49, 1000])('is none where both say the same thing of all %i', (count) => {
    const same = Array.from({ length: count }, () => ['normal', 'normal'] as const)
    expect(cohenKappa(same, { categories, weights: 'none' })).toBeNull()
  })

  it('of fourteen readers is as in Fleiss’ example', () => {
    // Ten subjects in five categories: kappa 0.210; interval by a jackknife in numpy.
    const counts = ['0 0 0 0 14', '0 2 6 4 2', '0 0 3 5 6', '0 3 9 2 0', '2 2 8 1 1']
    const more = ['7 7 0 0 0', '3 2 6 3 0', '2 5 3 2 2', '6 5 2 1 0', '0 2 2 3 7']
    const subjects = [...counts, ...more].map((row) =>
      row.split(' ').flatMap((count, k) => Array.from({ length: Number(count) }, () => String(k))),
    )
    const found = fleissKappa(subjects, ['0', '1', '2', '3', '4'])
    expect(found?.kappa.value).toBeCloseTo(0.20993070442195522, 12)
    expect(found?.kappa.low).toBeCloseTo(0.012842560469253361, 10)
    expect(found?.kappa.high).toBeCloseTo(0.40701884837465707, 10)
    expect(found?.readers).toBe(14)
  })
})

describe('Bland and Altman', () => {
  // Bland & Altman 1986, Lancet 327:307: peak flow of 17 people by two meters.
  const large = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
  const mini = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
  const pairs = large.map((value, k) => [value, mini[k] ?? 0] as const)

  it('find the published bias and spread of two peak flow meters', () => {
    const found = blandAltmanOf(pairs)
    expect(found?.bias.value).toBeCloseTo(-2.1, 1)
    expect(found?.deviation).toBeCloseTo(38.8, 1)
    // "−22.0 to 17.8" of the bias; limits with 1.96 for the paper's 2.
    expect(found?.bias.low).toBeCloseTo(-22.0, 0)
    expect(found?.bias.high).toBeCloseTo(17.8, 1)
    expect(found?.lower.value).toBeCloseTo(-2.1176 - 1.95996 * 38.7651, 2)
    expect(found?.upper.value).toBeCloseTo(-2.1176 + 1.95996 * 38.7651, 2)
    expect(found?.slopeP).toBeGreaterThan(0.2)
  })

  it('find a difference that grows with what is measured', () => {
    const growing = blandAltmanOf(large.map((value, k) => [value * 1.2 + (k % 3), value] as const))
    expect(growing?.slope.value).toBeCloseTo(0.18, 1)
    expect(growing?.slopeP).toBeLessThan(1e-6)
  })

  it('need three pairs', () => {
    expect(
      blandAltmanOf([
        [1, 2],
        [2, 3],
      ]),
    ).toBeNull()
  })
})

describe('the intraclass correlation', () => {
  it('is as in Shrout and Fleiss’ table of six subjects and four judges', () => {
    const rows = [
      [9, 2, 5, 8],
      [6, 1, 3, 2],
      [8, 4, 6, 8],
      [7, 1, 2, 6],
      [10, 5, 6, 9],
      [6, 2, 4, 7],
    ]
    const found = iccOf(rows)
    // 0.29 in their paper; 0.019 to 0.761 in the manual of R's psych.
    expect(found?.icc.value).toBeCloseTo(0.2897638, 6)
    expect(found?.icc.low).toBeCloseTo(0.019, 3)
    expect(found?.icc.high).toBeCloseTo(0.761, 3)
  })

  it('is one where all measure the same', () => {
    expect(
      iccOf([
        [1, 1],
        [2, 2],
        [5, 5],
      ])?.icc,
    ).toEqual({ value: 1, low: 1, high: 1 })
    expect(iccOf([[1, 1]])).toBeNull()
  })
})

describe('means', () => {
  // Student 1908: hours of sleep; figures of R's t.test(extra ~ group, data = sleep).
  const one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
  const other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

  it('of different people are compared as R does', () => {
    const found = separateMeans(one, other)
    expect(found?.t).toBeCloseTo(-1.8608, 4)
    expect(found?.freedom).toBeCloseTo(17.776, 3)
    expect(found?.p).toBeCloseTo(0.07939, 5)
    expect(found?.difference.low).toBeCloseTo(-3.3654832, 7)
    expect(found?.difference.high).toBeCloseTo(0.2054832, 7)
  })

  it('of the same people are compared as R does', () => {
    const found = pairedMeans(one.map((value, k) => [value, other[k] ?? 0] as const))
    expect(found?.t).toBeCloseTo(-4.0621, 4)
    expect(found?.p).toBeCloseTo(0.002833, 6)
    expect(found?.difference.low).toBeCloseTo(-2.4598858, 7)
    expect(found?.difference.high).toBeCloseTo(-0.7001142, 7)
  })

  it('of ranks are compared exactly where nothing is tied', () => {
    // Hollander & Wolfe 1973, p. 69: W = 35, one-sided p = 0.1272.
    const at = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    const found = mannWhitney(at, [1.15, 0.88, 0.9, 0.74, 1.21])
    expect(found).toMatchObject({ u: 35, way: 'exact' })
    expect(found?.p).toBeCloseTo(0.2544122544122544, 12)
    expect(mannWhitney([1, 2, 3], [4, 5, 6])?.p).toBeCloseTo(0.1, 12)
  })

  it('of ranks with ties are compared by the normal distribution', () => {
    // R: wilcox.test(extra ~ group, data = sleep): W = 25.5, p = 0.06933.
    const found = mannWhitney(one, other)
    expect(found).toMatchObject({ u: 25.5, way: 'normal' })
    expect(found?.p).toBeCloseTo(0.06933, 5)
    expect(mannWhitney([1, 1], [1, 1])?.p).toBe(1)
  })
})

import {
  sizeForAccuracy,
  sizeForArea,
  sizeForKappa,
  sizeForProportions,
  sizeToTellArea,
} from '@neuroloom/contract/statistics/sample-size'
import { describe, expect, it } from 'vitest'

describe('a study needs', () => {
  it('so many patients for a sensitivity and a specificity', () => {
    // Buderer 1996: z² · 0.9 · 0.1 / 0.1² = 34.6 ill ones, a fifth of all; of the healthy 61.2 would do.
    expect(sizeForAccuracy({ sensitivity: 0.9, specificity: 0.85, precision: 0.1, prevalence: 0.2 })).toEqual(
      {
        total: 173,
        first: 35,
        second: 138,
      },
    )
  })

  it('77 in each group to tell 50 % from 75 % with a power of 90 %', () => {
    // R: power.prop.test(p1 = .50, p2 = .75, power = .90): n = 76.7.
    expect(sizeForProportions({ first: 0.5, second: 0.75, power: 0.9 }).first).toBe(77)
  })

  it('for an area as many as make Hanley and McNeil’s error small enough', () => {
    const { first, second } = sizeForArea({ area: 0.8, precision: 0.05, ratio: 1 })
    const errorOf = (n: number) => {
      const [one, other] = [0.8 / 1.2, (2 * 0.64) / 1.8]
      return Math.sqrt((0.16 + (n - 1) * (one - 0.64) + (n - 1) * (other - 0.64)) / n ** 2)
    }
    expect(first).toBe(second)
    expect(1.959964 * errorOf(first)).toBeLessThanOrEqual(0.05)
    expect(1.959964 * errorOf(first - 1)).toBeGreaterThan(0.05)
  })

  it('to tell an area from chance fewer, the larger it is', () => {
    const at = (area: number) => sizeToTellArea({ area, nullArea: 0.5, power: 0.8, ratio: 2 }).total
    expect(at(0.8)).toBeLessThan(at(0.7))
    expect(at(0.7)).toBeLessThan(at(0.6))
    const { first, second } = sizeToTellArea({ area: 0.7, nullArea: 0.5, power: 0.8, ratio: 2 })
    expect(second).toBe(2 * first)
  })

  it('for a kappa of two readers', () => {
    // z² (1 − κ)[(1 − κ)(1 − 2κ) + κ(2 − κ) / 2π(1 − π)] / d²: κ 0.6, half of them yes, ± 0.1.
    expect(sizeForKappa({ kappa: 0.6, share: 0.5, precision: 0.1 }).total).toBe(
      Math.ceil((1.959964 / 0.1) ** 2 * 0.4 * (0.4 * -0.2 + (0.6 * 1.4) / 0.5)),
    )
  })
})

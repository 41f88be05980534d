import {
  beta,
  betaQuantile,
  fQuantile,
  normal,
  normalQuantile,
  normalTails,
  tQuantile,
  tTails,
} from '@neuroloom/contract/statistics/special'
import { describe, expect, it } from 'vitest'

/** As close as 12 digits. */
const near = (found: number, wanted: number): void =>
  expect(Math.abs(found - wanted)).toBeLessThan(1e-12 + 1e-12 * Math.abs(wanted))

// All values were computed to 30 digits (mpmath), the beta function by its series, quantiles by root finding.
describe('special functions agree with values to 30 digits', () => {
  it.each([
    [0.3, 2, 3, 0.3483],
    [0.9, 231, 28, 0.6468628965441447],
    [0.001, 0.5, 10, 0.11110329087513969],
    [0.5, 500, 501, 0.5126125090891804],
    [0.02, 0.5, 0.5, 0.0903344706017331],
  ])('beta(%d; %d, %d)', (x, a, b, value) => {
    near(beta(x, a, b), value)
    expect(Math.abs(betaQuantile(value, a, b) - x)).toBeLessThan(1e-10)
  })

  it.each([
    [-8, 6.220960574271784e-16],
    [-3, 0.0013498980316300946],
    [-1.2, 0.11506967022170828],
    [0.1, 0.539827837277029],
    [2.5, 0.9937903346742238],
    [6, 0.9999999990134123],
  ])('the normal distribution at %d', (z, value) => {
    expect(Math.abs(normal(z) / value - 1)).toBeLessThan(1e-12)
    near(normalTails(z), 2 * Math.min(value, 1 - value))
  })

  it.each([
    [1e-10, -6.361340902404057],
    [0.001, -3.0902323061678136],
    [0.2, -0.8416212335729142],
    [0.975, 1.9599639845400538],
    [0.8, 0.8416212335729144],
  ])('the normal quantile of %d', (p, value) => near(normalQuantile(p), value))

  it.each([
    [2, 5, 0.10193947882985836],
    [-4.0621, 9, 0.0028330078403901583],
    [1.8608, 17.776, 0.07939657813977981],
    [30, 3, 8.135280427163959e-5],
  ])('both tails of t = %d with %d degrees of freedom', (t, freedom, value) =>
    near(tTails(t, freedom), value),
  )

  it.each([
    [1, 12.7062047361747],
    [2.5, 3.57465484200368],
    [9, 2.26215716279821],
    [16, 2.11990529922125],
    [120, 1.97993040508244],
  ])('the 95 % quantile of t with %d degrees of freedom', (freedom, value) =>
    expect(Math.abs(tQuantile(0.95, freedom) / value - 1)).toBeLessThan(1e-11),
  )

  it.each([
    [5, 15, 3.57641534927906],
    [2.3, 40, 3.83222190998331],
  ])('the 97.5 % quantile of F with %d and %d degrees of freedom', (upper, lower, value) =>
    expect(Math.abs(fQuantile(0.975, upper, lower) / value - 1)).toBeLessThan(1e-10),
  )
})

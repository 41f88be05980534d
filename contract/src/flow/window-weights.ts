/**
 * Least-squares weights of the slope in the middle of a full N×N window, and what they do to noise and to a vortex. With the plane
 * a + b·x + c·y they are x/(h·Σx²), Σx² = N²(N²−1)/12; with all terms up to the third order they are Savitzky and Golay's (1964).
 * Pure; whoever shows ω shows these figures beside it.
 */

/** 1: a plane; 3: a cubic, with less bias and more noise. */
export type FitOrder = 1 | 3

/** The weight at (x, y) is (linear + cubic·x² + mixed·y²)·x, in units of 1/voxel; its turned twin gives the slope along y. */
export type SlopeWeights = { radius: number; linear: number; cubic: number; mixed: number }

/** Throws a RangeError at an even window and at a cubic in one of 3, where x³ cannot be told from x. */
export function slopeWeights(window: number, order: FitOrder): SlopeWeights {
  if (!Number.isInteger(window) || window < 3 || window % 2 === 0) {
    throw new RangeError(`a window of ${window}: odd numbers from 3 on`)
  }
  if (order === 3 && window < 5) throw new RangeError('a cubic needs a window of 5 or more')
  const radius = (window - 1) / 2
  const [two, four, six] = [2, 4, 6].map((power) => lineSum(radius, power))
  if (two === undefined || four === undefined || six === undefined) throw new Error('three sums')
  if (order === 1) return { radius, linear: 1 / (window * two), cubic: 0, mixed: 0 }
  // Normal equations of x, x³ and x·y², the only terms that the slope along x shares anything with.
  const [a, b, c, d, e, f] = [window * two, window * four, two * two, window * six, four * two, two * four]
  const determinant = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c)
  return {
    radius,
    linear: (d * f - e * e) / determinant,
    cubic: (c * e - b * f) / determinant,
    mixed: (b * e - c * d) / determinant,
  }
}

/** Σ d^power, d from −radius to radius. */
function lineSum(radius: number, power: number): number {
  let sum = 0
  for (let d = -radius; d <= radius; d++) sum += d ** power
  return sum
}

export type WindowFit = { window: number; order: FitOrder; spacing: readonly [number, number] }

/**
 * Standard deviation of ω (1/s) from white noise of `noise` m/s in each component: with a plane and square pixels
 * (σ_v/h)·√(24/(N²(N²−1))).
 */
export function vorticityNoise({ window, order, spacing }: WindowFit, noise: number): number {
  const gain = Math.sqrt(weightedSum(slopeWeights(window, order), (_x, _y, weight) => weight * weight))
  return noise * gain * Math.hypot(1 / spacing[0], 1 / spacing[1])
}

/**
 * Leading bias of ω in the middle of a Lamb–Oseen vortex of core radius `coreRadius` (m), as a share of the true value: with a
 * plane and square pixels −[(3N²−7)/40 + (N²−1)/24]·(h/r_c)²; with a cubic of the fourth power of h/r_c. Good to a tenth as long
 * as N·h/r_c ≤ 0.85 with a plane.
 */
export function vortexBias({ window, order, spacing }: WindowFit, coreRadius: number): number {
  const weights = slopeWeights(window, order)
  const [along, across] = [spacing[0] / coreRadius, spacing[1] / coreRadius]
  // v = ω₀/2·x·(1 − s/2 + s²/6 − …), s = (r/r_c)²: the first term that the fit does not hold.
  const share = (one: number, other: number) =>
    weightedSum(weights, (x, y, weight) => {
      const s = (x * one) ** 2 + (y * other) ** 2
      return weight * x * (order === 1 ? -s / 2 : (s * s) / 6)
    })
  return (share(along, across) + share(across, along)) / 2
}

/** Bias of a slope ∂f/∂x by a plane from the third derivatives f_xxx and f_xyy: h²·[(3N²−7)/120·f_xxx + (N²−1)/24·f_xyy]. */
export function planeSlopeBias(
  { window, spacing }: Omit<WindowFit, 'order'>,
  { xxx, xyy }: { xxx: number; xyy: number },
): number {
  const square = window * window
  return ((3 * square - 7) / 120) * spacing[0] ** 2 * xxx + ((square - 1) / 24) * spacing[1] ** 2 * xyy
}

function weightedSum(
  { radius, linear, cubic, mixed }: SlopeWeights,
  of: (x: number, y: number, weight: number) => number,
): number {
  let sum = 0
  for (let y = -radius; y <= radius; y++) {
    for (let x = -radius; x <= radius; x++) {
      sum += of(x, y, (linear + cubic * x * x + mixed * y * y) * x)
    }
  }
  return sum
}

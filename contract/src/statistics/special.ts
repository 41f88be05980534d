/** The special functions that intervals and tests are made of: beta, normal, t and F. Knows no statistics. */

/** Lanczos' approximation, g = 7, nine terms (Numerical Recipes 6.1): 15 digits. */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

function logGamma(x: number): number {
  const z = x - 1
  const base = z + 7.5
  const sum = lanczos.reduce((total, term, k) => total + (k === 0 ? term : term / (z + k)), 0)
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(base) - base + Math.log(sum)
}

/** I_x(a, b), the regularised incomplete beta function, by its continued fraction (Numerical Recipes 6.4). */
export function beta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - beta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return (front * betaFraction(x, a, b)) / a
}

const tiny = 1e-300
const fractionTerms = 20_000

/** Lentz' method. */
function betaFraction(x: number, a: number, b: number): number {
  const kept = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m < fractionTerms; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / kept(1 + even * d)
    c = kept(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / kept(1 + odd * d)
    c = kept(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return fraction
}

/** The x at which I_x(a, b) = p. */
export function betaQuantile(p: number, a: number, b: number): number {
  return bisect((x) => beta(x, a, b) - p, 0, 1)
}

/** Φ(z). */
export function normal(z: number): number {
  if (z === 0) return 0.5
  const tail = 0.5 * upperGammaHalf((z * z) / 2)
  return z > 0 ? 1 - tail : tail
}

/** Both tails beyond ±z. */
export const normalTails = (z: number): number => (z === 0 ? 1 : upperGammaHalf((z * z) / 2))

/** Q(1/2, x) = erfc(√x): a series for small x, a continued fraction for large (Numerical Recipes 6.2). */
function upperGammaHalf(x: number): number {
  if (x > 700) return 0
  const front = Math.exp(-x + 0.5 * Math.log(x)) / Math.sqrt(Math.PI)
  if (x < 1.5) {
    let term = 2
    let sum = term
    for (let k = 1; k < 200 && term > sum * 1e-17; k += 1) {
      term *= x / (0.5 + k)
      sum += term
    }
    return 1 - front * sum
  }
  let b = x + 0.5
  let c = 1 / tiny
  let d = 1 / b
  let fraction = d
  for (let k = 1; k < 1000; k += 1) {
    const a = -k * (k - 0.5)
    b += 2
    d = 1 / (a * d + b)
    c = b + a / c
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-16) break
  }
  return front * fraction
}

/** The z at which Φ(z) = p: Abramowitz & Stegun 26.2.23, then two steps of Halley's method. */
export function normalQuantile(p: number): number {
  if (p <= 0) return Number.NEGATIVE_INFINITY
  if (p >= 1) return Number.POSITIVE_INFINITY
  if (p > 0.5) return -normalQuantile(1 - p)
  const t = Math.sqrt(-2 * Math.log(p))
  let z =
    -t +
    (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t ** 3)
  for (let step = 0; step < 3; step += 1) {
    const off = (normal(z) - p) * Math.sqrt(2 * Math.PI) * Math.exp((z * z) / 2)
    z -= off / (1 + (z * off) / 2)
  }
  return z
}

/** Both tails of Student's t beyond ±t. */
export const tTails = (t: number, freedom: number): number =>
  Number.isFinite(t) ? beta(freedom / (freedom + t * t), freedom / 2, 0.5) : 0

/** The t that both tails together leave `1 − level` beyond. */
export function tQuantile(level: number, freedom: number): number {
  const x = betaQuantile(1 - level, freedom / 2, 0.5)
  return Math.sqrt((freedom * (1 - x)) / x)
}

/** The F at which its distribution function is p. */
export function fQuantile(p: number, upper: number, lower: number): number {
  const x = betaQuantile(p, upper / 2, lower / 2)
  return (lower * x) / (upper * (1 - x))
}

/** Where a growing function passes zero. */
export function bisect(of: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to]
  for (let step = 0; step < 400 && high - low > 1e-16 * Math.abs(low + high); step += 1) {
    const middle = (low + high) / 2
    if (of(middle) < 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Normal equations of a cubic in x and y: 1, x, y, x², xy, y², x³, x²y, xy², y³. Part of `vorticity-cubic.ts`. */

/** In this order: powers of x and of y. */
const terms = [0, 1, 2, 3].flatMap((degree) =>
  Array.from({ length: degree + 1 }, (_, y) => [degree - y, y] as const),
)
export const TERMS = terms.length

/** What is left of a term's length after those before it, squared; below it the samples do not tell them apart. */
const LEAST_OWN = 1e-3

/** Sums along each row of places to the powers 0, 1, …: of known samples up to 6, of values up to 3. */
export type RowPowers = Record<'n' | 'u' | 'v', readonly Float64Array[]>

export function makeNormal() {
  const [known, u, v] = [makeMoments(6), makeMoments(3), makeMoments(3)]
  const matrix = new Float64Array(TERMS * TERMS)
  const places = terms.flatMap(([x, y]) => terms.map(([p, q]) => known.place(x + p, y + q)))
  return {
    clear() {
      for (const { sums } of [known, u, v]) sums.fill(0)
    },
    /** The row whose window has its middle at `at`, `y` from the middle of the window. */
    addRow(rows: RowPowers, at: number, y: number) {
      known.add(rows.n, at, y)
      u.add(rows.u, at, y)
      v.add(rows.v, at, y)
    },
    /** ∂v/∂x and ∂u/∂y in the middle; null where the samples do not tell the terms apart. */
    solve(): { v: number; u: number } | null {
      for (const [index, place] of places.entries()) matrix[index] = known.sums[place] ?? 0
      if (!factorise(matrix)) return null
      return { v: solved(matrix, v.sums)[1] ?? 0, u: solved(matrix, u.sums)[2] ?? 0 }
    },
  }
}

/** Σ xᵖ·y^q over the window for p + q up to `degree`, in the order of the terms. */
function makeMoments(degree: number) {
  const place = (x: number, y: number) => ((x + y) * (x + y + 1)) / 2 + y
  const sums = new Float64Array(place(0, degree) + 1)
  return {
    sums,
    place,
    add(rows: readonly Float64Array[], at: number, y: number) {
      for (let x = 0; x <= degree; x++) {
        let value = rows[x]?.[at] ?? 0
        for (let power = 0; x + power <= degree; power++) {
          const to = ((x + power) * (x + power + 1)) / 2 + power
          sums[to] = (sums[to] ?? 0) + value
          value *= y
        }
      }
    },
  }
}

/** Cholesky's lower triangle in place; false where a term is as good as a sum of those before it. */
function factorise(matrix: Float64Array): boolean {
  for (let i = 0; i < TERMS; i++) {
    const whole = matrix[i * TERMS + i] ?? 0
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * TERMS + j] ?? 0
      for (let k = 0; k < j; k++) sum -= (matrix[i * TERMS + k] ?? 0) * (matrix[j * TERMS + k] ?? 0)
      if (j < i) matrix[i * TERMS + j] = sum / (matrix[j * TERMS + j] ?? 1)
      else if (!(sum > LEAST_OWN * whole)) return false
      else matrix[i * TERMS + i] = Math.sqrt(sum)
    }
  }
  return true
}

/** In place of `side`. */
function solved(lower: Float64Array, side: Float64Array): Float64Array {
  for (let i = 0; i < TERMS; i++) {
    let sum = side[i] ?? 0
    for (let k = 0; k < i; k++) sum -= (lower[i * TERMS + k] ?? 0) * (side[k] ?? 0)
    side[i] = sum / (lower[i * TERMS + i] ?? 1)
  }
  for (let i = TERMS - 1; i >= 0; i--) {
    let sum = side[i] ?? 0
    for (let k = i + 1; k < TERMS; k++) sum -= (lower[k * TERMS + i] ?? 0) * (side[k] ?? 0)
    side[i] = sum / (lower[i * TERMS + i] ?? 1)
  }
  return side
}

/** The rows that a round brush covers on its way from one point to the next. Pure. */
import type { Point } from './view.ts'

type Sweep = {
  from: Point
  to: Point
  /** Image pixels along. */
  radius: number
  /** How much taller than wide a pixel is: the brush is round to the eye. */
  aspect: number
}

/** Pixels whose centre lies under the brush; at least the one under the pointer. `each`: row, first and one past the last column. */
export function sweep(
  { from, to, radius, aspect }: Sweep,
  each: (v: number, from: number, to: number) => void,
): void {
  const a = { x: from.x, y: from.y * aspect }
  const b = { x: to.x, y: to.y * aspect }
  const reach = Math.max(radius, 0.5)
  const length = Math.hypot(b.x - a.x, b.y - a.y)
  const side =
    length === 0 ? { x: 0, y: 0 } : { x: ((a.y - b.y) / length) * reach, y: ((b.x - a.x) / length) * reach }
  const first = Math.floor((Math.min(a.y, b.y) - reach) / aspect)
  const last = Math.ceil((Math.max(a.y, b.y) + reach) / aspect)
  let isAny = false
  for (let v = first; v <= last; v++) {
    const y = (v + 0.5) * aspect
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    const add = (x: number) => {
      low = Math.min(low, x)
      high = Math.max(high, x)
    }
    for (const end of [a, b]) {
      const rest = reach * reach - (y - end.y) ** 2
      if (rest < 0) continue
      add(end.x - Math.sqrt(rest))
      add(end.x + Math.sqrt(rest))
    }
    for (const sign of [-1, 1]) {
      const start = { x: a.x + sign * side.x, y: a.y + sign * side.y }
      const part = (y - start.y) / (b.y - a.y)
      if (part >= 0 && part <= 1) add(start.x + part * (b.x - a.x))
    }
    const [left, right] = [Math.ceil(low - 0.5), Math.floor(high - 0.5) + 1]
    if (right <= left) continue
    isAny = true
    each(v, left, right)
  }
  if (!isAny) each(Math.floor(to.y), Math.floor(to.x), Math.floor(to.x) + 1)
}

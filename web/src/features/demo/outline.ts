/** The line on which a field of values crosses one half, finer than pixels (marching squares). Draws nothing. */

export type Segment = [x1: number, y1: number, x2: number, y2: number]

const LEVEL = 0.5

/** For each of the 16 patterns of corners above the level: pairs of sides that the line joins. */
const sidesOf: readonly (readonly (readonly [Side, Side])[])[] = [
  [],
  [['left', 'top']],
  [['top', 'right']],
  [['left', 'right']],
  [['right', 'bottom']],
  [
    ['left', 'top'],
    ['right', 'bottom'],
  ],
  [['top', 'bottom']],
  [['left', 'bottom']],
  [['left', 'bottom']],
  [['top', 'bottom']],
  [
    ['top', 'right'],
    ['left', 'bottom'],
  ],
  [['right', 'bottom']],
  [['left', 'right']],
  [['top', 'right']],
  [['left', 'top']],
  [],
]
type Side = 'left' | 'top' | 'right' | 'bottom'

/** Between the middles of pixels; (0, 0) is the middle of the first one. */
export function outlineOf(values: ArrayLike<number>, width: number): Segment[] {
  const height = values.length / width
  const at = (x: number, y: number) => values[y * width + x] ?? 0
  const segments: Segment[] = []
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0; x < width - 1; x++) {
      // Clockwise from the upper left.
      const corners = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)] as const
      const pattern = corners.reduce((sum, value, bit) => sum + (value > LEVEL ? 2 ** bit : 0), 0)
      for (const [from, to] of sidesOf[pattern] ?? []) {
        segments.push([...crossing(from, corners, x, y), ...crossing(to, corners, x, y)])
      }
    }
  }
  return segments
}

type Corners = readonly [number, number, number, number]

/** Where the level lies on a side, by straight interpolation. */
function crossing(side: Side, [a, b, c, d]: Corners, x: number, y: number): [number, number] {
  switch (side) {
    case 'top':
      return [x + share(a, b), y]
    case 'right':
      return [x + 1, y + share(b, c)]
    case 'bottom':
      return [x + share(d, c), y + 1]
    case 'left':
      return [x, y + share(a, d)]
  }
}

const share = (from: number, to: number): number => (LEVEL - from) / (to - from)

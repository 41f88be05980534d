/** Outlines as texts draw them, and the box round each. */
export type Point = readonly [number, number]

/** `withOutlines`: what the boxes are drawn round is wanted, too. */
export type Wanted = { withOutlines?: boolean }

export function around(points: readonly Point[]): { x0: number; y0: number; x1: number; y1: number } {
  let [x0, y0, x1, y1] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]
  for (const [x, y] of points) {
    x0 = Math.min(x0, x)
    y0 = Math.min(y0, y)
    x1 = Math.max(x1, x)
    y1 = Math.max(y1, y)
  }
  return { x0, y0, x1, y1 }
}

/** Corners of what stands in for a curve. */
const ROUND_CORNERS = 72

type Ellipse = { x: number; y: number; across: number; down: number; degrees?: number }

export function ellipse({ x, y, across, down, degrees = 0 }: Ellipse): Point[] {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  return Array.from({ length: ROUND_CORNERS }, (_, corner): Point => {
    const angle = (corner / ROUND_CORNERS) * 2 * Math.PI
    const [right, below] = [across * Math.cos(angle), down * Math.sin(angle)]
    return [x + right * cosine - below * sine, y + right * sine + below * cosine]
  })
}

/** A rectangle round its middle, turned clockwise as seen on a screen. */
export function rectangle({ x, y, across, down, degrees = 0 }: Ellipse): Point[] {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const corners = [
    [-across, -down],
    [across, -down],
    [across, down],
    [-across, down],
  ] as const
  return corners.map(
    ([right, below]): Point => [x + right * cosine - below * sine, y + right * sine + below * cosine],
  )
}

/**
 * Which found boxes hit a true one, told anew from what a test keeps of each image. As the engine does it
 * (`average_precision.py`): from the surest on, each takes the true box of its class that it overlaps most and that is
 * still free. Pure; knows neither database nor pages.
 */
import type { ItemResult } from '@neuroloom/contract/engine'

export type Boxes = NonNullable<ItemResult['boxes']>
type Box = Boxes['truth'][number]

/** A box counts when it overlaps the true one by half. */
const LEAST_OVERLAP = 0.5

/** One for each found box, in their order. */
export function hitsOf({ truth, found }: Boxes): boolean[] {
  const taken = new Set<number>()
  return found.map((box) => {
    const best = bestOf(box, truth, taken)
    if (best !== null) taken.add(best)
    return best !== null
  })
}

/** The free box of the same class that is overlapped most, of equals the first; null where none is by half. */
function bestOf(box: Box, truth: readonly Box[], taken: ReadonlySet<number>): number | null {
  let best: number | null = null
  let most = 0
  truth.forEach((one, index) => {
    if (one.class !== box.class || taken.has(index)) return
    const fit = overlapOf(box, one)
    if (fit >= LEAST_OVERLAP && fit > most) {
      best = index
      most = fit
    }
  })
  return best
}

/** Intersection over union, 0 to 1. */
function overlapOf(one: Box, two: Box): number {
  const width = Math.min(one.x1, two.x1) - Math.max(one.x0, two.x0)
  const height = Math.min(one.y1, two.y1) - Math.max(one.y0, two.y0)
  if (width <= 0 || height <= 0) return 0
  const shared = width * height
  return shared / (areaOf(one) + areaOf(two) - shared)
}

const areaOf = ({ x0, y0, x1, y1 }: Box): number => (x1 - x0) * (y1 - y0)

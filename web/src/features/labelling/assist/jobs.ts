/** What the worker does by name: each takes and gives plain data. */

import { fill } from './fill.ts'
import { type Between, fillBetween } from './fill-between.ts'
import { growCut } from './grow-cut.ts'
import { fillHoles } from './holes.ts'
import { keepLargest } from './islands.ts'
import { withMargin } from './margin.ts'
import { asVolume, type Colour, greyOf, type Mask, type Point, type SegmentVolume } from './plane.ts'
import { RIM, withRim } from './seed-rim.ts'
import { smoothByGaussian } from './smooth.ts'
import { superpixelsOfColour } from './superpixels.ts'
import { wandColour } from './wand.ts'
import { makeWiring } from './wiring.ts'

export const jobs = {
  wand: ({ plane, seed, tolerance }: { plane: Colour; seed: Point; tolerance: number }) =>
    wandColour(plane, seed, { tolerance }),
  /** Nothing where only the rim encloses it. */
  fill: ({ mask, seed }: { mask: Mask; seed: Point }) => {
    const region = fill(mask, seed)
    return region.reachesRim
      ? { ...region.mask, values: new Uint8Array(region.mask.values.length) }
      : region.mask
  },
  wire: makeWiring(),
  superpixels: ({ plane, step }: { plane: Colour; step: number }) => {
    const { width, height, numbers } = superpixelsOfColour(plane, { step })
    return { width, height, values: numbers }
  },
  grow: ({ plane, seeds }: { plane: Colour; seeds: Uint16Array }) => {
    const { width, height } = plane
    const values = withRim({ width, height, values: seeds })
    const grown = growCut(asVolume(greyOf(plane)), { size: [width, height, 1], values }, { background: RIM })
    return { width, height, values: grown?.values ?? seeds }
  },
  smooth: ({ mask, sigma }: { mask: Mask; sigma: number }) => smoothByGaussian(mask, sigma),
  largest: ({ mask }: { mask: Mask }) => keepLargest(asVolume(mask), false),
  holes: ({ mask }: { mask: Mask }) => fillHoles(asVolume(mask)),
  margin: ({ mask, pixels, aspect }: { mask: Mask; pixels: number; aspect: number }) =>
    withMargin(asVolume(mask), { spacing: [1, aspect, 1], millimetres: pixels }),
  between: ({ volume, between }: { volume: SegmentVolume; between: Between }) => ({
    values: fillBetween(volume, between) ?? volume.values,
  }),
}

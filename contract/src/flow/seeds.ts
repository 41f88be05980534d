/**
 * Seeds for lines in a volume or a plane: a Poisson-disc sample of the mask by dart throwing (R. Cook, "Stochastic Sampling in
 * Computer Graphics", ACM Trans. Graph. 5, 1986). Voxels are taken in random order, each some times at a random place inside it, and
 * kept where no seed lies nearer than the distance. The same seed of the generator gives the same places. Pure.
 */
import { mulberry32 } from '../statistics/random.ts'
import { makeNear } from './near.ts'
import type { Three } from './slice.ts'

/** Tries in each voxel: with them hardly any place in the mask is farther than the distance from a seed. */
const TRIES = 8

type Asked = {
  /** x, y, z in voxels; a plane has z = 1. */
  size: Three
  /** In metres. */
  spacing: Three
  /** Not 0 = may hold seeds; x fastest; null = all. */
  mask: Uint8Array | null
  /** Least distance of two seeds, in metres. */
  distance: number
  /** Of the generator. */
  seed: number
  most?: number
}

/** Places in voxels. Throws a RangeError at a distance that is not above 0. */
export function poissonSeeds({
  size,
  spacing,
  mask,
  distance,
  seed,
  most = Number.POSITIVE_INFINITY,
}: Asked): Three[] {
  if (!(distance > 0)) throw new RangeError(`a distance of ${distance}`)
  const [width, height, depth] = size
  const random = mulberry32(seed)
  const order = shuffledVoxels(width * height * depth, mask, random)
  const cells = (side: number, pitch: number) => Math.max(1, Math.ceil((side * pitch) / distance))
  const near = makeNear(distance, [
    cells(width, spacing[0]),
    cells(height, spacing[1]),
    cells(depth, spacing[2]),
  ])
  const seeds: Three[] = []
  for (let turn = 0; turn < TRIES; turn++) {
    for (const voxel of order) {
      if (seeds.length >= most) return seeds
      const x = (voxel % width) + random() - 0.5
      const y = (Math.floor(voxel / width) % height) + random() - 0.5
      const z = depth === 1 ? 0 : Math.floor(voxel / (width * height)) + random() - 0.5
      const place = [x * spacing[0], y * spacing[1], z * spacing[2]] as const
      if (near.has(...place, distance)) continue
      near.add(...place)
      seeds.push([x, y, z])
    }
  }
  return seeds
}

/** Fisher and Yates. */
function shuffledVoxels(count: number, mask: Uint8Array | null, random: () => number): Int32Array {
  const voxels = Int32Array.from({ length: count }, (_, voxel) => voxel).filter(
    (voxel) => mask === null || mask[voxel] !== 0,
  )
  for (let last = voxels.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const moved = voxels[last] ?? 0
    voxels[last] = voxels[other] ?? 0
    voxels[other] = moved
  }
  return voxels
}

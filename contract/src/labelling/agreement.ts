/** How far readers agree: overlap and distance of two masks, and kappa of what was said of whole images. Knows no reader. */
import { type Grid, squaredDistances, type Three } from './distance.ts'

/** L. R. Dice (1945): 1 is the same, 0 is nothing in common; two empty masks are the same. */
export function diceOf(first: ArrayLike<number>, other: ArrayLike<number>): number {
  let [both, sum] = [0, 0]
  for (let index = 0; index < first.length; index++) {
    const [isFirst, isOther] = [(first[index] ?? 0) > 0, (other[index] ?? 0) > 0]
    if (isFirst && isOther) both++
    sum += Number(isFirst) + Number(isOther)
  }
  return sum === 0 ? 1 : (2 * both) / sum
}

export type SurfaceDistances = {
  /** Millimetres: the larger of the 95th percentiles of both directions (L. Maier-Hein et al., "Metrics reloaded", 2024). */
  hausdorff95: number
  /** Millimetres: over all voxels of both surfaces (T. Heimann et al., 2009). */
  mean: number
}

/**
 * Between the surfaces of two masks: their voxels with a side on what does not belong to them, the plane's or volume's rim too.
 * Null where one of them is empty: there is no distance to nothing.
 */
export function surfaceDistances(
  first: ArrayLike<number>,
  other: ArrayLike<number>,
  grid: Grid,
): SurfaceDistances | null {
  const [one, two] = [surfaceOf(first, grid.size), surfaceOf(other, grid.size)]
  const there = distancesFrom(one, two, grid)
  const back = distancesFrom(two, one, grid)
  if (there.length === 0 || back.length === 0) return null
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  return {
    hausdorff95: Math.max(percentile(there, 0.95), percentile(back, 0.95)),
    mean: (sum(there) + sum(back)) / (there.length + back.length),
  }
}

function surfaceOf(mask: ArrayLike<number>, size: Three): Uint8Array {
  const [width, height, depth] = size
  const surface = new Uint8Array(width * height * depth)
  for (let z = 0, index = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++, index++) {
        if (!mask[index]) continue
        const isWithin =
          x > 0 &&
          x < width - 1 &&
          mask[index - 1] &&
          mask[index + 1] &&
          y > 0 &&
          y < height - 1 &&
          mask[index - width] &&
          mask[index + width] &&
          (depth === 1 ||
            (z > 0 && z < depth - 1 && mask[index - width * height] && mask[index + width * height]))
        if (!isWithin) surface[index] = 1
      }
    }
  }
  return surface
}

/** From each voxel of one surface to the nearest of the other. */
function distancesFrom(surface: Uint8Array, other: Uint8Array, grid: Grid): Float64Array {
  const squares = squaredDistances(other, grid)
  const distances: number[] = []
  surface.forEach((value, index) => {
    if (value === 1) distances.push(Math.sqrt(squares[index] ?? 0))
  })
  return Float64Array.from(distances)
}

/** Between two values by straight interpolation, as NumPy does. */
function percentile(values: Float64Array, share: number): number {
  const sorted = values.slice().sort()
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? 0
  return below + (place - Math.floor(place)) * ((sorted[Math.ceil(place)] ?? 0) - below)
}

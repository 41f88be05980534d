/** Connected parts of a mask, numbered: in planes by sides or corners too, in volumes by faces or corners too. Knows no segment. */
import type { Three } from './distance.ts'

export type Components = {
  /** The number of each voxel's part, from 1 on in the order of their first voxels; 0 outside the mask. */
  numbers: Uint32Array
  /** Voxels of each part; of number 0 none are counted. */
  sizes: Uint32Array
}

/** `byCorners`: 8 neighbours in a plane and 26 in a volume, else 4 and 6. Two passes with union-find (A. Rosenfeld and J. L. Pfaltz, 1966). */
export function components(mask: ArrayLike<number>, size: Three, byCorners: boolean): Components {
  const numbers = new Uint32Array(size[0] * size[1] * size[2])
  const parents = numbered(mask, numbers, { size, before: neighboursBefore(byCorners) })
  // Parents stand before their children, so one pass gives each its final number.
  let count = 0
  for (let number = 1; number < parents.length; number++) {
    const parent = parents[number] ?? 0
    parents[number] = parent === number ? ++count : (parents[parent] ?? 0)
  }
  const sizes = new Uint32Array(count + 1)
  for (let index = 0; index < numbers.length; index++) {
    const number = parents[numbers[index] ?? 0] ?? 0
    numbers[index] = number
    if (number > 0) sizes[number] = (sizes[number] ?? 0) + 1
  }
  return { numbers, sizes }
}

type Away = readonly [x: number, y: number, z: number]

/** Neighbours that come earlier, when voxels are taken in their order. */
function neighboursBefore(byCorners: boolean): Away[] {
  const steps = [-1, 0, 1]
  return steps
    .flatMap((z) => steps.flatMap((y) => steps.map((x) => [x, y, z] as const)))
    .slice(0, 13)
    .filter(([x, y, z]) => byCorners || Math.abs(x) + Math.abs(y) + Math.abs(z) === 1)
}

/** Gives each voxel a number that its neighbours before have, and tells which numbers turned out to be the same. */
function numbered(
  mask: ArrayLike<number>,
  numbers: Uint32Array,
  { size: [width, height, depth], before }: { size: Three; before: readonly Away[] },
): number[] {
  const parents = [0]
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      const known = before.filter(([, dy, dz]) => z + dz >= 0 && y + dy >= 0 && y + dy < height)
      const across = Int32Array.from(known, ([dx]) => dx)
      const offsets = Int32Array.from(known, ([dx, dy, dz]) => (dz * height + dy) * width + dx)
      const row = (z * height + y) * width
      for (let x = 0; x < width; x++) {
        if (!mask[row + x]) continue
        let own = 0
        for (let which = 0; which < offsets.length; which++) {
          const beside = x + (across[which] ?? 0)
          if (beside < 0 || beside >= width) continue
          const other = numbers[row + x + (offsets[which] ?? 0)] ?? 0
          if (other === 0 || other === own) continue
          own = own === 0 ? other : joined(parents, own, other)
        }
        if (own === 0) own = parents.push(parents.length) - 1
        numbers[row + x] = own
      }
    }
  }
  return parents
}

/** The smaller of both roots, from now on the root of both. */
function joined(parents: number[], first: number, other: number): number {
  const [one, two] = [rootOf(parents, first), rootOf(parents, other)]
  const [low, high] = one < two ? [one, two] : [two, one]
  parents[high] = low
  return low
}

function rootOf(parents: number[], number: number): number {
  let at = number
  for (let parent = parents[at] ?? 0; parent !== at; parent = parents[at] ?? 0) {
    const above = parents[parent] ?? 0
    parents[at] = above
    at = above
  }
  return at
}

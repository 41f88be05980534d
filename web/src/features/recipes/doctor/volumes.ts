import type { ImageLook, MaskLook } from '@neuroloom/contract/recipes/repair'
import { type Finding, keep, leave, type Option } from './finding.ts'

type Look = ImageLook | MaskLook
type Rows = readonly number[]

const place: Option = { name: 'place', repairs: [{ do: 'place' }] }
const grid: Option = { name: 'grid', repairs: [{ do: 'grid' }] }
/** Of a voxel's side: headers hold numbers of 32 bits. */
const NEAR = 0.01

/** Whether image and mask are said to lie in one place of the body. */
export function placeFinding(image: ImageLook, mask: MaskLook): Finding[] {
  const isSame = image.width === mask.width && image.height === mask.height && image.depth === mask.depth
  if (!image.place || !mask.place) {
    if (!isSame) return [{ kind: 'depth', options: [leave], isSure: true }]
    return image.place ? [{ kind: 'noPlace', options: [place, keep, leave], isSure: true }] : []
  }
  if (isSame && isNear(image.place, mask.place, sideOf(image.place))) return []
  if (isSameGrid(image, mask))
    return [{ kind: 'axes', options: isSame ? [grid, place, leave] : [grid, leave], isSure: true }]
  if (isSame) return [{ kind: 'space', options: [place, grid, leave], isSure: false }]
  return [{ kind: 'space', options: [grid, leave], isSure: true }]
}

const isNear = (one: Rows, other: Rows, side: number): boolean =>
  one.every((value, index) => Math.abs(value - (other[index] ?? 0)) <= NEAR * side)

/** Of the shortest side of a voxel. */
const sideOf = (rows: Rows): number =>
  Math.min(...[0, 1, 2].map((axis) => Math.hypot(...[0, 4, 8].map((row) => rows[row + axis] ?? 0))))

/** The same voxels, counted from another corner or in another order: both have their corners in the same places. */
function isSameGrid(image: Look, mask: Look): boolean {
  const side = sideOf(image.place ?? [])
  const [own, others] = [cornersOf(image), cornersOf(mask)]
  const isThere = (corner: Rows): boolean => others.some((other) => isNear(corner, other, side))
  const count = (look: Look): number => look.width * look.height * (look.depth ?? 1)
  return count(image) === count(mask) && own.every(isThere)
}

function cornersOf({ place: rows, width, height, depth }: Look): number[][] {
  const ends = [0, 1]
  const all = ends.flatMap((i) =>
    ends.flatMap((j) => ends.map((k) => [i * (width - 1), j * (height - 1), k * ((depth ?? 1) - 1)])),
  )
  return all.map(([i = 0, j = 0, k = 0]) =>
    [0, 4, 8].map(
      (row) =>
        (rows?.[row] ?? 0) * i +
        (rows?.[row + 1] ?? 0) * j +
        (rows?.[row + 2] ?? 0) * k +
        (rows?.[row + 3] ?? 0),
    ),
  )
}

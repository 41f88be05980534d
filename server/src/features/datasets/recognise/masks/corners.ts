/** How far a mask lies from its image in the patient, by all that both say of their place. Pure. */
import type { FileFacts } from '@neuroloom/contract/engine'

type Placed = Pick<FileFacts, 'width' | 'height' | 'depth' | 'affine'>
type Triple = [number, number, number]

/** At the corner where they are farthest apart, of volumes of one size; null where one does not say where it lies. */
export function cornersApart(image: Placed, mask: Placed): { voxels: number; mm: number } | null {
  const [here, there] = [image.affine, mask.affine]
  if (!here || !there || image.depth === null) return null
  const back = inverseOf(here)
  if (back === null) return null
  const ends = [image.width - 1, image.height - 1, image.depth - 1]
  let [voxels, mm] = [0, 0]
  for (let corner = 0; corner < 8; corner += 1) {
    const at: Triple = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? (ends[axis] ?? 0) : 0)) as Triple
    const [one, other] = [placed(here, at), placed(there, at)]
    const way: Triple = [other[0] - one[0], other[1] - one[1], other[2] - one[2]]
    mm = Math.max(mm, Math.hypot(...way))
    for (const row of back)
      voxels = Math.max(voxels, Math.abs(row[0] * way[0] + row[1] * way[1] + row[2] * way[2]))
  }
  return { voxels, mm }
}

const cell = (affine: readonly number[], row: number, column: number): number => affine[row * 4 + column] ?? 0

const placed = (affine: readonly number[], [x, y, z]: Triple): Triple => {
  const along = (row: number): number =>
    cell(affine, row, 0) * x + cell(affine, row, 1) * y + cell(affine, row, 2) * z + cell(affine, row, 3)
  return [along(0), along(1), along(2)]
}

/** Of the three by three numbers that turn and stretch; null where they lay everything flat. */
function inverseOf(affine: readonly number[]): [Triple, Triple, Triple] | null {
  const column = (index: number): Triple => [
    cell(affine, 0, index),
    cell(affine, 1, index),
    cell(affine, 2, index),
  ]
  const [a, b, c] = [column(0), column(1), column(2)]
  const rows: [Triple, Triple, Triple] = [cross(b, c), cross(c, a), cross(a, b)]
  const volume = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2]
  if (!Number.isFinite(volume) || Math.abs(volume) < 1e-12) return null
  const over = ([x, y, z]: Triple): Triple => [x / volume, y / volume, z / volume]
  return [over(rows[0]), over(rows[1]), over(rows[2])]
}

const cross = ([a, b, c]: Triple, [d, e, f]: Triple): Triple => [b * f - c * e, c * d - a * f, a * e - b * d]

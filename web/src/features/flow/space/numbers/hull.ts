/**
 * The surface of a mask: one corner in each cell of eight voxels that the mask parts, moved to the middle of its neighbours but never
 * out of its cell (S. Gibson, "Constrained Elastic Surface Nets", MICCAI 1998). Pure.
 */
import type { Three } from '@neuroloom/contract/flow/slice'

export type Hull = {
  /** x, y, z in metres along the grid from the middle of the volume. */
  corners: Float32Array<ArrayBuffer>
  /** Unit vectors outwards. */
  normals: Float32Array<ArrayBuffer>
  triangles: Uint32Array<ArrayBuffer>
}

type Grid = { size: Three; spacing: Three }

const ROUNDS = 6
/** A mask of scattered voxels has no surface worth seeing. */
const MOST_FACES = 400_000

/** `spacing` in metres; null of an empty mask, or of one with far too much surface. */
export function hullOf(mask: Uint8Array, grid: Grid): Hull | null {
  const net = netOf(mask, grid.size)
  if (net === null || net.faces.length === 0) return null
  relax(net)
  const corners = net.places.map((voxel, at) => {
    const axis = (at % 3) as 0 | 1 | 2
    return (voxel - (grid.size[axis] - 1) / 2) * grid.spacing[axis]
  })
  const triangles = new Uint32Array((net.faces.length / 4) * 6)
  for (let face = 0; face < net.faces.length / 4; face++) {
    const [a = 0, b = 0, c = 0, d = 0] = net.faces.subarray(4 * face, 4 * face + 4)
    triangles.set([a, b, c, a, c, d], 6 * face)
  }
  return { corners, normals: normalsOf(corners, net.faces), triangles }
}

type Net = {
  /** In voxels. */
  places: Float32Array<ArrayBuffer>
  /** Middles of the cells. */
  cells: Float32Array
  /** Four corners each, against the clock as seen from outside. */
  faces: Uint32Array
}

function netOf(mask: Uint8Array, [width, height, depth]: Three): Net | null {
  const isIn = (x: number, y: number, z: number) =>
    x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth
      ? mask[(z * height + y) * width + x] !== 0
      : false
  const known = new Map<number, number>()
  const cells: number[] = []
  const corner = (x: number, y: number, z: number): number => {
    const key = ((z + 1) * (height + 1) + y + 1) * (width + 1) + x + 1
    const before = known.get(key)
    if (before !== undefined) return before
    known.set(key, known.size)
    cells.push(x + 0.5, y + 0.5, z + 0.5)
    return known.size - 1
  }
  const faces: number[] = []
  for (let z = -1; z < depth; z++) {
    for (let y = -1; y < height; y++) {
      for (let x = -1; x < width; x++) {
        const is = isIn(x, y, z)
        for (const [dx, dy, dz] of STEPS) {
          if (isIn(x + dx, y + dy, z + dz) === is) continue
          const around = cellsAround([dx, dy, dz]).map(([a, b, c]) => corner(x + a, y + b, z + c))
          faces.push(...(is ? around : around.toReversed()))
        }
        if (faces.length > 4 * MOST_FACES) return null
      }
    }
  }
  return {
    places: Float32Array.from(cells),
    cells: Float32Array.from(cells),
    faces: Uint32Array.from(faces),
  }
}

const STEPS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const

/** The four cells that share the edge from a voxel along an axis, around it as a right hand turns. */
function cellsAround([dx, dy]: Three): readonly Three[] {
  if (dx) return AROUND_X
  return dy ? AROUND_Y : AROUND_Z
}
const AROUND_X: readonly Three[] = [
  [0, -1, -1],
  [0, 0, -1],
  [0, 0, 0],
  [0, -1, 0],
]
const AROUND_Y: readonly Three[] = AROUND_X.map(([a, b, c]) => [c, a, b])
const AROUND_Z: readonly Three[] = AROUND_X.map(([a, b, c]) => [b, c, a])

function relax({ places, cells, faces }: Net): void {
  const sums = new Float32Array(places.length)
  const counts = new Uint16Array(places.length / 3)
  for (let round = 0; round < ROUNDS; round++) {
    sums.fill(0)
    counts.fill(0)
    for (let at = 0; at < faces.length; at++) {
      const next = at % 4 === 3 ? at - 3 : at + 1
      const [one = 0, other = 0] = [faces[at], faces[next]]
      for (let axis = 0; axis < 3; axis++) {
        sums[3 * one + axis] = (sums[3 * one + axis] ?? 0) + (places[3 * other + axis] ?? 0)
        sums[3 * other + axis] = (sums[3 * other + axis] ?? 0) + (places[3 * one + axis] ?? 0)
      }
      counts[one] = (counts[one] ?? 0) + 1
      counts[other] = (counts[other] ?? 0) + 1
    }
    for (let at = 0; at < places.length; at++) {
      const cell = cells[at] ?? 0
      const middle = (sums[at] ?? 0) / (counts[Math.floor(at / 3)] ?? 1)
      places[at] = Math.min(cell + 0.5, Math.max(cell - 0.5, middle))
    }
  }
}

/** Mean of the faces around, by area. */
function normalsOf(corners: Float32Array, faces: Uint32Array): Float32Array<ArrayBuffer> {
  const normals = new Float32Array(corners.length)
  const way = (from: number, to: number): Three => [
    (corners[3 * to] ?? 0) - (corners[3 * from] ?? 0),
    (corners[3 * to + 1] ?? 0) - (corners[3 * from + 1] ?? 0),
    (corners[3 * to + 2] ?? 0) - (corners[3 * from + 2] ?? 0),
  ]
  for (let at = 0; at < faces.length; at += 4) {
    const face = faces.subarray(at, at + 4)
    const [a = 0, b = 0, c = 0, d = 0] = face
    const [[x, y, z], [u, v, w]] = [way(a, c), way(b, d)]
    const normal = [y * w - z * v, z * u - x * w, x * v - y * u]
    for (const corner of face) {
      for (let axis = 0; axis < 3; axis++) {
        normals[3 * corner + axis] = (normals[3 * corner + axis] ?? 0) + (normal[axis] ?? 0)
      }
    }
  }
  for (let at = 0; at < normals.length; at += 3) {
    const length = Math.hypot(normals[at] ?? 0, normals[at + 1] ?? 0, normals[at + 2] ?? 0) || 1
    for (let axis = 0; axis < 3; axis++) normals[at + axis] = (normals[at + axis] ?? 0) / length
  }
  return normals
}

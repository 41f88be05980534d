/**
 * Arrows of a plane on a lattice of voxels, in the middle of it. Their length in metres is scaling·0.9·pitch·|v|/v_ref with v the
 * part along the plane, and at most three pitches; v_ref is of all frames, so that frames compare. Pure.
 */
import { knownOf, type Slice } from './slice.ts'

/** Of the pitch, at v_ref and a scaling of 1: arrows of one row do not touch. */
const FILL = 0.9
const LONGEST_PITCHES = 3

export type ArrowRules = {
  /** spacingBetweenArrows, in voxels. */
  pitch: number
  /** arrowScaling. */
  scaling: number
  /** v_ref in m/s. */
  reference: number
}

/** One arrow after the other; places and lengths in voxels. */
export type Arrows = {
  /** Where they begin: the middle of a voxel. */
  x: Float32Array
  y: Float32Array
  /** From the beginning to the point. */
  dx: Float32Array
  dy: Float32Array
  /** Through the plane, in m/s: a colour on request. */
  through: Float32Array
  /** All three components, in m/s. */
  speed: Float32Array
}

/** Places of the lattice along one side: the gaps at both ends differ by one voxel at most. */
export const latticeFirst = (side: number, pitch: number): number => Math.floor(((side - 1) % pitch) / 2)
const latticeCount = (side: number, pitch: number): number => Math.floor((side - 1) / pitch) + 1

/** Before the mask is looked at: what a choice may cost at most. */
export const arrowCount = ({ width, height }: Pick<Slice, 'width' | 'height'>, pitch: number): number =>
  latticeCount(width, pitch) * latticeCount(height, pitch)

/** None where nothing is known or moves; none at all where v_ref is 0. */
export function arrowsOf(slice: Slice, { pitch, scaling, reference }: ArrowRules): Arrows {
  const { width, height, spacing, u, v, w } = slice
  const known = knownOf([u, v, w], { count: width * height, mask: slice.mask })
  const at: number[] = []
  for (let row = latticeFirst(height, pitch); row < height; row += pitch) {
    for (let column = latticeFirst(width, pitch); column < width; column += pitch) {
      const place = row * width + column
      if (reference > 0 && known[place] && Math.hypot(u[place] ?? 0, v[place] ?? 0) > 0) at.push(place)
    }
  }
  const [hx, hy] = spacing
  const metres = pitch * Math.min(hx, hy)
  /** Metres of arrow per m/s. */
  const gains = at.map((place) => {
    const gain = (scaling * FILL * metres) / reference
    return Math.min(gain, (LONGEST_PITCHES * metres) / Math.hypot(u[place] ?? 0, v[place] ?? 0))
  })
  const gain = (index: number) => gains[index] ?? 0
  const along = (value: (place: number, index: number) => number) => Float32Array.from(at, value)
  return {
    x: along((place) => place % width),
    y: along((place) => Math.floor(place / width)),
    dx: along((place, index) => (gain(index) * (u[place] ?? 0)) / hx),
    dy: along((place, index) => (gain(index) * (v[place] ?? 0)) / hy),
    through: along((place) => w[place] ?? 0),
    speed: along((place) => Math.hypot(u[place] ?? 0, v[place] ?? 0, w[place] ?? 0)),
  }
}

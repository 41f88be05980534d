/**
 * Fills the slices between drawn ones. Shape-based interpolation of signed distances (S. P. Raya and J. K. Udupa, IEEE
 * Transactions on Medical Imaging 9, 1990), with a cubic through four slices, shapes moved onto each other where they overlap little,
 * and the whole of all segments interpolated too, so that none leaves a gap where another begins. Measured by `npm run bench -- fill-between`.
 */
import type { Three } from '@neuroloom/contract/labelling/distance'
import { type Cancel, maskWhere, type SegmentVolume } from './plane.ts'
import { type Layer, layerBetween, makeLayer } from './shape-layer.ts'
import { type Slicing, sliceOf, slicing } from './slicing.ts'

export type Between = {
  /** Across the drawn slices: 0 = x, 1 = y, 2 = z. */
  axis: 0 | 1 | 2
  /** Millimetres. */
  spacing: Three
  /** Those to be filled. A slice in which one of them stands counts as drawn, for all of them. */
  segments: readonly number[]
  isCancelled?: Cancel
}

/**
 * A copy with the slices between drawn ones filled. Drawn slices stay as they are, and so does what other segments hold
 * already; nothing is added before the first drawn slice or behind the last. Null when cancelled.
 * 1.3 s for two segments in a box of 330 × 330 on 90 slices, every fifth of them drawn.
 */
export function fillBetween<Values extends Uint8Array | Uint16Array>(
  volume: SegmentVolume & { values: Values },
  { axis, spacing, segments, isCancelled }: Between,
): Values | null {
  // slice() keeps the type of the array, which the compiler does not know of a type parameter.
  const filled = volume.values.slice() as Values
  const cut = slicing(volume, { axis, spacing, segments })
  if (!cut || cut.drawn.length < 2) return filled
  const stack = layersOf(cut, volume.values, segments)
  for (let gap = 0; gap + 1 < cut.drawn.length; gap++) {
    for (let slice = (cut.drawn[gap] ?? 0) + 1; slice < (cut.drawn[gap + 1] ?? 0); slice++) {
      if (isCancelled?.()) return null
      const numbers = divided(stack, segments, { gap, slice, drawn: cut.drawn, thickness: cut.thickness })
      sliceOf(cut, slice, (index, at) => {
        if (filled[index] === 0) filled[index] = numbers[at] ?? 0
      })
    }
  }
  return filled
}

type Stack = { whole: Layer[]; each: Layer[][] }

/** The shapes of each segment, and of all together, on each drawn slice. */
function layersOf(cut: Slicing, values: ArrayLike<number>, segments: readonly number[]): Stack {
  const numbers = cut.drawn.map((slice) => {
    const plane = new Uint16Array(cut.width * cut.height)
    sliceOf(cut, slice, (index, at) => {
      plane[at] = values[index] ?? 0
    })
    return plane
  })
  const layersFor = (belongs: (value: number) => boolean) =>
    numbers.map((plane) => makeLayer(maskWhere(plane, belongs), cut))
  const each = segments.map((segment) => layersFor((value) => value === segment))
  const [only] = each
  return { each, whole: only && each.length === 1 ? only : layersFor((value) => segments.includes(value)) }
}

type Place = { gap: number; slice: number; drawn: readonly number[]; thickness: number }

/** Segment numbers of one slice: inside is where a segment or the whole is, and the deepest segment has it. */
function divided({ whole, each }: Stack, segments: readonly number[], place: Place): Uint16Array {
  const wholeDepth = layerBetween(whole, place)
  const numbers = new Uint16Array(wholeDepth?.length ?? 0)
  const depths = each.map((layers) => (layers === whole ? wholeDepth : layerBetween(layers, place)))
  for (let at = 0; at < numbers.length; at++) {
    let deepest = Number.NEGATIVE_INFINITY
    let number = 0
    for (let index = 0; index < depths.length; index++) {
      const value = depths[index]?.[at] ?? Number.NEGATIVE_INFINITY
      if (value <= deepest) continue
      deepest = value
      number = segments[index] ?? 0
    }
    if (deepest > 0 || (wholeDepth?.[at] ?? 0) > 0) numbers[at] = number
  }
  return numbers
}

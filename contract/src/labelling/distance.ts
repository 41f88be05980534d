/**
 * Exact Euclidean distances to a mask, in millimetres: P. Felzenszwalb and D. Huttenlocher, "Distance Transforms of Sampled
 * Functions", Theory of Computing 8 (2012), with a spacing of its own along each axis. Knows no segment and no file.
 */

/** x, y, z; a plane has z = 1. Values lie with x fastest. */
export type Three = readonly [x: number, y: number, z: number]

export type Grid = { size: Three; spacing: Three }

/** Squared distance (mm²) from the middle of each voxel to that of the nearest one whose mask is not 0; Infinity without any. */
export function squaredDistances(mask: ArrayLike<number>, { size, spacing }: Grid): Float32Array {
  const [width, height, depth] = size
  const squares = new Float32Array(width * height * depth)
  for (let index = 0; index < squares.length; index++) {
    squares[index] = mask[index] ? 0 : Number.POSITIVE_INFINITY
  }
  const steps = [1, width, width * height] as const
  const line = makeLine(Math.max(width, height, depth))
  for (const axis of [0, 1, 2] as const) {
    const [length, step] = [size[axis], steps[axis]]
    if (length === 1) continue
    for (let block = 0; block < squares.length; block += step * length) {
      for (let start = block; start < block + step; start++) {
        sweep(squares, line, { start, step, length, spacing: spacing[axis] })
      }
    }
  }
  return squares
}

type Line = {
  values: Float64Array
  /** Where the parabolas of the lower envelope stand, and the height of each above 0 at the line's origin. */
  feet: Int32Array
  heights: Float64Array
  /** From where on along the line (mm) each is the lowest. */
  from: Float64Array
}

const makeLine = (length: number): Line => ({
  values: new Float64Array(length),
  feet: new Int32Array(length),
  heights: new Float64Array(length),
  from: new Float64Array(length),
})

type Course = { start: number; step: number; length: number; spacing: number }

/** One line: the lower envelope of the parabolas that stand on its values, read at each voxel. */
function sweep(squares: Float32Array, line: Line, { start, step, length, spacing }: Course) {
  const { values, feet, heights, from } = line
  let last = -1
  let isZero = true
  for (let place = 0, at = start; place < length; place++, at += step) {
    const value = squares[at] ?? 0
    values[place] = value
    if (value !== 0) isZero = false
    if (value === Number.POSITIVE_INFINITY) continue
    const height = value + (place * spacing) ** 2
    let begin = Number.NEGATIVE_INFINITY
    for (; last >= 0; last--) {
      begin = (height - (heights[last] ?? 0)) / (2 * spacing * (place - (feet[last] ?? 0)))
      if (begin > (from[last] ?? 0)) break
    }
    last++
    feet[last] = place
    heights[last] = height
    from[last] = last === 0 ? Number.NEGATIVE_INFINITY : begin
  }
  if (last < 0 || isZero) return
  let lowest = 0
  for (let place = 0, at = start; place < length; place++, at += step) {
    while (lowest < last && (from[lowest + 1] ?? 0) < place * spacing) lowest++
    const foot = feet[lowest] ?? 0
    squares[at] = ((place - foot) * spacing) ** 2 + (values[foot] ?? 0)
  }
}

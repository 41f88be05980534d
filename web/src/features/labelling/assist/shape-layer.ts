/** A drawn shape as a field of depths in millimetres, and such fields between two slices. */
import { squaredDistances } from '@neuroloom/contract/labelling/distance'
import { gaussian } from './gaussian.ts'
import { maskWhere } from './plane.ts'

export type Layer = {
  width: number
  /** Millimetres to the border, positive inside; null where nothing is drawn. */
  depth: Float32Array | null
  mask: Uint8Array
  /** Mean column and row of the shape. */
  centre: readonly [x: number, y: number]
  /** `depth` as it counts between slices so many millimetres apart: made when first asked for. */
  limited: Map<number, Float32Array>
}

/** Steps of pixels are no shape: a standard deviation in pixels. Tried: 0, 0.5, 0.65, 0.8, 1.2. */
const SMOOTHING = 0.65
/** Depths count up to about so many distances between two drawn slices: what lies deeper says nothing of the border. */
const DEEPEST = 2

/** In pixels: less makes no difference to a mask, only work. */
const LEAST_SHIFT = 0.02

type Frame = { width: number; height: number; spacing: readonly [across: number, down: number] }

export function makeLayer(mask: Uint8Array, { width, height, spacing }: Frame): Layer {
  let [count, x, y] = [0, 0, 0]
  mask.forEach((value, at) => {
    if (value === 0) return
    count++
    x += at % width
    y += Math.floor(at / width)
  })
  if (count === 0) return { width, mask, depth: null, centre: [0, 0], limited: new Map() }
  const grid = { size: [width, height, 1], spacing: [...spacing, 1] } as const
  const out = squaredDistances(mask, grid)
  const within = squaredDistances(
    maskWhere(mask, (value) => value === 0),
    grid,
  )
  // The border runs between two pixels, not through the middle of one.
  const half = Math.min(...spacing) / 2
  const most = Math.hypot(width * spacing[0], height * spacing[1])
  const depth = new Float32Array(mask.length)
  for (let at = 0; at < depth.length; at++) {
    depth[at] = mask[at] ? Math.min(most, Math.sqrt(within[at] ?? 0)) - half : half - Math.sqrt(out[at] ?? 0)
  }
  return {
    width,
    mask,
    depth: gaussian({ width, height, values: depth }, SMOOTHING),
    centre: [x / count, y / count],
    limited: new Map(),
  }
}

type Place = { gap: number; slice: number; drawn: readonly number[]; thickness: number }

/** Depths on a slice between the drawn slices `gap` and `gap + 1`; null when nothing is drawn on either. */
export function layerBetween(layers: readonly Layer[], place: Place): Float32Array | null {
  const { gap, slice, drawn, thickness } = place
  const [low, high] = [layers[gap], layers[gap + 1]]
  if (!low || !high || !(low.depth || high.depth)) return null
  const [start = 0, end = 0] = drawn.slice(gap, gap + 2)
  const share = (slice - start) / (end - start)
  const span = (end - start) * thickness
  const move = low.depth && high.depth ? (1 - overlap(low.mask, high.mask)) ** 2 : 0
  const middle = [0, 1].map(
    (side) => (low.centre[side] ?? 0) * (1 - share) + (high.centre[side] ?? 0) * share,
  )
  const four = [gap - 1, gap, gap + 1, gap + 2].map((index) => {
    const layer = layers[index]
    if (!layer) return null
    const depth = limitedDepth(layer, span)
    if (!layer.depth) return depth
    const [x, y] = layer.centre
    return shifted(depth, layer.width, [(x - (middle[0] ?? 0)) * move, (y - (middle[1] ?? 0)) * move])
  })
  return cubic(four, { drawn: drawn.slice(Math.max(0, gap - 1)), gap: Math.min(1, gap), share })
}

/** Where nothing is drawn the shape is taken to be as far away as the slices are from each other. */
function limitedDepth({ depth, mask, limited }: Layer, span: number): Float32Array {
  const known = limited.get(span)
  if (known) return known
  const most = DEEPEST * span
  const values = new Float32Array(mask.length).fill(-span)
  if (depth) values.set(depth)
  for (let at = 0; at < values.length; at++) values[at] = most * Math.tanh((values[at] ?? 0) / most)
  limited.set(span, values)
  return values
}

/** Dice of two masks that both hold something. */
function overlap(first: Uint8Array, other: Uint8Array): number {
  let [both, sum] = [0, 0]
  for (let at = 0; at < first.length; at++) {
    const [a, b] = [first[at] ?? 0, other[at] ?? 0]
    both += a & b
    sum += a + b
  }
  return (2 * both) / sum
}

/** The field as seen from (x + dx, y + dy), between pixels by straight interpolation. */
function shifted(values: Float32Array, width: number, [dx, dy]: readonly [number, number]): Float32Array {
  if (Math.hypot(dx, dy) < LEAST_SHIFT) return values
  const height = values.length / width
  const seen = new Float32Array(values.length)
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.min(height - 1, Math.max(0, y + dy))
    const top = Math.min(Math.floor(row), Math.max(0, height - 2))
    const below = top + 1 < height ? width : 0
    for (let x = 0; x < width; x++, at++) {
      const column = Math.min(width - 1, Math.max(0, x + dx))
      const left = Math.min(Math.floor(column), Math.max(0, width - 2))
      const beside = left + 1 < width ? 1 : 0
      const [across, down, from] = [column - left, row - top, top * width + left]
      const upper = (values[from] ?? 0) * (1 - across) + (values[from + beside] ?? 0) * across
      const lower = (values[from + below] ?? 0) * (1 - across) + (values[from + below + beside] ?? 0) * across
      seen[at] = upper * (1 - down) + lower * down
    }
  }
  return seen
}

type Four = readonly (Float32Array | null)[]

/** Catmull and Rom's cubic, for slices at any distances; where there is no third or fourth slice its end is straight. */
function cubic(
  [before, low, high, after]: Four,
  { drawn, gap, share }: { drawn: readonly number[]; gap: number; share: number },
): Float32Array {
  const span = (drawn[gap + 1] ?? 0) - (drawn[gap] ?? 0)
  const early = span / ((drawn[gap + 1] ?? 0) - (drawn[gap - 1] ?? 0))
  const late = span / ((drawn[gap + 2] ?? 0) - (drawn[gap] ?? 0))
  const [square, cube] = [share ** 2, share ** 3]
  const values = new Float32Array(low?.length ?? 0)
  for (let at = 0; at < values.length; at++) {
    const [from, to] = [low?.[at] ?? 0, high?.[at] ?? 0]
    const leaving = before ? (to - (before[at] ?? 0)) * early : to - from
    const arriving = after ? ((after[at] ?? 0) - from) * late : to - from
    values[at] =
      (2 * cube - 3 * square + 1) * from +
      (cube - 2 * square + share) * leaving +
      (3 * square - 2 * cube) * to +
      (cube - square) * arriving
  }
  return values
}

/** From where the volume is looked at: straight on, without perspective, so that lengths compare. Metres from its middle along the grid; pure. */
import type { Three } from '@neuroloom/contract/flow/slice'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { Box } from '../../viewer/draw/frame.ts'
import { metresOf } from '../../viewer/numbers/measured.ts'
import { type Angles, type Sight, sightOf } from '../../viewer/numbers/sight.ts'

export type Look = {
  angles: Angles
  /** 1 = a ball around the volume fits. */
  zoom: number
  /** Metres that the middle of the picture lies to the right of the volume's, and below it. */
  right: number
  down: number
}

/** Views with a name: from the front, from the left, from above. */
export const views = {
  front: { turn: 0, tilt: 0 },
  side: { turn: 90, tilt: 0 },
  top: { turn: 0, tilt: -90 },
} as const satisfies Record<string, Angles>

/** A little from the side and from above: depth is seen at once. */
export const firstAngles: Angles = { turn: 25, tilt: -15 }

export type Camera = Pick<Sight, 'right' | 'down' | 'away'> & {
  image: Box
  /** CSS pixels of a metre. */
  scale: number
  /** Where the middle of the volume lies, in CSS pixels. */
  middle: { x: number; y: number }
  /** Metres from the middle that nothing lies beyond. */
  reach: number
}

/** Pixels at each side for letters. */
const MARGIN = 30
const LEAST_ZOOM = 0.5
const MOST_ZOOM = 12

export function cameraOf(head: FlowStudy, { angles, zoom, right, down }: Look, image: Box): Camera {
  const sight = sightOf(head, { plane: 'oblique', angles })
  const reach = Math.hypot(...halfOf(head))
  const scale = (zoom * Math.max(1, Math.min(image.width, image.height) - 2 * MARGIN)) / (2 * reach)
  const middle = {
    x: image.x + image.width / 2 - scale * right,
    y: image.y + image.height / 2 - scale * down,
  }
  return { right: sight.right, down: sight.down, away: sight.away, image, scale, middle, reach }
}

/** All of the volume at these angles, as large as it fits. */
export function wholeLook(head: FlowStudy, angles: Angles, image: Box): Look {
  const look = { angles, zoom: 1, right: 0, down: 0 }
  const { right, down, scale } = cameraOf(head, look, image)
  const half = halfOf(head)
  const reach = (way: Three) => half.reduce((sum, side, axis) => sum + side * Math.abs(way[axis] ?? 0), 0)
  const fit = Math.min(
    (image.width / 2 - MARGIN) / (scale * reach(right)),
    (image.height / 2 - MARGIN) / (scale * reach(down)),
  )
  return zoomedBy(look, fit)
}

/** Half the sides of the volume, to the borders of the outermost voxels. */
export function halfOf(head: FlowStudy): Three {
  const metres = metresOf(head)
  const half = (axis: 0 | 1 | 2) => (head.size[axis] * metres[axis]) / 2
  return [half(0), half(1), half(2)]
}

export const dot = ([a, b, c]: Three, [x, y, z]: Three): number => a * x + b * y + c * z

/** In CSS pixels, and metres away from who looks. */
export function seen({ right, down, away, scale, middle }: Camera, place: Three): Three {
  return [middle.x + scale * dot(right, place), middle.y + scale * dot(down, place), dot(away, place)]
}

/** Columns of a 4×4 matrix, as WebGL takes them: from metres to −1 … 1 over the picture, the nearest at −1. */
export function clipMatrix({ right, down, away, image, scale, middle, reach }: Camera): Float32Array {
  const [across, up] = [(2 * scale) / image.width, (-2 * scale) / image.height]
  // Tubes are thicker than their middles.
  const deep = 0.9 / reach
  const x = (2 * (middle.x - image.x)) / image.width - 1
  const y = 1 - (2 * (middle.y - image.y)) / image.height
  const column = (axis: 0 | 1 | 2) => [across * right[axis], up * down[axis], deep * away[axis], 0]
  return Float32Array.from([...column(0), ...column(1), ...column(2), x, y, 0, 1])
}

/** By so many degrees; the head stays above. */
export function turned(look: Look, { turn, tilt }: Angles): Look {
  const round = ((((look.angles.turn + turn + 180) % 360) + 360) % 360) - 180
  const upright = Math.max(-90, Math.min(90, look.angles.tilt + tilt))
  return { ...look, angles: { turn: round, tilt: upright } }
}

/** The middle of the picture stays. */
export const zoomedBy = (look: Look, by: number): Look => ({
  ...look,
  zoom: Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, look.zoom * by)),
})

/** What lies under `at` (CSS pixels) stays there. */
export function zoomedAt(
  look: Look,
  { image, scale }: Camera,
  by: number,
  at: { x: number; y: number },
): Look {
  const next = zoomedBy(look, by)
  // Metres from the middle of the picture, before less after.
  const share = (1 - look.zoom / next.zoom) / scale
  const right = (at.x - image.x - image.width / 2) * share
  const down = (at.y - image.y - image.height / 2) * share
  return { ...next, right: look.right + right, down: look.down + down }
}

/** The volume follows by so many CSS pixels. */
export const moved = (look: Look, { scale }: Camera, by: { x: number; y: number }): Look => ({
  ...look,
  right: look.right - by.x / scale,
  down: look.down - by.y / scale,
})

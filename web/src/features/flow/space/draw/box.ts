/** The edges of the volume and the letters at its sides. Pure. */
import type { Three } from '@neuroloom/contract/flow/slice'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { metresOf } from '../../viewer/numbers/measured.ts'
import { letterOf } from '../../viewer/numbers/view-plane.ts'
import { type PackedLines, packed } from '../numbers/pack.ts'
import { type Camera, dot, halfOf, seen } from './camera.ts'

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7]

/** Twelve lines. */
export function boxOf(head: FlowStudy): PackedLines {
  const edges = CORNERS.flatMap((from) =>
    [1, 2, 4].flatMap((bit) =>
      from & bit ? [] : [[...cornerOf(head, from), ...cornerOf(head, from | bit)]],
    ),
  )
  const lines = edges.map((points) => ({ points, speeds: [0, 0], times: null }))
  return packed(lines, { size: head.size, spacing: metresOf(head) })
}

/** In voxels: borders lie half a voxel beyond the outermost middles. */
function cornerOf({ size }: FlowStudy, bits: number): Three {
  const place = (axis: 0 | 1 | 2) => (bits & (1 << axis) ? size[axis] - 0.5 : -0.5)
  return [place(0), place(1), place(2)]
}

export type Letter = { text: string; x: number; y: number }

/** Pixels beyond a side. */
const ASIDE = 13
/** Of a side seen so nearly straight on the letter would stand in the middle of everything. */
const STRAIGHT = 0.8

/** Beyond the middle of each side of the volume, where it is seen. */
export function lettersOf(head: FlowStudy, camera: Camera): Letter[] {
  const half = halfOf(head)
  return ([0, 1, 2] as const).flatMap((axis) =>
    ([1, -1] as const).flatMap((sign) => {
      const way: [number, number, number] = [0, 0, 0]
      way[axis] = sign
      if (Math.abs(dot(camera.away, way)) > STRAIGHT) return []
      const [x, y] = seen(camera, [way[0] * half[0], way[1] * half[1], way[2] * half[2]])
      const [a, b] = [dot(camera.right, way), dot(camera.down, way)]
      const length = Math.hypot(a, b)
      return [
        {
          text: letterOf(head, { axis, sign }),
          x: x + (ASIDE * a) / length,
          y: y + (ASIDE * b) / length,
        },
      ]
    }),
  )
}

/** How a volume is first shown at one of its slices. Pure. */
import type { ImageFacts, View } from '@neuroloom/contract/viewing'
import { planeOf } from './plane-of.ts'
import type { ImageView } from './view-address.ts'

/** Which of the file's slices lies under the cross, as it stores them; null where no cross is asked for. */
export function storedSlice(
  voxel: ImageView['voxel'],
  { size, orientation }: Pick<ImageFacts, 'size' | 'orientation'>,
): number | null {
  if (voxel === null) return null
  const counted = Math.min(Math.max(Math.round(voxel[through[planeOf({ orientation })]]), 0), size[2] - 1)
  return turned(counted, { size, orientation })
}

/** From the number of a slice as the viewer counts to the one as it is stored, and back. */
const turned = (slice: number, { size, orientation }: Pick<ImageFacts, 'size' | 'orientation'>): number =>
  'RAS'.includes(orientation?.[2] ?? 'S') ? slice : size[2] - 1 - slice

/** A series begins at the slice by which it was opened, unless the address names a place of its own. */
export function startInSeries(
  start: ImageView,
  { facts, series }: Pick<View, 'facts' | 'series'>,
): ImageView {
  const opened = series?.isShown ? series.opened : null
  if (!opened || !facts || start.voxel !== null) return start
  const { voxel } = viewAtSlice(turned(opened.slice, facts) + 1, facts)
  return { ...start, voxel, frame: opened.frame }
}

/** The letters of the body's axes, in the order in which the viewer counts voxels. */
const bodyAxes = ['RL', 'AP', 'SI'] as const
const through = { sagittal: 0, coronal: 1, axial: 2 } as const

/**
 * The plane of the file's slices at the slice with this number: counted from 1 towards the right, the front or the head
 * of the body, or as stored where the file does not say how it lies.
 */
export function viewAtSlice(
  number: number,
  { size, orientation }: Pick<ImageFacts, 'size' | 'orientation'>,
): Pick<ImageView, 'plane' | 'voxel'> {
  const sideAlong = (axis: number): number => {
    const stored = Array.from(orientation ?? '').findIndex((letter) => bodyAxes[axis]?.includes(letter))
    return size[stored < 0 ? axis : stored] ?? 1
  }
  const plane = planeOf({ orientation })
  const voxel = (axis: number): number => {
    const side = sideAlong(axis)
    return axis === through[plane] ? Math.min(Math.max(number, 1), side) - 1 : Math.floor(side / 2)
  }
  return { plane, voxel: [voxel(0), voxel(1), voxel(2)] }
}

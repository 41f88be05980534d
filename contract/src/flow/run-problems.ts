/** What stands in the way of a run, asked of the plane of a slice as the engine asks it: one rule, for the form and for the server. Pure. */
import { flowLimits } from '../limits.ts'
import { type FlowChoice, type FlowProblem, flowProblems } from './options.ts'
import type { FlowStudy } from './study.ts'

type Asked = Pick<FlowChoice, 'kinds' | 'settings' | 'fitOrder'>
type Extent = Pick<FlowStudy, 'size' | 'frames'>

/** In the order of the form; empty = it can be computed. */
export function runProblems({ kinds, settings, fitOrder }: Asked, extent: Extent): FlowProblem[] {
  const {
    size: [width, height, slices],
    frames,
  } = extent
  const choice = { kinds, settings, fitOrder, frames: 'all', slice: null } as const
  return [...memoryProblems(extent), ...flowProblems(choice, { width, height, slices, frames })]
}

/** Of the engine at work on a study, in bytes; see `flowLimits.memory` for what was measured. */
export function flowBytes({ size: [x, y, z], frames }: Extent): number {
  const { base, voxel, voxelFrame } = flowLimits.memory
  return base + x * y * z * (voxel + voxelFrame * frames)
}

function memoryProblems(extent: Extent): FlowProblem[] {
  const { memoryBytes, memory } = flowLimits
  const bytes = flowBytes(extent)
  if (bytes <= memoryBytes) return []
  const [x, y, z] = extent.size
  const frames = Math.floor(((memoryBytes - memory.base) / (x * y * z) - memory.voxel) / memory.voxelFrame)
  // Whole tenths, and never as much as is given.
  const params = {
    needed: Math.ceil((10 * bytes) / GB) / 10,
    given: Math.floor((10 * memoryBytes) / GB) / 10,
  }
  return frames < 1
    ? [{ field: 'frames', reason: 'block_large', params }]
    : [{ field: 'frames', reason: 'frames_many', params: { ...params, frames } }]
}

const GB = 1024 ** 3

/** Known flows that everybody can measure: names of the engine's gallery, and what may be changed of the scan. Data only. */

import * as z from 'zod'
import type { PhantomName } from './named.ts'

/** The same at all times: one frame tells all of them. */
export const steadyPhantoms: readonly PhantomName[] = [
  'poiseuille',
  'vortex',
  'taylorGreen',
  'abc',
  'rotation',
  'linear',
]

/** Least and most; voxels are cubes. */
export const phantomRanges = {
  /** Voxels along each axis. */
  side: { min: 16, max: 96, step: 8, start: 32 },
  /** mm. */
  spacing: { min: 0.5, max: 5, step: 0.1, start: 2 },
  frames: { min: 1, max: 40, step: 1, start: 20 },
  /** cm/s. */
  venc: { min: 10, max: 500, step: 5, start: 150 },
  /** Of blood over noise; the largest is no noise at all. */
  snr: { min: 3, max: 100, step: 1, start: 20 },
} as const

const within = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max)

/** How a flow is measured; what is left out is as the gallery has it for that flow. */
export const phantomScanSchema = z
  .object({
    side: within(phantomRanges.side).int(),
    spacing: within(phantomRanges.spacing),
    frames: within(phantomRanges.frames).int(),
    venc: within(phantomRanges.venc),
    snr: within(phantomRanges.snr),
  })
  .partial()
export type FlowScan = z.infer<typeof phantomScanSchema>

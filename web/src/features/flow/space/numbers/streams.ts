/** Streamlines of one moment through the mask. Pure. */
import { poissonSeeds } from '@neuroloom/contract/flow/seeds'
import type { Three } from '@neuroloom/contract/flow/slice'
import { streamline } from '@neuroloom/contract/flow/streamlines'
import { type Measured, metresOf } from '../../viewer/numbers/measured.ts'
import { turnedField } from './field.ts'
import { type PackedLines, type PlainLine, packed, type Speeds, speedsOf } from './pack.ts'

export type SpaceLines = PackedLines &
  Speeds & {
    /** m/s that colours end at: v_ref over all frames. */
    reference: number
  }

/** More of them hide each other, and take longer than a step of a slider may. */
export const MOST_LINES = 500
/** Lines of a plane have so many separations over the longer side at a density of 1. */
export const SEPARATIONS = 30
/** Seeds of a volume lie farther apart than lines of a plane: each line passes many planes. */
const FARTHER = 2

type SeedAsk = { mask: Uint8Array | null; density: number; seed: number }

/** Places in voxels, at random and evenly apart; null where they would be too many. */
export function seedsIn({ head }: Measured, { mask, density, seed }: SeedAsk): Three[] | null {
  const spacing = metresOf(head)
  const distance = (FARTHER * longestOf(head.size, spacing)) / (SEPARATIONS * density)
  const seeds = poissonSeeds({ size: head.size, spacing, mask, distance, seed, most: MOST_LINES + 1 })
  return seeds.length > MOST_LINES ? null : seeds
}

export const longestOf = (size: Three, spacing: Three): number =>
  Math.max(size[0] * spacing[0], size[1] * spacing[1], size[2] * spacing[2])

type StreamAsk = { mask: Uint8Array | null; frame: number; reference: number; seeds: readonly Three[] }

export function streamsIn(measured: Measured, { mask, frame, reference, seeds }: StreamAsk): SpaceLines {
  const { head } = measured
  const spacing = metresOf(head)
  const field = turnedField(measured, frame, mask)
  const out = new Float64Array(3)
  const lines = seeds.flatMap((place): PlainLine[] => {
    const line = streamline(field, place, { reference })
    if (line === null) return []
    const { points } = line
    const speeds = new Float32Array(points.length / 3)
    for (let at = 0; at < speeds.length; at++) {
      const is = field.at(points[3 * at] ?? 0, points[3 * at + 1] ?? 0, points[3 * at + 2] ?? 0, out)
      if (is) speeds[at] = Math.hypot(out[0] ?? 0, out[1] ?? 0, out[2] ?? 0)
    }
    return [{ points, speeds, times: null }]
  })
  const made = packed(lines, { size: head.size, spacing })
  return { ...made, ...speedsOf(made), reference }
}

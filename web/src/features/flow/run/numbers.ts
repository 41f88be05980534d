/** The key numbers of a run in the units that pages show. Pure. */
import { type Curve, meanOf, topOf } from '@neuroloom/contract/flow/curve'
import type { FlowResults } from '@neuroloom/contract/flow/run'

/** Null where nothing is known. */
export const most = (curve: Curve): number | null => topOf(curve)?.value ?? null

const times = (value: number | null, factor: number): number | null =>
  value === null ? null : factor * value

/** cm/s, mJ, mW, 1/s, shares and cm; null where a run has none. */
export function keyNumbers({ speed, energy, loss, vorticity, vortices, lines, mask }: FlowResults) {
  return {
    peak: times(most(speed.p99), 100),
    fastest: times(most(speed.max), 100),
    energy: times(most(energy), 1000),
    meanEnergy: times(meanOf(energy), 1000),
    loss: times(most(loss), 1000),
    vorticity: vorticity && most(vorticity.p99),
    sigma: vorticity?.sigma ?? null,
    vortices: most(vortices.q),
    lambda2: most(vortices.lambda2),
    lines: lines?.count ?? null,
    meanLength: times(lines?.meanLength ?? null, 100),
    longest: times(lines?.longest ?? null, 100),
    /** mL */
    volume: 1e6 * mask.volume,
  }
}

/** The frame with the fastest mean: systole, where there is one. */
export const peakFrame = ({ speed }: FlowResults): number => topOf(speed.mean)?.frame ?? 0

/** The frame with the slowest mean: rest between two beats. */
export const slowestFrame = ({ speed }: FlowResults): number =>
  topOf(speed.mean.map((value) => value && -value))?.frame ?? 0

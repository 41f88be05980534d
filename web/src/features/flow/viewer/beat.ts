/** How frames follow each other in time. Pure. */
import type { FlowStudy } from '@neuroloom/contract/flow/study'

/** Seconds from one frame to the next; null of one frame. */
export function frameSeconds({ times, period, gating, frames }: FlowStudy): number | null {
  if (frames < 2) return null
  if (isPeriodic({ period, gating }) && period !== null) return period / frames
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return span > 0 ? span / (frames - 1) : null
}

/** After the last frame comes the first: only where gating is retrospective does one beat fill the frames. */
export const isPeriodic = ({ period, gating }: Pick<FlowStudy, 'period' | 'gating'>): boolean =>
  period !== null && gating === 'retrospective'

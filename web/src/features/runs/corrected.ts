/** When a run's own account of its time differs so much from the forecast that people are told. */

import { shareOf } from '@neuroloom/contract/run-progress'
import type { Run } from '@neuroloom/contract/runs'

/** By then steps tell how long they take. */
const FIRST_STEPS = 10
/** Less is what “about” means. */
const MUCH = 1.5
/** Later the rest is short, and so is the use of a word about it. */
const EARLY = 0.5

/** Seconds in all by the run's own account; null as long as the forecast holds, or nothing can be told. */
export function correctedSeconds({
  kind,
  foreseenSeconds,
  progress,
}: Pick<Run, 'kind' | 'foreseenSeconds' | 'progress'>): number | null {
  if (kind !== 'train' || !foreseenSeconds || !progress) return null
  const { fold, epoch, epochs, step, steps, etaSeconds } = progress
  const share = shareOf(progress)
  if ((fold * epochs + epoch - 1) * steps + step < FIRST_STEPS || share > EARLY) return null
  const seconds = etaSeconds / (1 - share)
  const times = Math.max(seconds / foreseenSeconds, foreseenSeconds / Math.max(seconds, 1))
  return times > MUCH ? seconds : null
}

/** How far a run is; a figure alone, pages draw it. */
import type { Progress } from './runs.ts'

/** The part of the whole run that is done, over all folds and epochs. */
export function shareOf(progress: Progress | null): number {
  if (!progress) return 0
  const { fold, folds, epoch, epochs, step, steps } = progress
  const epochsDone = fold * epochs + Math.max(0, epoch - 1) + step / Math.max(1, steps)
  return Math.min(1, epochsDone / Math.max(1, folds * epochs))
}

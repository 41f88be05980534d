import type { Run } from '@neuroloom/contract/runs'

/** Seconds that an ended run computed; of runs that are older than that account, from start to end. */
export function durationOf({
  startedAt,
  endedAt,
  busySeconds,
}: Pick<Run, 'startedAt' | 'endedAt' | 'busySeconds'>): number | null {
  if (!startedAt || !endedAt) return null
  return busySeconds || (Date.parse(endedAt) - Date.parse(startedAt)) / 1000
}

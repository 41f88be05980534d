/** Lengths of time as people say them when nobody knows exactly. */
import { formatDuration } from './format.ts'

/** To 10 seconds below two minutes, to minutes below two hours, else to a quarter of an hour. */
export function formatAbout(seconds: number): string {
  const step = stepOf(seconds)
  return formatDuration(Math.max(step, Math.round(seconds / step) * step))
}

function stepOf(seconds: number): number {
  if (seconds < 120) return 10
  return seconds < 7200 ? 60 : 900
}

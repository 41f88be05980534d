/** Lengths of time as people say them when nobody knows exactly. */
import { currentTag } from './i18n.ts'

const MINUTE = 60
const HOUR = 3600

/** To 10 seconds below two minutes, to minutes below two hours, else to half hours. */
export function formatAbout(seconds: number): string {
  if (seconds < 2 * MINUTE) return unit(Math.max(1, Math.round(seconds / 10)) * 10, 'second')
  if (seconds < 2 * HOUR) return unit(Math.round(seconds / MINUTE), 'minute')
  return unit(Math.round((seconds / HOUR) * 2) / 2, 'hour')
}

const unit = (value: number, name: 'second' | 'minute' | 'hour'): string =>
  new Intl.NumberFormat(currentTag(), { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)

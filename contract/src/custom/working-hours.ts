/**
 * Working hours of the technical team: all 24 hours of each Monday to Friday in Shanghai, so 72 of them are three working
 * days. Public holidays, which the authorities announce year by year, are not known here and count like other days. Pure.
 */
import { dayMs } from '../limits.ts'

const HOUR_MS = dayMs / 24
/** China has one time zone and, since 1991, no daylight saving time. */
const SHANGHAI_MS = 8 * HOUR_MS
const SATURDAY = 6

/** When so many working hours have passed. */
export function afterWorkingHours(from: Date, hours: number): Date {
  let time = from.getTime() + SHANGHAI_MS
  let restMs = hours * HOUR_MS
  while (restMs > 0) {
    const nextDay = startOfDay(time) + dayMs
    if (isWorkingDay(time)) {
      const stepMs = Math.min(restMs, nextDay - time)
      restMs -= stepMs
      time += stepMs
    } else time = nextDay
  }
  return new Date(time - SHANGHAI_MS)
}

/** Working hours from the one time to the other, with fractions; 0 where it has passed. */
export function workingHoursBetween(from: Date, until: Date): number {
  let time = from.getTime() + SHANGHAI_MS
  const end = until.getTime() + SHANGHAI_MS
  let workedMs = 0
  while (time < end) {
    const nextDay = startOfDay(time) + dayMs
    if (isWorkingDay(time)) workedMs += Math.min(end, nextDay) - time
    time = nextDay
  }
  return workedMs / HOUR_MS
}

/** Of a time that was moved to Shanghai, so that its UTC fields are those of the clock there. */
const startOfDay = (time: number): number => Math.floor(time / dayMs) * dayMs

function isWorkingDay(time: number): boolean {
  const day = new Date(time).getUTCDay()
  return day > 0 && day < SATURDAY
}

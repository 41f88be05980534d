import { describe, expect, test } from 'vitest'
import { afterWorkingHours, workingHoursBetween } from '../../src/custom/working-hours.ts'

/** By the clock in Shanghai. 2 November 2026 is a Monday. */
const at = (text: string): Date => new Date(`2026-11-${text}:00+08:00`)

const rows = [
  ['within one day', '02T09:00', 3, '02T12:00'],
  ['over a night', '02T20:00', 6, '03T02:00'],
  ['three working days', '02T09:00', 72, '05T09:00'],
  ['to the very end of Friday', '06T00:00', 24, '07T00:00'],
  ['over a weekend', '06T18:00', 72, '11T18:00'],
  ['from a Saturday', '07T15:00', 1, '09T01:00'],
  ['from a Sunday', '08T23:59', 72, '12T00:00'],
  ['no hours on a Saturday', '07T15:00', 0, '07T15:00'],
  ['two weekends', '06T12:00', 24 * 7, '17T12:00'],
] as const

describe('working hours', () => {
  test.each(rows)('%s', (_, from, hours, until) => {
    expect(afterWorkingHours(at(from), hours)).toEqual(at(until))
  })

  test.each(rows)('are counted back: %s', (_, from, hours, until) => {
    expect(workingHoursBetween(at(from), at(until))).toBe(hours)
  })

  test('that have passed are none, and parts of an hour count', () => {
    expect(workingHoursBetween(at('03T09:00'), at('02T09:00'))).toBe(0)
    expect(workingHoursBetween(at('02T09:30'), at('02T09:45'))).toBe(0.25)
  })

  test('a day of Shanghai begins while it is still the day before in UTC', () => {
    // Sunday 16:30 in UTC is Monday 00:30 in Shanghai.
    expect(afterWorkingHours(new Date('2026-11-08T16:30:00Z'), 1)).toEqual(new Date('2026-11-08T17:30:00Z'))
  })
})

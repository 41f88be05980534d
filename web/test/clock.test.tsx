import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { formatBytes, formatDate, formatDuration, formatPercent } from '../src/lib/format.ts'
import { setLanguage } from '../src/lib/i18n.ts'
import { Clock } from '../src/ui/clock.tsx'
import { renderPart } from './render.tsx'

describe('the clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date(2026, 10, 21, 8, 4, 59, 400) })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('shows date, time and weekday and ticks with the full second, alone', async () => {
    const rendered = vi.fn()
    const Around = () => {
      rendered()
      return <Clock />
    }
    await act(async () => renderPart(<Around />))
    const clock = screen.getByRole('time')
    expect(clock).toHaveTextContent('2026/11/2108:04:59Saturday')
    const before = rendered.mock.calls.length
    await act(async () => vi.advanceTimersByTime(600))
    expect(clock).toHaveTextContent('2026/11/2108:05:00Saturday')
    await act(async () => vi.advanceTimersByTime(1000))
    expect(clock).toHaveTextContent('2026/11/2108:05:01Saturday')
    expect(rendered.mock.calls.length).toBe(before)
  })

  it.each([
    ['zh', '星期六'],
    ['ru', 'суббота'],
  ] as const)('names the weekday in %s', async (language, weekday) => {
    await setLanguage(language)
    await act(async () => renderPart(<Clock />))
    expect(screen.getByRole('time')).toHaveTextContent(weekday)
  })
})

describe('formats', () => {
  it('take ten digits as seconds and write dates as year-month-day hour:minute:second', () => {
    const seconds = Math.floor(new Date(2026, 0, 5, 7, 8, 9).getTime() / 1000)
    expect(formatDate(seconds)).toBe('2026-01-05 07:08:09')
    expect(formatDate(String(seconds))).toBe('2026-01-05 07:08:09')
    expect(formatDate(seconds * 1000)).toBe('2026-01-05 07:08:09')
    expect(formatDate('nonsense')).toBe('')
  })

  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1536, '1.5 KB'],
    [1024 ** 3, '1 GB'],
    [2 * 1024 ** 4, '2 TB'],
  ])('write %i bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  it.each([
    [4, '4s'],
    [75, '1m 15s'],
    [3700, '1h 1m'],
    [90_000, '1d 1h'],
  ])('write %i seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })

  it('follow the language', async () => {
    expect(formatPercent(0.9876)).toBe('98.8%')
    await setLanguage('ru')
    expect(formatPercent(0.9876)).toBe('98,8\u00a0%')
    expect(formatBytes(1536)).toBe('1,5 КБ')
  })
})

/** Numbers, sizes, dates and durations as people of the chosen language write them. */
import i18next from 'i18next'
import { currentLanguage, currentTag } from './i18n.ts'

type When = Date | string | number
type DateStyle = 'second' | 'minute' | 'day' | 'time' | 'relative'

/** Default: year-month-day hour:minute:second, the same in every language. Ten digits are seconds. */
export function formatDate(value: When, style: DateStyle = 'second'): string {
  const date = toDate(value)
  if (Number.isNaN(date.getTime())) return ''
  switch (style) {
    case 'second':
      return `${day(date)} ${time(date)}`
    case 'minute':
      return new Intl.DateTimeFormat(currentTag(), { dateStyle: 'medium', timeStyle: 'short' }).format(date)
    case 'day':
      return new Intl.DateTimeFormat(currentTag(), { dateStyle: 'medium' }).format(date)
    case 'time':
      return new Intl.DateTimeFormat(currentTag(), { timeStyle: 'short' }).format(date)
    case 'relative':
      return relative(date)
  }
}

export function formatWeekday(value: When, weekday: 'long' | 'short' = 'long'): string {
  return new Intl.DateTimeFormat(currentTag(), { weekday }).format(toDate(value))
}

/** 1 GB = 1024³ bytes, as the plans count. */
export function formatBytes(bytes: number): string {
  const units = currentLanguage() === 'ru' ? ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ'] : ['B', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  const digits = power > 0 && value < 10 ? 1 : 0
  return `${formatNumber(value, digits)} ${units[power]}`
}

/** 75 → "1m 15s"; at most two units. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const parts = { d: Math.floor(whole / 86_400), h: Math.floor(whole / 3600) % 24 }
  const rest = { m: Math.floor(whole / 60) % 60, s: whole % 60 }
  if (parts.d > 0) return `${unit(parts.d, 'day')} ${unit(parts.h, 'hour')}`
  if (parts.h > 0) return `${unit(parts.h, 'hour')} ${unit(rest.m, 'minute')}`
  if (rest.m > 0) return `${unit(rest.m, 'minute')} ${unit(rest.s, 'second')}`
  return unit(rest.s, 'second')
}

export function formatNumber(value: number, maximumFractionDigits = 3): string {
  return new Intl.NumberFormat(currentTag(), { maximumFractionDigits }).format(value)
}

/** Two significant digits: 0.00095 and 0.1 are both readable. */
export function formatRate(rate: number): string {
  if (rate <= 0) return formatNumber(0)
  return formatNumber(rate, Math.max(0, 1 - Math.floor(Math.log10(rate))))
}

/** 0.987 → "98.7%". */
export function formatPercent(share: number, maximumFractionDigits = 1): string {
  return new Intl.NumberFormat(currentTag(), { style: 'percent', maximumFractionDigits }).format(share)
}

export function toDate(value: When): Date {
  const text = String(value)
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000)
  if (/^\d{11,}$/.test(text)) return new Date(Number(text))
  return new Date(value)
}

const two = (value: number): string => String(value).padStart(2, '0')
const day = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
const time = (date: Date): string =>
  `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`

function unit(value: number, name: 'day' | 'hour' | 'minute' | 'second'): string {
  const style = { style: 'unit', unit: name, unitDisplay: 'narrow' } as const
  return new Intl.NumberFormat(currentTag(), style).format(value)
}

function relative(date: Date): string {
  const seconds = Math.round((date.getTime() - Date.now()) / 1000)
  const past = Math.abs(seconds)
  if (past < 45) return i18next.t('common:justNow')
  const words = new Intl.RelativeTimeFormat(currentTag(), { numeric: 'auto' })
  if (past < 3600) return words.format(Math.round(seconds / 60), 'minute')
  if (past < 86_400) return words.format(Math.round(seconds / 3600), 'hour')
  if (past < 7 * 86_400) return words.format(Math.round(seconds / 86_400), 'day')
  return formatDate(date, 'day')
}

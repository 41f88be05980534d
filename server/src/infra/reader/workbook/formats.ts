/** What a workbook's number formats make of a number: a date, a time, a percentage, or the number itself. */
import type { Parts } from './parts.ts'

export type CellFormat = 'number' | 'percent' | 'date' | 'time' | 'dateTime' | 'duration'

/** By the number of a cell's style. */
export async function readFormats(parts: Parts, path: string): Promise<CellFormat[]> {
  const own = new Map<number, CellFormat>()
  const formats: CellFormat[] = []
  let isCells = false
  await parts.walk(path, {
    open(tag, { numFmtId, formatCode }) {
      if (tag === 'cellXfs') isCells = true
      if (tag === 'numFmt') own.set(Number(numFmtId), formatOf(formatCode ?? ''))
      if (tag === 'xf' && isCells) formats.push(own.get(Number(numFmtId)) ?? builtIn(Number(numFmtId)))
    },
    close(tag) {
      return tag === 'cellXfs' ? 'enough' : 'goOn'
    },
  })
  return formats
}

/** ECMA-376 part 1, 18.8.30; 27 to 36 and 50 to 58 are dates in East Asian versions. */
function builtIn(id: number): CellFormat {
  if (id === 9 || id === 10) return 'percent'
  if (id === 22) return 'dateTime'
  if (id === 46) return 'duration'
  if ((id >= 18 && id <= 21) || id === 45 || id === 47 || (id >= 32 && id <= 35)) return 'time'
  return (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : 'number'
}

/** By the signs of the part for positive numbers, without what is only written beside them. */
function formatOf(code: string): CellFormat {
  const [first = ''] = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')
  if (/\[(h+|m+|s+)\]/i.test(first)) return 'duration'
  const signs = first.replace(/\[[^\]]*\]|General|AM\/PM|A\/P/gi, '').toLowerCase()
  const hasTime = /[hs]/.test(signs)
  const hasDate = /[yd]/.test(signs) || (!hasTime && signs.includes('m'))
  if (hasDate) return hasTime ? 'dateTime' : 'date'
  if (hasTime) return 'time'
  return signs.includes('%') ? 'percent' : 'number'
}

const DAY_SECONDS = 86_400
/** The last day of the year 9999. */
const LAST_DAY = 2_958_465

/** Dates as in ISO 8601, which every language reads alike. */
export function textOfNumber(
  stored: string,
  { format, countsFrom1904 }: { format: CellFormat; countsFrom1904: boolean },
): string {
  const value = Number(stored)
  // Longer whole numbers than Excel's 15 digits are numbers of patients and the like.
  if (!Number.isFinite(value) || stored.trim() === '') return stored
  if (format === 'percent') return `${inDigits(value * 100)}%`
  const isPlain = format === 'number' || value < 0 || value > LAST_DAY
  if (isPlain) return /^-?\d+$/.test(stored) ? stored : inDigits(value)
  const seconds = Math.round(value * DAY_SECONDS)
  if (format === 'duration') return clock(seconds, Math.floor(seconds / 3600))
  const time = clock(seconds, Math.floor(seconds / 3600) % 24)
  const day = dayOf(Math.floor(seconds / DAY_SECONDS), countsFrom1904)
  if (format === 'time' || day === null) return time
  return format === 'date' ? day : `${day} ${time}`
}

/** Excel's own: what lies behind is left over from counting in twos. */
const inDigits = (value: number): string => String(Number(value.toPrecision(15)))

const two = (value: number): string => String(value).padStart(2, '0')
const clock = (seconds: number, hours: number): string =>
  `${two(hours)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`

/** Excel counts a 29 February 1900, which never was; null before the first day. */
function dayOf(count: number, countsFrom1904: boolean): string | null {
  const start = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, count < 60 ? 31 : 30)
  if (count === 0 && !countsFrom1904) return null
  if (count === 60 && !countsFrom1904) return '1900-02-29'
  return new Date(start + count * DAY_SECONDS * 1000).toISOString().slice(0, 10)
}

/**
 * Money and points in whole numbers: fen (1/100 yuan), so that no rounding is hidden in a sum. Each division says where
 * the rest goes. Pure.
 */
import { dayMs, membership as limits } from '../limits.ts'

const FEN_A_YUAN = 100

export const fenOf = (yuan: number): number => yuan * FEN_A_YUAN

/** What the platform keeps of a sale, in fen: 3 %, rounded half up, once for the whole sale. */
export const feeOf = (fen: number): number => Math.floor((fen * limits.feePercent + 50) / 100)

/** Points for money that was paid, in fen: one for each whole yuan. */
export const pointsOf = (fen: number): number => Math.floor(fen / FEN_A_YUAN)

type Term = {
  /** What was paid for it, in fen. */
  paidFen: number
  from: Date
  until: Date
}

/**
 * What the unused days of a plan are worth, in fen, rounded down: whole days that are left, by the days that it had. A
 * day that has begun is used. Nothing after its end, and never more than was paid, wherever the clock stands.
 */
export function unusedOf({ paidFen, from, until }: Term, now: Date): number {
  const days = Math.round((until.getTime() - from.getTime()) / dayMs)
  if (days <= 0) return 0
  const left = Math.floor((until.getTime() - now.getTime()) / dayMs)
  return Number((BigInt(paidFen) * BigInt(Math.min(Math.max(left, 0), days))) / BigInt(days))
}

/**
 * Yuan as people write them in Chinese invoices and in statements: with both digits of fen, whatever the amount.
 * Formatting for eyes is the page's, by its language.
 */
export function yuanText(fen: number): string {
  const sign = fen < 0 ? '-' : ''
  const whole = Math.abs(fen)
  return `${sign}${Math.floor(whole / FEN_A_YUAN)}.${String(whole % FEN_A_YUAN).padStart(2, '0')}`
}

/**
 * Yuan that a person typed, in fen; null where it is none: digits, groups of three by commas or spaces if by any, and at
 * most two digits of fen after a point. As a Chinese keyboard writes them too. A comma is never a point: `5,00` is refused.
 */
export function parseYuan(text: string): number | null {
  const [, whole, fen = ''] = YUAN.exec(narrow(text.trim())) ?? []
  if (whole === undefined) return null
  const total = Number(whole.replaceAll(/\D/g, '')) * FEN_A_YUAN + Number(fen.padEnd(2, '0'))
  return total <= limits.mostFen ? total : null
}

const YUAN = /^(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:[ \u00A0\u202F]\d{3})+)(?:\.(\d{1,2}))?$/

/** Full-width digits, commas and points; nothing else, as other forms of digits are no amounts (`5²`). */
const narrow = (text: string): string =>
  text.replaceAll(/[０-９，．]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH))

/** From a sign of ASCII to its full-width form. */
const FULL_WIDTH = 0xfee0

import { randomInt } from 'node:crypto'

const DIGITS = 12

/** Of an order or a refund: the day, and twelve digits that nobody can guess. */
export function newNumber(now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '')
  return `${day}${String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')}`
}

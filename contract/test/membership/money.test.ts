import { dayMs, membership } from '@neuroloom/contract/limits'
import { feeOf, parseYuan, pointsOf, unusedOf, yuanText } from '@neuroloom/contract/membership/money'
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { expect, test } from 'vitest'

/** Whole numbers that are the same in every run. */
function draws(seed: number): (most: number) => number {
  const random = mulberry32(seed)
  return (most) => Math.floor(random() * (most + 1))
}

test('a million random sales: the platform and the seller together have what the buyer gave, to the fen', () => {
  const draw = draws(7)
  for (let round = 0; round < 1_000_000; round += 1) {
    const fen = draw(membership.mostFen)
    const fee = feeOf(fen)
    // Rounded half up: never more than half a fen beside three hundredths.
    if (!(Number.isSafeInteger(fee) && Math.abs(100 * fee - 3 * fen) <= 50 && fee <= fen))
      throw new Error(`${fee} of ${fen}`)
  }
})

test.each([
  [0, 0],
  [16, 0],
  [17, 1],
  [50, 2],
  [1050, 32],
  [9900, 297],
])('of %d fen the platform keeps %d', (fen, fee) => {
  expect(feeOf(fen)).toBe(fee)
})

test('points are whole yuan', () => {
  expect([0, 99, 100, 500_050].map(pointsOf)).toEqual([0, 0, 1, 5000])
})

const from = new Date('2026-02-28T16:00:00Z')
const until = new Date('2027-02-28T16:00:00Z')

test.each([
  ['the moment it begins', 0, 500_000],
  ['after its first second', 1 / 86_400, Math.floor((500_000 * 364) / 365)],
  ['in the middle of its last day', 364.5, 0],
  ['after its end', 400, 0],
  ['with a clock that was set back a year', -400, 500_000],
])('a plan is worth its unused days: %s', (_, days, worth) => {
  const now = new Date(from.getTime() + days * dayMs)
  expect(unusedOf({ paidFen: 500_000, from, until }, now)).toBe(worth)
})

test('a million random terms: the unused part never exceeds what was paid, and falls from day to day', () => {
  const draw = draws(11)
  for (let round = 0; round < 1_000_000; round += 1) {
    const paidFen = draw(membership.mostFen)
    const days = 1 + draw(3653)
    const term = { paidFen, from, until: new Date(from.getTime() + days * dayMs) }
    const day = draw(days)
    const [today, tomorrow] = [day, day + 1].map((at) =>
      unusedOf(term, new Date(from.getTime() + at * dayMs)),
    )
    if (
      !(
        today !== undefined &&
        tomorrow !== undefined &&
        today <= paidFen &&
        tomorrow <= today &&
        tomorrow >= 0
      )
    )
      throw new Error(`${paidFen} over ${days} days, on day ${day}: ${today}, then ${tomorrow}`)
  }
})

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [-1_234_567, '-12345.67'],
])('%d fen are written %s', (fen, text) => {
  expect(yuanText(fen)).toBe(text)
})

const fullWidth = (text: string): string =>
  text.replace(/[\d,.]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))
const grouped = (text: string, by: string): string => text.replace(/\B(?=(\d{3})+\.)/g, by)

test('whatever amount is written, is read as the same fen', () => {
  const draw = draws(13)
  for (let round = 0; round < 200_000; round += 1) {
    const fen = draw(10 ** (1 + draw(10)))
    const text = yuanText(fen)
    const forms = [
      text,
      grouped(text, ','),
      grouped(text, '\u00A0'),
      fullWidth(grouped(text, ',')),
      ` ${text} `,
    ]
    if (fen % 10 === 0) forms.push(text.slice(0, -1))
    if (fen % 100 === 0) forms.push(text.slice(0, -3))
    for (const form of forms)
      if (parseYuan(form) !== fen) throw new Error(`${form}: ${parseYuan(form)}, not ${fen}`)
  }
})

test.each([
  ['5000', 500_000],
  ['5,000.50', 500_050],
  ['5000.5', 500_050],
  ['５，０００．５０', 500_050],
  ['0.07', 7],
  ['1000000000', membership.mostFen],
])('%s yuan are %d fen', (text, fen) => {
  expect(parseYuan(text)).toBe(fen)
})

test.each([
  '',
  ' ',
  '1e3',
  '0x10',
  '-1',
  '+1',
  '1.005',
  '5.',
  '.5',
  '5,00',
  '50,00.00',
  '5,000 000',
  '1.000,50',
  '5²',
  '٥',
  '¥5',
  '1 2',
  'Infinity',
  '1000000000.01',
  '9'.repeat(400),
])('“%s” is no amount', (text) => {
  expect(parseYuan(text)).toBeNull()
})

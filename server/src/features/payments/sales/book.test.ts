import { membership as limits } from '@neuroloom/contract/limits'
import { feeOf, pointsOf } from '@neuroloom/contract/membership/money'
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { expect, test } from 'vitest'
import type { Posting } from '../../ledger/service.ts'
import { paid, recorded, refunded, type Sale, shareOf } from './book.ts'

const sale: Sale = {
  ...{ orderNo: '', buyerId: 'buyer', sellerId: 'seller', unit: 'fen', amount: 0 },
  note: { model: '', listingId: '' },
}
const sum = (postings: readonly Posting[], is: (one: Posting) => boolean): number =>
  postings.reduce((total, one) => (is(one) ? total + one.amount : total), 0)

test('a million sales by money and by points, recorded or refunded, conserve every fen and every point', () => {
  const random = mulberry32(19)
  const draw = (most: number): number => 1 + Math.floor(random() * most)
  // Small amounts, where rounding shows, as well as the largest.
  const sizes = [99, 9_999, 999_999, limits.mostFen]
  let wrong = 0
  for (let count = 0; count < 1_000_000; count += 1) {
    const unit = random() < 0.5 ? 'fen' : 'point'
    const one: Sale = { ...sale, unit, amount: draw(sizes[count % sizes.length] ?? 99) }
    const isRefunded = random() < 0.3
    const first = paid(one, 'alipay')
    const last = isRefunded ? refunded(one) : recorded(one)
    const all = [...first, ...last]
    const isBalanced = [first, last].every((postings) =>
      (['fen', 'point'] as const).every((each) => sum(postings, (posting) => posting.unit === each) === 0),
    )
    const held = sum(all, ({ kind }) => kind === 'held')
    const fees = sum(all, ({ kind }) => kind === 'fees')
    const sellers = sum(all, ({ owner, kind }) => owner === 'seller' && kind !== 'held')
    const points = sum(all, ({ owner, kind }) => owner === 'buyer' && kind === 'points')
    const back = sum(all, ({ kind }) => kind === 'returning')
    const brought = unit === 'fen' ? pointsOf(one.amount) : -one.amount
    const isRight = isRefunded
      ? fees === 0 && sellers === 0 && points === 0 && back === (unit === 'fen' ? one.amount : 0)
      : fees + sellers === one.amount && fees === feeOf(one.amount) && points === brought
    if (!isBalanced || held !== 0 || !isRight || !all.every(({ amount }) => Number.isSafeInteger(amount)))
      wrong += 1
  }
  expect(wrong).toBe(0)
})

test('three percent, rounded half up, once a sale', () => {
  expect([0, 1, 16, 17, 50, 100, 150, 10_100].map((amount) => amount - shareOf(amount))).toEqual([
    0, 0, 0, 1, 2, 3, 5, 303,
  ])
})

/** What a sale of a model moves: one entry when it is paid, one when it can be refunded no more, or when it was. */
import { feeOf, pointsOf } from '@neuroloom/contract/membership/money'
import type { Tx } from '../../../infra/db.ts'
import { type Posting, platform, post } from '../../ledger/service.ts'
import type { Unit } from '../../ledger/tables.ts'

export type Sale = {
  orderNo: string
  buyerId: string
  sellerId: string
  unit: Unit
  /** Whole fen or whole points. */
  amount: number
  /** What is told of it wherever the books are read. */
  note: { model: string; listingId: string }
}

/** What the seller gets of it. */
export const shareOf = (amount: number): number => amount - feeOf(amount)

/** Money comes from outside and brings points; points come from the buyer and bring none. `provider` owns what is outside. */
export const paid = (sale: Sale, provider: string): Posting[] => [
  ...split(sale, 1),
  ...from(sale, { owner: provider, kind: 'outside' }, 1),
]

/** After the days in which it may be refunded. */
export const recorded = ({ sellerId, unit, amount }: Sale): Posting[] => [
  { owner: sellerId, kind: 'held', unit, amount: -shareOf(amount) },
  { owner: sellerId, kind: unit === 'fen' ? 'wallet' : 'points', unit, amount: shareOf(amount) },
]

/** All of it, before it is recorded; money is the buyer's on its way back. */
export const refunded = (sale: Sale): Posting[] => [
  ...split(sale, -1),
  ...from(sale, { owner: sale.buyerId, kind: 'returning' }, -1),
]

export const bookSale = (tx: Tx, sale: Sale, { provider, at }: { provider: string; at: Date }) =>
  post(tx, { kind: 'model_paid', ...entryOf(sale, at), postings: paid(sale, provider) })

export const bookRecorded = (tx: Tx, sale: Sale, at: Date) =>
  post(tx, { kind: 'sale_recorded', ...entryOf(sale, at), postings: recorded(sale) })

export const bookRefunded = (tx: Tx, sale: Sale, at: Date) =>
  post(tx, { kind: 'model_refunded', ...entryOf(sale, at), postings: refunded(sale) })

const entryOf = ({ orderNo, note }: Sale, at: Date) => ({ source: orderNo, at, note })

function split({ sellerId, unit, amount }: Sale, sign: 1 | -1): Posting[] {
  return [
    { owner: sellerId, kind: 'held', unit, amount: sign * shareOf(amount) },
    { owner: platform, kind: 'fees', unit, amount: sign * feeOf(amount) },
  ]
}

function from(
  { buyerId, unit, amount }: Sale,
  money: Pick<Posting, 'owner' | 'kind'>,
  sign: 1 | -1,
): Posting[] {
  if (unit === 'point') return [{ owner: buyerId, kind: 'points', unit, amount: -sign * amount }]
  const points = pointsOf(amount)
  return [
    { ...money, unit, amount: -sign * amount },
    { owner: buyerId, kind: 'points', unit: 'point', amount: sign * points },
    { owner: platform, kind: 'points_given', unit: 'point', amount: -sign * points },
  ]
}

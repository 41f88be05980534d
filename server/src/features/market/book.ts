/** What paid work moves: in when an offer is ordered, out by parts that are accepted, back by a decision. */
import { shareOfRelease } from '@neuroloom/contract/market/parts'
import type { Tx } from '../../infra/db.ts'
import { type Posting, platform, post } from '../ledger/service.ts'

export type WorkEntry = {
  orderNo: string
  ownerId: string
  providerId: string
  /** Whole fen. */
  amountFen: number
  /** What is told of it wherever the books are read. */
  note: { work: string; demandId: string }
}

/** Of the customer's payment; `method` owns what is outside. Nothing is the provider's yet, and points come of no work. */
export const paidPostings = ({ ownerId, amountFen }: WorkEntry, method: string): Posting[] => [
  { owner: method, kind: 'outside', unit: 'fen', amount: -amountFen },
  { owner: ownerId, kind: 'escrow', unit: 'fen', amount: amountFen },
]

/** A part that was accepted, or decided: the provider's at once, less the platform's share of all that was released. */
export function releasedPostings(entry: WorkEntry, releasedFen: number): Posting[] {
  const { providerFen, feeFen } = shareOfRelease(releasedFen, entry.amountFen)
  return [
    { owner: entry.ownerId, kind: 'escrow', unit: 'fen', amount: -entry.amountFen },
    { owner: entry.providerId, kind: 'wallet', unit: 'fen', amount: providerFen },
    { owner: platform, kind: 'fees', unit: 'fen', amount: feeFen },
  ]
}

/** On its way back to the customer. */
export const refundedPostings = ({ ownerId, amountFen }: WorkEntry): Posting[] => [
  { owner: ownerId, kind: 'escrow', unit: 'fen', amount: -amountFen },
  { owner: ownerId, kind: 'returning', unit: 'fen', amount: amountFen },
]

export const bookPaid = (tx: Tx, entry: WorkEntry, { method, at }: { method: string; at: Date }) =>
  post(tx, {
    ...{ kind: 'work_paid', source: entry.orderNo, at, note: entry.note },
    postings: paidPostings(entry, method),
  })

/** `part` tells entries of one order apart; null = the whole of it. */
export async function bookReleased(
  tx: Tx,
  entry: WorkEntry,
  { part, releasedFen, at }: { part: string | null; releasedFen: number; at: Date },
): Promise<void> {
  const source = part === null ? entry.orderNo : `${entry.orderNo}/${part}`
  const postings = releasedPostings(entry, releasedFen)
  if (!(await post(tx, { kind: 'work_released', source, at, note: entry.note, postings })))
    throw new Error(`${source} is released already`)
}

export async function bookWorkRefunded(tx: Tx, entry: WorkEntry, at: Date): Promise<void> {
  const { orderNo: source, note } = entry
  if (!(await post(tx, { kind: 'work_refunded', source, at, note, postings: refundedPostings(entry) })))
    throw new Error(`${source} is refunded already`)
}

/** What a payment provider is to the product. Amounts are whole fen; currencies other than CNY are never asked for. */
import type { IncomingHttpHeaders } from 'node:http'

export type Requested = {
  /** 20 digits, ours; a provider answers the same for the same. */
  orderNo: string
  amountFen: number
  /** What is bought, in the buyer's language, shown while it is paid. */
  subject: string
  expiresAt: Date
  /** Where the provider tells that it was paid. */
  notifyUrl: string
}

/** What a provider says of an order, in a callback or when it is asked; nothing of it is believed before it is compared. */
export type Reported = {
  orderNo: string
  state: 'waiting' | 'paid' | 'closed' | 'refunded'
  /** The provider's own number of the payment; '' where nothing was paid. */
  transactionId: string
  amountFen: number
  currency: string
  paidAt: Date | null
}

export type Refund = {
  orderNo: string
  /** The same number again is the same refund, and happens once. */
  refundNo: string
  amountFen: number
  /** What was paid for the order. */
  totalFen: number
  reason: string
}

export type Callback = { headers: IncomingHttpHeaders; raw: Buffer }

/**
 * Calls reject with `ProviderError` where the provider cannot be reached, answers what cannot be verified, or refuses.
 * `now` is asked for the age of what is signed.
 */
export type Provider = {
  /** The text of the QR code that a phone pays by. */
  request(order: Requested): Promise<string>
  /** Null where the provider never heard of it: nobody has scanned the code. */
  ask(orderNo: string): Promise<Reported | null>
  /** Nothing can be paid for it any more; one that never was scanned is closed as well. Rejects where it is paid. */
  close(orderNo: string): Promise<void>
  /** `pending`: accepted, and asked for again with the same number. */
  refund(refund: Refund): Promise<'done' | 'pending'>
  /** What a callback says, once its signature, its age and its merchant are verified; rejects as `ProviderError`. Callbacks of refunds and other news that are no payment: null. */
  read(callback: Callback): Promise<Reported | null>
  /** What the provider takes for "heard", and for "tell me again". */
  answer(isHeard: boolean): { status: number; type: string; body: string }
}

export class ProviderError extends Error {
  override readonly name = 'ProviderError'
}

/** Members with money of sales, and withdrawals of it. */
import { randomUUID } from 'node:crypto'
import type { Body } from '@neuroloom/contract/calls'
import { expect } from 'vitest'
import {
  bookRecorded,
  bookRefunded,
  bookSale,
  newNumber,
  type Sale,
} from '../src/features/payments/service.ts'
import type { Context } from '../src/infra/context.ts'
import type { Session, TestServer } from './harness.ts'

type On = { ctx: Pick<Context, 'db' | 'now'> }
type Seller = Pick<Session, 'userId'>

/** A model bought for so much, by somebody who paid by Alipay: held for the seller. */
export async function sell({ ctx }: On, { userId }: Seller, amount: number, model = 'Nuclei'): Promise<Sale> {
  const sale: Sale = {
    ...{ orderNo: newNumber(ctx.now()), buyerId: 'a buyer', sellerId: userId, unit: 'fen', amount },
    note: { model, listingId: 'a listing' },
  }
  const at = ctx.now()
  await ctx.db.transaction((tx) => bookSale(tx, sale, { provider: 'alipay', at }))
  return sale
}

export const record = ({ ctx }: On, sale: Sale) =>
  ctx.db.transaction((tx) => bookRecorded(tx, sale, ctx.now()))

export const giveBack = ({ ctx }: On, sale: Sale) =>
  ctx.db.transaction((tx) => bookRefunded(tx, sale, ctx.now()))

/** Sold and recorded: the share of it can be withdrawn. */
export async function earn(on: On, who: Seller, amount: number, model?: string): Promise<void> {
  await record(on, await sell(on, who, amount, model))
}

export const request = (
  amountFen: number,
  changes: Partial<Body<'wallet/withdraw'>> = {},
): Body<'wallet/withdraw'> => ({
  requestId: randomUUID(),
  amountFen,
  method: 'alipay',
  name: 'Account Holder',
  account: 'holder@example.test',
  ...changes,
})

/** The number of a withdrawal that is under review. */
export async function withdraw(server: TestServer, who: Session, amountFen: number): Promise<string> {
  const { code, message, data } = await server.call('wallet/withdraw', request(amountFen), who)
  expect(code, message).toBe(10200)
  return data.withdrawalNo
}

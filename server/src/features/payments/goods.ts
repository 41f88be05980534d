/** What is sold, by kind of order: what paying for it gives, and what giving the money back takes. */
import type { OrderKind, PayMethod } from '@neuroloom/contract/membership/orders'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import type { UserRow } from '../accounts/tables.ts'
import type { OrderRow } from './tables.ts'

export type Goods = {
  kind: OrderKind
  /** Gives what was bought; false where it would not be what was offered. With the member's row locked. */
  fulfil(
    ctx: Context,
    tx: Tx,
    { order, member, at }: { order: OrderRow; member: UserRow; at: Date },
  ): Promise<boolean>
  /** The entry of a paid order. */
  book(ctx: Context, tx: Tx, { order, provider }: { order: OrderRow; provider: PayMethod }): Promise<void>
  /** Ends what it gave, and writes the entry; `member` is null where the account is closed. Fails where it is too late. */
  takeBack(
    ctx: Context,
    tx: Tx,
    {
      order,
      member,
      amountFen,
      reason,
    }: { order: OrderRow; member: UserRow | null; amountFen: number; reason: string },
  ): Promise<void>
}

declare module '../../infra/feature.ts' {
  interface Questions {
    goods: Goods
  }
}

export function goodsOf(ctx: Context, { kind }: Pick<OrderRow, 'kind'>): Goods {
  const goods = ctx.told('goods').find((one) => one.kind === kind)
  if (!goods) throw new Error(`Nobody sells ${kind}`)
  return goods
}

/** Plans among what is sold. */
import { pointsOf } from '@neuroloom/contract/membership/money'
import { platform, post } from '../../ledger/service.ts'
import type { Goods } from '../goods.ts'
import { planOf } from '../tables.ts'
import { fulfil, takeBack } from './term.ts'

export const planGoods: Goods = {
  kind: 'plan',
  fulfil,

  /** Also of what cost nothing. */
  async book(ctx, tx, { order, provider }) {
    const { orderNo, userId, amountFen } = order
    const points = pointsOf(amountFen)
    await post(tx, {
      ...{ kind: 'plan_paid', source: orderNo, at: ctx.now(), note: { level: planOf(order).level } },
      postings: [
        { owner: provider, kind: 'outside', unit: 'fen', amount: -amountFen },
        { owner: platform, kind: 'income', unit: 'fen', amount: amountFen },
        { owner: userId, kind: 'points', unit: 'point', amount: points },
        { owner: platform, kind: 'points_given', unit: 'point', amount: -points },
      ],
    })
    await ctx.jobs.send(tx, 'payments.letter', { orderNo, kind: 'paid' }, { singletonKey: `paid ${orderNo}` })
  },

  /** Points that came with the money go with it. */
  async takeBack(ctx, tx, { order, member, amountFen }) {
    const { orderNo, userId } = order
    if (member) await takeBack(tx, { orderNo, member, at: ctx.now() })
    const points = pointsOf(order.amountFen) - pointsOf(order.amountFen - amountFen)
    await post(tx, {
      ...{ kind: 'plan_refunded', source: orderNo, at: ctx.now(), note: { level: planOf(order).level } },
      postings: [
        { owner: platform, kind: 'income', unit: 'fen', amount: -amountFen },
        { owner: userId, kind: 'returning', unit: 'fen', amount: amountFen },
        { owner: userId, kind: 'points', unit: 'point', amount: -points },
        { owner: platform, kind: 'points_given', unit: 'point', amount: points },
      ],
    })
  },
}

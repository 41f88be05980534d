import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { membership as limits } from '@neuroloom/contract/limits'
import { pointKinds } from '@neuroloom/contract/membership/orders'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { balanceOf, historyOf } from '../ledger/service.ts'

/** The own points, and what changed them. */
export async function list(
  ctx: Context,
  { page }: Parsed<'points/list'>,
  { user }: Caller,
): Promise<Answer<'points/list'>> {
  const account = { owner: user.id, kind: 'points', unit: 'point' } as const
  const { records, total } = await historyOf(ctx.db, account, {
    limit: limits.page,
    offset: (page - 1) * limits.page,
  })
  return {
    balance: await balanceOf(ctx.db, account),
    records: records.flatMap(({ id, kind, source, note, amount, at }) => {
      const known = pointKinds.find((one) => one === kind)
      if (!known) return []
      const { level = null, model = null } = note
      return [
        {
          ...{ id: String(id), kind: known, orderNo: source, points: amount, at: at.toISOString() },
          level: level === null ? null : Number(level),
          model: model === null ? null : String(model),
        },
      ]
    }),
    total,
    pageSize: limits.page,
  }
}

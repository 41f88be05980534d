/** What a plan gives when it is paid, and what is taken back with its money. */
import { dayMs } from '@neuroloom/contract/limits'
import { addYears } from '@neuroloom/contract/membership/offer'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { addNotice } from '../../../infra/notices.ts'
import { type UserRow, users } from '../../accounts/tables.ts'
import { type OrderRow, planOf, type TermRow, terms } from '../tables.ts'

/**
 * A member's level as it is stored: an order that was reckoned from another one is not fulfilled. Whoever has bought nothing
 * pays the same for a plan, whether the full form is filled in before the order is paid or not.
 */
export const basisOf = ({ vipLevel, vipValid, vipSuper }: UserRow): string =>
  [Math.max(vipLevel, ORDINARY), vipValid?.toISOString() ?? '', vipSuper].join(' ')

const ORDINARY = 1

/** Gives the level; false where it would not be what was offered. With the member's row locked. */
export async function fulfil(
  ctx: Context,
  tx: Tx,
  { order, member, at }: { order: OrderRow; member: UserRow; at: Date },
): Promise<boolean> {
  const { level, years, creditFen, extraDays, isRenewal, basis } = planOf(order)
  if (basisOf(member) !== basis) return false
  const { vipValid } = member
  const from = isRenewal && vipValid && vipValid > at ? vipValid : at
  const until = years === 0 ? null : new Date(addYears(from, years).getTime() + extraDays * dayMs)
  // An upgrade takes the place of what was bought before: its unused days were taken off.
  if (!isRenewal)
    await tx
      .update(terms)
      .set({ endedAt: at })
      .where(and(eq(terms.userId, member.id), isNull(terms.endedAt)))
  const valueFen = order.amountFen + creditFen
  await tx.insert(terms).values({ orderNo: order.orderNo, userId: member.id, level, valueFen, from, until })
  await setLevel(tx, member.id, { vipLevel: level, vipValid: until })
  const params = {
    level: String(level),
    until: until?.toISOString().slice(0, 10) ?? '',
    orderNo: order.orderNo,
  }
  await addNotice(ctx, tx, { userId: member.id, kind: 'plan_paid', params })
  return true
}

/**
 * Ends what an order gave. What was bought behind it begins so much earlier; where nothing is left, the level falls to
 * that of the form that was filled in. A level that an administrator has changed since stays as it is.
 */
export async function takeBack(
  tx: Tx,
  { orderNo, member, at }: { orderNo: string; member: UserRow; at: Date },
): Promise<void> {
  const own = and(eq(terms.orderNo, orderNo), isNull(terms.endedAt))
  const [term] = await tx.update(terms).set({ endedAt: at }).where(own).returning()
  if (!term || member.vipLevel !== term.level) return
  const isBehind = and(eq(terms.userId, member.id), isNull(terms.endedAt), gt(terms.from, term.from))
  const shift = sql`make_interval(secs => ${unusedMs(term, at) / 1000})`
  await tx
    .update(terms)
    .set({ from: sql`${terms.from} - ${shift}`, until: sql`${terms.until} - ${shift}` })
    .where(isBehind)
  const vipValid = validWithout(term, { member, at })
  const isOver = vipValid !== null && vipValid <= at
  if (isOver) await setLevel(tx, member.id, { vipLevel: member.type === 1 ? 1 : 0, vipValid: null })
  else await setLevel(tx, member.id, { vipLevel: member.vipLevel, vipValid })
}

/** Until when the level is without that term; null = without end. Nothing can be bought behind a plan for ever. */
function validWithout(term: TermRow, { member, at }: { member: UserRow; at: Date }): Date | null {
  if (term.until === null) return term.from > at ? term.from : at
  return member.vipValid && new Date(member.vipValid.getTime() - unusedMs(term, at))
}

const unusedMs = ({ from, until }: TermRow, at: Date): number =>
  until === null ? 0 : Math.max(0, until.getTime() - Math.max(from.getTime(), at.getTime()))

const setLevel = (tx: Tx, id: string, level: { vipLevel: number; vipValid: Date | null }) =>
  tx
    .update(users)
    .set({ ...level, levelTold: null })
    .where(eq(users.id, id))

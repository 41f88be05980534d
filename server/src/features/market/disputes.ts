/** Where the two do not agree, or the provider gives up: what becomes of the money that is still held. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { shareOfRelease } from '@neuroloom/contract/market/parts'
import { type DemandEnd, nextState } from '@neuroloom/contract/market/states'
import { yuanText } from '@neuroloom/contract/membership/money'
import { eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { alarmLater } from '../../infra/alarm.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { lockMember, refundIn, tell } from '../payments/service.ts'
import { lockDemand, partOf, stepOf } from './access.ts'
import { bookReleased } from './book.ts'
import { endData } from './data.ts'
import { officeShownById } from './office.ts'
import { entryOf, heldOf, type Ordered, requireOrdered } from './order.ts'
import { shownById } from './show.ts'
import { type DemandRow, demandDisputes, demands } from './tables.ts'

export async function dispute(
  ctx: Context,
  { id, reason }: Parsed<'demand/dispute'>,
  { user, address }: Caller,
): Promise<Answer<'demand/dispute'>> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockDemand(tx, id)
    const state = stepOf(row, { action: 'dispute', user })
    const byOwner = partOf(row, user) === 'owner'
    await tx.insert(demandDisputes).values({ demandId: id, byOwner, reason, at: ctx.now() })
    await tx.update(demands).set({ state }).where(eq(demands.id, id))
    const other = byOwner ? (row.providerId ?? '') : row.ownerId
    const params = { title: row.title, demandId: id, reason, member: user.nickName }
    await tell(ctx, tx, { userId: other, kind: 'work_disputed', params })
    await alarmLater(ctx, tx, 'office_dispute')
    await audit(tx, {
      ...{ actor: user.id, action: 'demand.dispute', subject: `demand:${id}`, address },
      ...{ before: { state: row.state }, after: { state } },
    })
  })
  return shownById(ctx, user, id)
}

/** By an administrator who takes no part: what the provider gets of the held money; the rest goes back. */
export async function decide(
  ctx: Context,
  { id, providerFen, reason }: Parsed<'office/dispute'>,
  { user, address }: Caller,
): Promise<Answer<'office/dispute'>> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockWithOwner(tx, id)
    // Nobody is the judge of an own case.
    if (partOf(row, user) !== null) throw fail('not_allowed')
    if (nextState(row.state, 'decide', 'administrator') === null) throw fail('demand_state')
    const ordered = await requireOrdered(tx, row)
    const heldFen = heldOf(ordered)
    if (providerFen > heldFen) throw fail('split_too_much', { most: yuanText(heldFen) })
    const ownerFen = heldFen - providerFen
    await tx
      .update(demandDisputes)
      .set({ providerFen, ownerFen, decision: reason, decidedBy: user.id, decidedAt: ctx.now() })
      .where(eq(demandDisputes.demandId, id))
    await close(ctx, tx, { ordered, ended: 'decided', providerFen, reason, by: user.id })
    const gets = shareOfRelease(ordered.releasedFen, providerFen).providerFen
    const about = { title: row.title, demandId: id, reason }
    await tell(ctx, tx, {
      ...{ userId: row.ownerId, kind: 'dispute_decided' as const },
      params: { ...about, amount: yuanText(ownerFen) },
    })
    await tell(ctx, tx, {
      ...{ userId: ordered.providerId, kind: 'dispute_decided' as const },
      params: { ...about, amount: yuanText(gets) },
    })
    await audit(tx, {
      ...{ actor: user.id, action: 'demand.decide', subject: `demand:${id}`, address },
      ...{ before: { state: row.state }, after: { state: 'closed', providerFen, ownerFen } },
    })
  })
  return officeShownById(ctx, user, id)
}

/** The provider cannot do it after all: what is held goes back, what was accepted stays. */
export async function giveUp(
  ctx: Context,
  { id, reason }: Parsed<'demand/giveUp'>,
  { user, address }: Caller,
): Promise<Answer<'demand/giveUp'>> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockWithOwner(tx, id)
    stepOf(row, { action: 'give_up', user })
    const ordered = await requireOrdered(tx, row)
    const heldFen = heldOf(ordered)
    await close(ctx, tx, { ordered, ended: 'given_up', providerFen: 0, reason, by: null })
    const params = { title: row.title, demandId: id, reason, amount: yuanText(heldFen) }
    await tell(ctx, tx, { userId: row.ownerId, kind: 'work_given_up', params })
    await audit(tx, {
      ...{ actor: user.id, action: 'demand.give_up', subject: `demand:${id}`, address },
      ...{ before: { state: row.state }, after: { state: 'closed', ownerFen: heldFen } },
    })
  })
  return shownById(ctx, user, id)
}

/** A refund locks the member and the order: the member comes before the demand, as everywhere. */
async function lockWithOwner(tx: Tx, id: string): Promise<DemandRow> {
  const [known] = await tx.select({ ownerId: demands.ownerId }).from(demands).where(eq(demands.id, id))
  if (!known) throw fail('demand_missing')
  await lockMember(tx, known.ownerId)
  return lockDemand(tx, id)
}

type Closing = {
  ordered: Ordered
  ended: Extract<DemandEnd, 'decided' | 'given_up'>
  providerFen: number
  reason: string
  by: string | null
}

async function close(
  ctx: Context,
  tx: Tx,
  { ordered, ended, providerFen, reason, by }: Closing,
): Promise<void> {
  const { demand, orderNo, releasedFen } = ordered
  const ownerFen = heldOf(ordered) - providerFen
  await tx.update(demands).set({ state: 'closed', ended, remindedAt: null }).where(eq(demands.id, demand.id))
  await endData(ctx, tx, demand)
  if (providerFen > 0)
    await bookReleased(tx, entryOf(ordered, providerFen), { part: 'decided', releasedFen, at: ctx.now() })
  if (ownerFen > 0)
    await refundIn(ctx, tx, { userId: demand.ownerId, orderNo, amountFen: ownerFen, reason, askedBy: by })
}

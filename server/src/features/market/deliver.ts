/** Deliveries, and what the customer says to them. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { market as limits } from '@neuroloom/contract/limits'
import { shareOfRelease } from '@neuroloom/contract/market/parts'
import { yuanText } from '@neuroloom/contract/membership/money'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { tell } from '../payments/service.ts'
import { lockDemand, stepOf } from './access.ts'
import { bookReleased } from './book.ts'
import { endData } from './data.ts'
import { keepFiles, pickFiles } from './files.ts'
import { entryOf, requireOrdered } from './order.ts'
import { shownById } from './show.ts'
import { demandDeliveries, demands } from './tables.ts'

export async function deliver(
  ctx: Context,
  { id, text, fileIds, withPatients }: Parsed<'demand/deliver'>,
  { user, address }: Caller,
): Promise<Answer<'demand/deliver'>> {
  const files = await pickFiles(ctx, user, { ids: fileIds, withPatients })
  await ctx.db.transaction(async (tx) => {
    const row = await lockDemand(tx, id)
    const state = stepOf(row, { action: 'deliver', user })
    if ((await tx.$count(demandDeliveries, eq(demandDeliveries.demandId, id))) >= limits.deliveries)
      throw fail('rate_limited')
    const deliveryId = newId()
    await tx.insert(demandDeliveries).values({
      ...{ id: deliveryId, demandId: id, part: row.acceptedParts, text, state: 'waiting' },
      at: ctx.now(),
    })
    await keepFiles(tx, files, { demandId: id, deliveryId })
    await tx.update(demands).set({ state, remindedAt: null }).where(eq(demands.id, id))
    const params = { title: row.title, demandId: id, member: user.nickName }
    await tell(ctx, tx, { userId: row.ownerId, kind: 'work_delivered', params })
    await audit(tx, { actor: user.id, action: 'demand.deliver', subject: `demand:${id}`, address })
  })
  return shownById(ctx, user, id)
}

export async function sendBack(
  ctx: Context,
  { id, text }: Parsed<'demand/sendBack'>,
  { user }: Caller,
): Promise<Answer<'demand/sendBack'>> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockDemand(tx, id)
    const state = stepOf(row, { action: 'send_back', user })
    await answerDelivery(ctx, tx, { demandId: id, state: 'sent_back', answer: text })
    await tx.update(demands).set({ state }).where(eq(demands.id, id))
    const params = { title: row.title, demandId: id, reason: text }
    await tell(ctx, tx, { userId: row.providerId ?? '', kind: 'work_sent_back', params })
  })
  return shownById(ctx, user, id)
}

/** Pays its part of the held money to the provider, in the same transaction. */
export async function accept(
  ctx: Context,
  { id, deliveryId }: Parsed<'demand/accept'>,
  { user, address }: Caller,
): Promise<Answer<'demand/accept'>> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockDemand(tx, id)
    // Whatever is left to do, it must be the owner's to accept.
    stepOf(row, { action: 'accept', user })
    const ordered = await requireOrdered(tx, row)
    const { parts, releasedFen, providerId } = ordered
    const isLast = row.acceptedParts + 1 >= parts.length
    const state = stepOf(row, { action: isLast ? 'accept' : 'accept_part', user })
    await answerDelivery(ctx, tx, { demandId: id, deliveryId, state: 'accepted', answer: '' })
    const amountFen = parts[row.acceptedParts] ?? 0
    const part = parts.length === 1 ? null : String(row.acceptedParts + 1)
    await bookReleased(tx, entryOf(ordered, amountFen), { part, releasedFen, at: ctx.now() })
    await tx
      .update(demands)
      .set({
        ...{ state, acceptedParts: row.acceptedParts + 1, remindedAt: null },
        ...(isLast ? { acceptedAt: ctx.now() } : {}),
      })
      .where(eq(demands.id, id))
    if (isLast) await endData(ctx, tx, row)
    const { providerFen } = shareOfRelease(releasedFen, amountFen)
    const params = { title: row.title, demandId: id, amount: yuanText(providerFen) }
    await tell(ctx, tx, { userId: providerId, kind: 'work_accepted', params })
    await audit(tx, {
      ...{ actor: user.id, action: 'demand.accept', subject: `demand:${id}`, address },
      ...{ before: { state: row.state }, after: { state, amountFen } },
    })
  })
  return shownById(ctx, user, id)
}

type Answered = {
  demandId: string
  /** The one that was read; without it whichever waits. */
  deliveryId?: string
  state: 'accepted' | 'sent_back'
  answer: string
}

async function answerDelivery(
  ctx: Context,
  tx: Tx,
  { demandId, deliveryId, state, answer }: Answered,
): Promise<void> {
  const waiting = and(
    eq(demandDeliveries.demandId, demandId),
    eq(demandDeliveries.state, 'waiting'),
    deliveryId === undefined ? undefined : eq(demandDeliveries.id, deliveryId),
  )
  const rows = await tx
    .update(demandDeliveries)
    .set({ state, answer, answeredAt: ctx.now() })
    .where(waiting)
    .returning({ id: demandDeliveries.id })
  if (rows.length === 0) throw fail('demand_state')
}

/** Posting a demand, changing and withdrawing it as long as it is open. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { market as limits } from '@neuroloom/contract/limits'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { newId } from '../../infra/ids.ts'
import { lockMember, tell } from '../payments/service.ts'
import { reaches } from '../shop/access.ts'
import { lockDemand, stepOf } from './access.ts'
import { keepData, requireData } from './data.ts'
import { keepFiles, pickFiles } from './files.ts'
import { shownById } from './show.ts'
import { demandOffers, demands } from './tables.ts'

/** Visitors read; whoever has completed the full form posts. */
export async function post(
  ctx: Context,
  { fileIds, folderIds, withPatients, ...form }: Parsed<'demand/post'>,
  { user, address }: Caller,
): Promise<Answer<'demand/post'>> {
  requireAhead(ctx, form.deadline)
  const files = await pickFiles(ctx, user, { ids: fileIds, withPatients: false })
  await requireData(ctx, user, { folderIds, withPatients })
  const id = newId()
  await ctx.db.transaction(async (tx) => {
    const member = await lockMember(tx, user.id)
    if (!member || !reaches(ctx, member, limits.posterLevel)) throw fail('level_too_low')
    const open = and(eq(demands.ownerId, user.id), eq(demands.state, 'open'))
    const limit = limits.openDemands
    if ((await tx.$count(demands, open)) >= limit) throw fail('demand_limit', { limit })
    await tx.insert(demands).values({ ...form, id, ownerId: user.id, state: 'open', createdAt: ctx.now() })
    await keepFiles(tx, files, { demandId: id })
    await keepData(tx, { demandId: id, folderIds, withPatients })
    await audit(tx, { actor: user.id, action: 'demand.post', subject: `demand:${id}`, address })
  })
  return shownById(ctx, user, id)
}

export async function edit(
  ctx: Context,
  { id, fileIds, keep, folderIds, withPatients, ...form }: Parsed<'demand/edit'>,
  { user }: Caller,
): Promise<Answer<'demand/edit'>> {
  requireAhead(ctx, form.deadline)
  const files = await pickFiles(ctx, user, { ids: fileIds, withPatients: false })
  await requireData(ctx, user, { folderIds, withPatients })
  await ctx.db.transaction(async (tx) => {
    const row = await lockDemand(tx, id)
    stepOf(row, { action: 'edit', user })
    await tx.update(demands).set(form).where(eq(demands.id, id))
    await keepFiles(tx, files, { demandId: id, keep })
    await keepData(tx, { demandId: id, folderIds, withPatients })
  })
  return shownById(ctx, user, id)
}

export async function withdraw(
  ctx: Context,
  { id }: Parsed<'demand/withdraw'>,
  { user, address }: Caller,
): Promise<Answer<'demand/withdraw'>> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockDemand(tx, id)
    const state = stepOf(row, { action: 'withdraw', user })
    await tx.update(demands).set({ state }).where(eq(demands.id, id))
    const bidders = await tx.select().from(demandOffers).where(eq(demandOffers.demandId, id))
    const params = { title: row.title, demandId: id }
    for (const { providerId } of bidders)
      await tell(ctx, tx, { userId: providerId, kind: 'demand_withdrawn', params })
    await audit(tx, { actor: user.id, action: 'demand.withdraw', subject: `demand:${id}`, address })
  })
  return shownById(ctx, user, id)
}

/** By the day of UTC: the last day of a deadline is still ahead everywhere. */
function requireAhead(ctx: Context, deadline: string): void {
  if (deadline < ctx.now().toISOString().slice(0, 10)) throw fail('deadline_past')
}

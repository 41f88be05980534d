/** Custom tasks as administrators see them, what they decide, and who they give the work to. */

import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { custom as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { findByAccount } from '../../accounts/access.ts'
import { lockMember, refundIn, tell } from '../../payments/service.ts'
import { customTasks, type TaskRow } from '../tables.ts'
import { lockTask, moveTask } from './move.ts'
import { describeToOffice, tasksWithPeople } from './show.ts'

export async function list(
  ctx: Context,
  { state, kind, page }: Parsed<'office/customTasks'>,
  { user }: Caller,
): Promise<Answer<'office/customTasks'>> {
  const wanted = and(
    state === null ? undefined : eq(customTasks.state, state),
    kind === null ? undefined : eq(customTasks.kind, kind),
  )
  // Those that wait longest first; what is done, the newest first.
  const order = state === 'pending_review' || state === 'approved' || state === 'processing' ? asc : desc
  const found = await tasksWithPeople(ctx.db)
    .where(wanted)
    .orderBy(order(customTasks.changedAt), order(customTasks.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    tasks: found.map((one) => describeToOffice(one, user)),
    total: await ctx.db.$count(customTasks, wanted),
    pageSize: limits.page,
  }
}

/** The member before the task, and the task before its order, as everywhere: so nobody waits for each other. */
export async function decide(
  ctx: Context,
  { id, decision }: Parsed<'office/customTask'>,
  caller: Caller,
): Promise<Answer<'office/customTask'>> {
  const { user } = caller
  const { userId } = await requireOthers(ctx, id, user)
  await ctx.db.transaction(async (tx) => {
    await lockMember(tx, userId)
    const before = await lockTask(tx, id)
    const moved =
      decision.is === 'approved'
        ? await approve(ctx, tx, before, { by: user.id, priceFen: decision.priceFen })
        : await reject(ctx, tx, before, { by: user.id, reason: decision.reason })
    await auditReview(tx, { action: `custom.${decision.is}`, before, moved, caller })
  })
  return shownById(ctx, id, user)
}

type Approval = { by: string; priceFen: number | null }

async function approve(ctx: Context, tx: Tx, row: TaskRow, { by, priceFen }: Approval): Promise<TaskRow> {
  if (row.state !== 'pending_review') throw fail('custom_moved')
  if (row.priceFen === null && priceFen === null) throw fail('price_needed')
  // What is fixed, and perhaps paid, is nobody's to change.
  if (row.priceFen !== null && priceFen !== null && priceFen !== row.priceFen) throw fail('price_changed')
  const price = row.priceFen ?? priceFen ?? 0
  const isSettled = price === 0 || row.orderNo !== ''
  return moveTask(ctx, tx, row, {
    action: isSettled ? 'approve' : 'quote',
    changes: { reviewedBy: by, priceFen: price },
  })
}

type Rejection = { by: string; reason: string }

async function reject(ctx: Context, tx: Tx, row: TaskRow, { by, reason }: Rejection): Promise<TaskRow> {
  const moved = await moveTask(ctx, tx, row, {
    action: 'reject',
    changes: { reviewedBy: by, reason },
    note: reason,
  })
  const { userId, orderNo } = row
  if (orderNo !== '') await refundIn(ctx, tx, { userId, orderNo, amountFen: null, reason, askedBy: by })
  return moved
}

/** An empty account takes the work from whoever had it. */
export async function assign(
  ctx: Context,
  { id, account }: Parsed<'office/customProvider'>,
  caller: Caller,
): Promise<Answer<'office/customProvider'>> {
  const { user, address } = caller
  const { userId } = await requireOthers(ctx, id, user)
  await ctx.db.transaction(async (tx) => {
    const row = await lockTask(tx, id)
    if (row.state !== 'approved' && row.state !== 'processing') throw fail('custom_moved')
    const providerId = account === '' ? null : await findProvider(tx, { account, userId })
    if (providerId === row.providerId) return
    await tx.update(customTasks).set({ providerId }).where(eq(customTasks.id, id))
    if (providerId !== null) {
      const params = { task: id, title: row.title, date: row.dueAt?.toISOString() ?? '' }
      await tell(ctx, tx, { userId: providerId, kind: 'custom_assigned', params })
    }
    await audit(tx, {
      ...{ actor: user.id, action: 'custom.assign', subject: `custom:${id}`, address },
      before: { provider: row.providerId },
      after: { provider: providerId },
    })
  })
  return shownById(ctx, id, user)
}

/** A service provider by account, who is not the one who asked for the work. */
async function findProvider(
  tx: Tx,
  { account, userId }: { account: string; userId: string },
): Promise<string> {
  const found = await findByAccount(tx, account)
  if (found?.role !== roles.provider) throw fail('custom_provider_missing')
  if (found.id === userId) throw fail('not_allowed')
  return found.id
}

/** Nobody is the judge of an own case. */
async function requireOthers(ctx: Context, id: string, user: { id: string }): Promise<TaskRow> {
  const [known] = await ctx.db.select().from(customTasks).where(eq(customTasks.id, id))
  if (!known) throw fail('custom_missing')
  if (known.userId === user.id) throw fail('not_allowed')
  return known
}

async function shownById(ctx: Context, id: string, user: { id: string }) {
  const [found] = await tasksWithPeople(ctx.db).where(eq(customTasks.id, id))
  if (!found) throw fail('custom_missing')
  return describeToOffice(found, user)
}

type Reviewed = { action: string; before: TaskRow; moved: TaskRow; caller: Caller }

const auditReview = (tx: Tx, { action, before, moved, caller: { user, address } }: Reviewed): Promise<void> =>
  audit(tx, {
    ...{ actor: user.id, action, subject: `custom:${moved.id}`, address },
    before: { state: before.state, priceFen: before.priceFen },
    after: { state: moved.state, priceFen: moved.priceFen },
  })

/** How far the work on a custom task is: told by an administrator or the assigned provider. */

import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { customStateAfter } from '@neuroloom/contract/custom/task-states'
import { custom as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { customTasks, type TaskRow } from '../tables.ts'
import { lockTask, moveTask } from './move.ts'
import { describeTask, describeToProvider, tasksWithPeople } from './show.ts'

/** Those that were assigned to the caller, those to be done first. */
export async function assigned(
  ctx: Context,
  { page }: Parsed<'customTask/assigned'>,
  { user }: Caller,
): Promise<Answer<'customTask/assigned'>> {
  const mine = and(
    eq(customTasks.providerId, user.id),
    inArray(customTasks.state, ['approved', 'processing', 'completed']),
  )
  const found = await tasksWithPeople(ctx.db)
    .where(mine)
    .orderBy(asc(sql`${customTasks.state} = 'completed'`), asc(customTasks.dueAt), desc(customTasks.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    tasks: found.map(describeToProvider),
    total: await ctx.db.$count(customTasks, mine),
    pageSize: limits.page,
  }
}

export async function report(
  ctx: Context,
  { id, progress, note }: Parsed<'customTask/progress'>,
  caller: Caller,
): Promise<Answer<'customTask/progress'>> {
  const row = await ctx.db.transaction(async (tx) => {
    const before = await requireWorker(tx, id, caller)
    if (customStateAfter(before.state, 'report') === null) throw fail('custom_moved')
    const isBegun = before.state === 'processing'
    if (progress < before.progress || (isBegun && progress === before.progress))
      throw fail('progress_falls', { have: before.progress })
    const moved = await moveTask(ctx, tx, before, { action: 'report', changes: { progress }, note })
    await auditWork(tx, { before, moved, caller })
    return moved
  })
  return describeTask(row)
}

export async function complete(
  ctx: Context,
  { id, note }: Parsed<'customTask/complete'>,
  caller: Caller,
): Promise<Answer<'customTask/complete'>> {
  const row = await ctx.db.transaction(async (tx) => {
    const before = await requireWorker(tx, id, caller)
    const moved = await moveTask(ctx, tx, before, { action: 'complete', note })
    await auditWork(tx, { before, moved, caller })
    return moved
  })
  return describeTask(row)
}

/** To anybody else the task is not there. Nobody reports on an own request. */
async function requireWorker(tx: Tx, id: string, { user }: Caller): Promise<TaskRow> {
  const row = await lockTask(tx, id)
  if (row.userId === user.id) throw fail('not_allowed')
  if (row.providerId !== user.id && user.role !== roles.administrator) throw fail('custom_missing')
  return row
}

type Work = { before: TaskRow; moved: TaskRow; caller: Caller }

const auditWork = (tx: Tx, { before, moved, caller: { user, address } }: Work): Promise<void> =>
  audit(tx, {
    actor: user.id,
    action: moved.state === 'completed' ? 'custom.complete' : 'custom.progress',
    subject: `custom:${moved.id}`,
    address,
    before: { state: before.state, progress: before.progress },
    after: { state: moved.state, progress: moved.progress },
  })

/** Moving a custom task: by the table of the contract alone, with its row locked, and with a step and a message for each. */
import { type CustomAction, customStateAfter } from '@neuroloom/contract/custom/task-states'
import { afterWorkingHours } from '@neuroloom/contract/custom/working-hours'
import { custom as limits } from '@neuroloom/contract/limits'
import { yuanText } from '@neuroloom/contract/membership/money'
import { and, eq, max, type SQL } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import { alarmLater } from '../../../infra/alarm.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { tell } from '../../payments/service.ts'
import { customTaskSteps, customTasks, type TaskRow } from '../tables.ts'

/** The task with its row locked until the transaction ends. */
export async function lockTask(tx: Tx, id: string, where?: SQL): Promise<TaskRow> {
  const [row] = await tx
    .select()
    .from(customTasks)
    .where(and(eq(customTasks.id, id), where))
    .for('update')
  if (!row) throw fail('custom_missing')
  return row
}

type Changes = Partial<
  Pick<
    TaskRow,
    | 'title'
    | 'task'
    | 'description'
    | 'sourceKind'
    | 'sourceId'
    | 'sourceName'
    | 'priceFen'
    | 'orderNo'
    | 'progress'
    | 'reviewedBy'
    | 'reason'
  >
>
type Move = { action: Exclude<CustomAction, 'remove'>; changes?: Changes; note?: string }

/** Refuses what the table does not allow. `row` is locked. */
export async function moveTask(
  ctx: Context,
  tx: Tx,
  row: TaskRow,
  { action, changes = {}, note = '' }: Move,
): Promise<TaskRow> {
  const state = customStateAfter(row.state, action)
  if (state === null || state === 'removed') throw fail('custom_moved')
  const [moved] = await tx
    .update(customTasks)
    .set({ ...changes, state, ...timesOf(ctx, row, state), changedAt: ctx.now() })
    .where(eq(customTasks.id, row.id))
    .returning()
  if (!moved) throw fail('custom_missing')
  await addStep(ctx, tx, moved, note)
  await tellMember(ctx, tx, { row: moved, action, note })
  if (state === 'pending_review') await alarmLater(ctx, tx, 'office_custom_task')
  return moved
}

/** The clock starts when a task is approved, and is forgotten when it is rejected. */
function timesOf(ctx: Context, row: TaskRow, state: TaskRow['state']) {
  const now = ctx.now()
  if (state === 'approved')
    return { approvedAt: now, dueAt: afterWorkingHours(now, limits.workingHours), completedAt: null }
  if (state === 'rejected' || state === 'unpaid' || state === 'pending_review')
    return { approvedAt: null, dueAt: null, completedAt: null, providerId: null, progress: 0 }
  return state === 'completed' && row.state !== 'completed' ? { completedAt: now, progress: 100 } : {}
}

export async function addStep(ctx: Context, tx: Tx, row: TaskRow, note = ''): Promise<void> {
  const { id: taskId, state, progress } = row
  const [last] = await tx
    .select({ number: max(customTaskSteps.number) })
    .from(customTaskSteps)
    .where(eq(customTaskSteps.taskId, taskId))
  const number = (last?.number ?? 0) + 1
  await tx.insert(customTaskSteps).values({ taskId, number, state, progress, note, at: ctx.now() })
}

type Told = { row: TaskRow; action: Move['action']; note: string }

async function tellMember(ctx: Context, tx: Tx, { row, action, note }: Told): Promise<void> {
  const kind = noticeOf(row, action)
  if (kind === null) return
  const params = {
    task: row.id,
    title: row.title,
    amount: yuanText(row.priceFen ?? 0),
    progress: String(row.progress),
    // A refund of an order says so itself, with its own reason.
    reason: kind === 'custom_rejected' ? row.reason : note,
    date: row.dueAt?.toISOString() ?? '',
  }
  await tell(ctx, tx, { userId: row.userId, kind, params })
}

function noticeOf({ state }: TaskRow, action: Move['action']) {
  // Money of a task that was completed: the order tells of it.
  if (state === 'completed') return action === 'complete' ? 'custom_completed' : null
  // Unpaid again by the member's own deed.
  if (action === 'resubmitPriced') return null
  return notices[state]
}

const notices = {
  unpaid: 'custom_priced',
  pending_review: 'custom_received',
  approved: 'custom_approved',
  rejected: 'custom_rejected',
  processing: 'custom_progress',
} as const

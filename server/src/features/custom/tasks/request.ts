/** A member's own requests: asking for a task, handing it in again, giving it up, and how they stand. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type CustomKind, customStateAfter, customStatesBefore } from '@neuroloom/contract/custom/task-states'
import { custom as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq, notInArray } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { alarmLater } from '../../../infra/alarm.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { requireFolder } from '../../files/access.ts'
import { lockMember, tell } from '../../payments/service.ts'
import { requireProject } from '../../projects/access.ts'
import { customTaskSteps, customTasks, type TaskRow } from '../tables.ts'
import { requireOrderer } from './access.ts'
import { addStep, lockTask, moveTask } from './move.ts'
import { cancelWaiting } from './pay.ts'
import { pricesOf } from './prices.ts'
import { describeTask } from './show.ts'

export async function list(
  ctx: Context,
  { page }: Parsed<'customTask/list'>,
  { user }: Caller,
): Promise<Answer<'customTask/list'>> {
  const mine = eq(customTasks.userId, user.id)
  const rows = await ctx.db
    .select()
    .from(customTasks)
    .where(mine)
    .orderBy(desc(customTasks.publishedAt), desc(customTasks.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    tasks: rows.map(describeTask),
    total: await ctx.db.$count(customTasks, mine),
    pageSize: limits.page,
  }
}

export async function detail(
  ctx: Context,
  { id }: Parsed<'customTask/detail'>,
  { user }: Caller,
): Promise<Answer<'customTask/detail'>> {
  const [row] = await ctx.db
    .select()
    .from(customTasks)
    .where(and(eq(customTasks.id, id), eq(customTasks.userId, user.id)))
  if (!row) throw fail('custom_missing')
  const steps = await ctx.db
    .select()
    .from(customTaskSteps)
    .where(eq(customTaskSteps.taskId, id))
    .orderBy(asc(customTaskSteps.number))
    .limit(limits.steps)
  return {
    ...describeTask(row),
    steps: steps.map(({ state, progress, note, at }) => ({ state, progress, note, at: at.toISOString() })),
  }
}

/** Requests of one member wait for each other at the member's row, so exactly as many are open as may be. */
export async function create(
  ctx: Context,
  { requestId, kind, ...asked }: Parsed<'customTask/create'>,
  { user, address }: Caller,
): Promise<Answer<'customTask/create'>> {
  const source = await sourceOf(ctx.db, user, asked.source)
  const row = await ctx.db.transaction(async (tx) => {
    await requireOrderer(ctx, tx, user)
    const [before] = await tx
      .select()
      .from(customTasks)
      .where(and(eq(customTasks.userId, user.id), eq(customTasks.requestId, requestId)))
    if (before) return before
    await requireFew(tx, user.id)
    const { title, task, description } = asked
    const now = ctx.now()
    const [added] = await tx
      .insert(customTasks)
      .values({
        ...{ id: newId(), userId: user.id, requestId, kind, title, task, description, ...source },
        ...(await startOf(tx, kind)),
        ...{ publishedAt: now, changedAt: now },
      })
      .returning()
    if (!added) throw new Error('The request was not written')
    await addStep(ctx, tx, added)
    if (added.state === 'pending_review') {
      await tell(ctx, tx, {
        userId: user.id,
        kind: 'custom_received',
        params: { task: added.id, title: added.title },
      })
      await alarmLater(ctx, tx, 'office_custom_task')
    }
    await auditRequest(tx, { row: added, action: 'custom.ask', address })
    return added
  })
  return describeTask(row)
}

export async function resubmit(
  ctx: Context,
  { id, title, task, description, source }: Parsed<'customTask/resubmit'>,
  { user, address }: Caller,
): Promise<Answer<'customTask/resubmit'>> {
  const from = await sourceOf(ctx.db, user, source)
  const row = await ctx.db.transaction(async (tx) => {
    await requireOrderer(ctx, tx, user)
    const before = await lockTask(tx, id, eq(customTasks.userId, user.id))
    if (customStateAfter(before.state, 'resubmit') === null) throw fail('custom_moved')
    await requireFew(tx, user.id)
    const { state, priceFen } = await startOf(tx, before.kind)
    const moved = await moveTask(ctx, tx, before, {
      action: state === 'unpaid' ? 'resubmitPriced' : 'resubmit',
      changes: {
        ...{ title, task, description, ...from, priceFen },
        ...{ orderNo: '', reviewedBy: null, reason: '' },
      },
    })
    await auditRequest(tx, { row: moved, action: 'custom.resubmit', address })
    return moved
  })
  return describeTask(row)
}

/** An order that waits for its payment is cancelled with it; money that comes afterwards goes back. */
export async function remove(
  ctx: Context,
  { id }: Parsed<'customTask/remove'>,
  { user, address }: Caller,
): Promise<Answer<'customTask/remove'>> {
  await ctx.db.transaction(async (tx) => {
    if (!(await lockMember(tx, user.id))) throw fail('not_allowed')
    const row = await lockTask(tx, id, eq(customTasks.userId, user.id))
    if (!customStatesBefore('remove').includes(row.state)) throw fail('custom_moved')
    await cancelWaiting(tx, row)
    await tx.delete(customTasks).where(eq(customTasks.id, id))
    await auditRequest(tx, { row, action: 'custom.remove', address })
  })
  return {}
}

async function requireFew(tx: Tx, userId: string): Promise<void> {
  const isOpen = and(eq(customTasks.userId, userId), notInArray(customTasks.state, ['rejected', 'completed']))
  if ((await tx.$count(customTasks, isOpen)) >= limits.open) throw fail('custom_many', { most: limits.open })
}

/** What is to be paid comes first; a price that is not fixed is set by the review. */
async function startOf(db: Db, kind: CustomKind): Promise<Pick<TaskRow, 'state' | 'priceFen'>> {
  const priceFen = (await pricesOf(db)).find((one) => one.kind === kind)?.priceFen ?? null
  return { priceFen, state: priceFen === null || priceFen === 0 ? 'pending_review' : 'unpaid' }
}

type Source = Parsed<'customTask/create'>['source']

/** Only what the member owns is named, so that nobody is told of what somebody else shared. */
async function sourceOf(
  db: Db,
  user: SessionUser,
  source: Source,
): Promise<Pick<TaskRow, 'sourceKind' | 'sourceId' | 'sourceName'>> {
  if (source === null) return { sourceKind: null, sourceId: null, sourceName: null }
  const { kind, id } = source
  const found =
    kind === 'project' ? await requireProject(db, user, id, 'own') : await requireFolder(db, user, id, 'own')
  return { sourceKind: kind, sourceId: id, sourceName: found.name }
}

type Audited = { row: TaskRow; action: string; address: string }

const auditRequest = (tx: Tx, { row, action, address }: Audited): Promise<void> =>
  audit(tx, { actor: row.userId, action, subject: `custom:${row.id}`, address })

/** What of custom tasks and code is a member's own: in the archive, and when the account is erased. */
import { asc, desc, eq, inArray } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { refundIn } from '../payments/service.ts'
import { codeRuns, codeUploads, customTaskSteps, customTasks } from './tables.ts'
import { lockTask } from './tasks/move.ts'

export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield* tasksOf(ctx, userId)
  yield* codeOf(ctx, userId)
}

async function* codeOf({ db, storage }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const uploads = await db
    .select()
    .from(codeUploads)
    .where(eq(codeUploads.userId, userId))
    .orderBy(desc(codeUploads.uploadedAt))
  if (uploads.length === 0) return
  const ids = uploads.map(({ id }) => id)
  const runs = await db.select().from(codeRuns).where(inArray(codeRuns.uploadId, ids))
  yield jsonFile('code.json', { uploads, runs })
  for (const { id, sha256, uploadedAt } of uploads)
    yield {
      path: `code/${id}.zip`,
      modifiedAt: uploadedAt,
      isText: false,
      read: () => storage.read(sha256),
    }
}

async function* tasksOf({ db }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const tasks = await db
    .select()
    .from(customTasks)
    .where(eq(customTasks.userId, userId))
    .orderBy(desc(customTasks.publishedAt))
  if (tasks.length === 0) return
  const ids = tasks.map(({ id }) => id)
  const steps = await db
    .select()
    .from(customTaskSteps)
    .where(inArray(customTaskSteps.taskId, ids))
    .orderBy(asc(customTaskSteps.taskId), asc(customTaskSteps.number))
  yield jsonFile('custom-tasks.json', { tasks, steps })
}

/** What was paid and not begun is paid back first. */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  const tasks = await ctx.db.select().from(customTasks).where(eq(customTasks.userId, userId))
  for (const { id } of tasks)
    await ctx.db.transaction(async (tx) => {
      const { state, orderNo } = await lockTask(tx, id)
      if (orderNo !== '' && (state === 'pending_review' || state === 'approved'))
        await refundIn(ctx, tx, { userId, orderNo, amountFen: null, reason: '', askedBy: null })
      await tx.delete(customTasks).where(eq(customTasks.id, id))
    })
  await ctx.db.delete(codeUploads).where(eq(codeUploads.userId, userId))
  await ctx.db.update(customTasks).set({ providerId: null }).where(eq(customTasks.providerId, userId))
}

import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { toolbox as limits } from '@neuroloom/contract/limits'
import type { Use } from '@neuroloom/contract/toolbox/calls'
import { toolNames } from '@neuroloom/contract/toolbox/toolbox'
import { and, desc, eq, inArray, isNotNull, notInArray, or, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { newId } from '../../infra/ids.ts'
import { predict as startPrediction } from '../runs/service.ts'
import { requireTool } from './access.ts'
import { jobsOf } from './status.ts'
import { toolUses, type UseRow } from './tables.ts'

export async function history(
  { db }: Context,
  { after }: Parsed<'toolbox/history'>,
  { user }: Caller,
): Promise<Answer<'toolbox/history'>> {
  const before =
    after === null
      ? undefined
      : sql`(${toolUses.usedAt}, ${toolUses.id}) < (
          select used_at, id from ${toolUses} where id = ${after} and user_id = ${user.id})`
  const rows = await db
    .select()
    .from(toolUses)
    .where(and(eq(toolUses.userId, user.id), isKnown, before))
    .orderBy(desc(toolUses.usedAt), desc(toolUses.id))
    .limit(limits.page + 1)
  const page = rows.slice(0, limits.page)
  return { uses: page.map(shown), next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null }
}

/** One that comes with the product, or that a member made; a use of one that is gone stays, and says so when it is opened. */
const isKnown = or(inArray(toolUses.tool, [...toolNames]), isNotNull(toolUses.toolName))

export async function record(
  ctx: Context,
  use: Parsed<'toolbox/record'>,
  { user }: Caller,
): Promise<Answer<'toolbox/record'>> {
  requireTool(ctx, user, use.tool)
  if (use.jobId !== null && (await jobsOf(ctx, user, [use.jobId])).length === 0) throw fail('missing')
  return shown(await keepUse(ctx, user.id, { ...use, toolName: null }))
}

export async function forget(
  { db }: Context,
  { id }: Parsed<'toolbox/forget'>,
  { user }: Caller,
): Promise<Answer<'toolbox/forget'>> {
  const own = eq(toolUses.userId, user.id)
  const gone = await db
    .delete(toolUses)
    .where(id === null ? own : and(own, eq(toolUses.id, id)))
    .returning({ id: toolUses.id })
  if (id !== null && gone.length === 0) throw fail('missing')
  return {}
}

/** A crash between the two loses a line of the history, never the prediction. */
export async function predict(
  ctx: Context,
  body: Parsed<'toolbox/predict'>,
  caller: Caller,
): Promise<Answer<'toolbox/predict'>> {
  requireTool(ctx, caller.user, 'predictor')
  const run = await startPrediction(ctx, body, caller)
  const { id, folderId, fileIds } = body
  const source: Record<string, string> = folderId === null ? { files: fileIds.join() } : { folder: folderId }
  await keepUse(ctx, caller.user.id, {
    ...{ tool: 'predictor', toolName: null },
    title: run.datasetName.slice(0, limits.titleLength),
    inputs: { training: id, ...source },
    jobId: run.id,
  })
  return run
}

type Fresh = Pick<UseRow, 'tool' | 'toolName' | 'title' | 'inputs' | 'jobId'>

/** The oldest go where there are more than are kept. */
export async function keepUse(ctx: Context, userId: string, use: Fresh): Promise<UseRow> {
  return ctx.db.transaction(async (tx) => {
    const row = { ...use, id: newId(), userId, usedAt: ctx.now() }
    await tx.insert(toolUses).values(row)
    const kept = tx
      .select({ id: toolUses.id })
      .from(toolUses)
      .where(eq(toolUses.userId, userId))
      .orderBy(desc(toolUses.usedAt), desc(toolUses.id))
      .limit(limits.history)
    await tx.delete(toolUses).where(and(eq(toolUses.userId, userId), notInArray(toolUses.id, kept)))
    return row
  })
}

const shown = ({ id, tool, toolName, title, inputs, jobId, usedAt }: UseRow): Use => ({
  ...{ id, tool, title, inputs, jobId },
  ...(toolName === null ? {} : { toolName }),
  usedAt: usedAt.toISOString(),
})

import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { dayMs, toolbox as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail, failFields } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { findRecipient, requireGroup, requireThere, tell } from '../../files/service.ts'
import { requireRoomToShare, type SharedThings } from '../../plans/access.ts'
import * as plans from '../../plans/service.ts'
import { runs } from '../../runs/tables.ts'
import { requireOwn } from './access.ts'
import { shownById } from './show.ts'
import { ownToolShares, ownTools, type ToolRow } from './tables.ts'

export async function share(
  ctx: Context,
  { id, account, groupId, days }: Parsed<'toolbox/shareTool'>,
  { user }: Caller,
): Promise<Answer<'toolbox/shareTool'>> {
  plans.requireSharer(ctx, user)
  if ((account === null) === (groupId === null)) throw failFields({ account: 'form.required' })
  await requireOwn(ctx.db, user, id)
  const member = account === null ? null : await findRecipient(ctx, user, account)
  await ctx.db.transaction(async (tx) => {
    const tool = await requireOwn(tx, user, id)
    if (member) await requireThere(tx, member.id)
    if (groupId !== null) await requireGroup(tx, user, groupId, 'share')
    await put(ctx, tx, { tool, user, userId: member?.id ?? null, groupId, days })
    if (tool.kind === 'network') await requireRoomToShare(ctx, tx, { ownerId: user.id, id: tool.id })
    const params = { owner: user.nickName, name: tool.name }
    if (member) await tell(ctx, tx, [{ userId: member.id, kind: 'tool_shared', params }])
  })
  return shownById(ctx, user, id)
}

export async function unshare(
  ctx: Context,
  { id, shareId }: Parsed<'toolbox/unshareTool'>,
  { user }: Caller,
): Promise<Answer<'toolbox/unshareTool'>> {
  await ctx.db.transaction(async (tx) => {
    const tool = await requireOwn(tx, user, id)
    const [row] = await tx
      .update(ownToolShares)
      .set({ withdrawnAt: ctx.now() })
      .where(
        and(eq(ownToolShares.id, shareId), eq(ownToolShares.toolId, id), isNull(ownToolShares.withdrawnAt)),
      )
      .returning()
    if (!row) throw fail('missing')
    const params = { owner: user.nickName, name: tool.name }
    if (row.userId !== null) await tell(ctx, tx, [{ userId: row.userId, kind: 'share_withdrawn', params }])
  })
  return shownById(ctx, user, id)
}

/** A network that others may use is a model that they have, as if its project were shared; expired shares are none. */
export const sharedTools: SharedThings = async (ctx, db, ownerId) => {
  const rows = await db
    .select({
      id: ownTools.id,
      runId: ownTools.runId,
      since: sql`min(${ownToolShares.sharedAt})`.mapWith(ownToolShares.sharedAt),
    })
    .from(ownTools)
    .innerJoin(ownToolShares, eq(ownToolShares.toolId, ownTools.id))
    // Not of a training in the recycle station: it counts again when it comes back.
    .innerJoin(runs, eq(runs.id, ownTools.runId))
    .where(and(eq(ownTools.ownerId, ownerId), isStanding(ctx)))
    .groupBy(ownTools.id, ownTools.runId)
  return rows.flatMap(({ id, runId, since }) =>
    runId === null ? [] : [{ kind: 'models' as const, key: runId, ids: [id, runId], since }],
  )
}

const isStanding = (ctx: Context) =>
  and(
    isNull(ownToolShares.withdrawnAt),
    or(isNull(ownToolShares.expiresAt), gt(ownToolShares.expiresAt, ctx.now())),
  )

type Fresh = {
  tool: ToolRow
  user: SessionUser
  userId: string | null
  groupId: string | null
  days: number | null
}

/** A share that was withdrawn or has expired begins anew. */
async function put(ctx: Context, tx: Tx, { tool, user, userId, groupId, days }: Fresh): Promise<void> {
  const standing = await tx
    .select()
    .from(ownToolShares)
    .where(and(eq(ownToolShares.toolId, tool.id), isStanding(ctx)))
  if (standing.some((one) => one.userId === userId && one.groupId === groupId)) throw fail('share_twice')
  const limit =
    userId === null
      ? limits.sharedGroups
      : (plans.limitsOf(ctx, user).shareAccounts ?? Number.POSITIVE_INFINITY)
  const used = standing.filter((one) => (one.userId === null) === (userId === null)).length
  if (used >= limit) throw fail('share_limit', { limit })
  const now = ctx.now()
  const expiresAt = days === null ? null : new Date(now.getTime() + days * dayMs)
  await forgetOld(tx, { tool, userId, groupId })
  await tx
    .insert(ownToolShares)
    .values({ id: newId(), toolId: tool.id, userId, groupId, sharedAt: now, expiresAt })
}

const forgetOld = (db: Db, { tool, userId, groupId }: Pick<Fresh, 'tool' | 'userId' | 'groupId'>) =>
  db
    .delete(ownToolShares)
    .where(
      and(
        eq(ownToolShares.toolId, tool.id),
        userId === null ? eq(ownToolShares.groupId, groupId ?? '') : eq(ownToolShares.userId, userId),
      ),
    )

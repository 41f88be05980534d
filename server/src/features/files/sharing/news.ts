import type { Notice } from '@neuroloom/contract/accounts/accounts'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { addNotice } from '../../../infra/notices.ts'
import { groupMembers } from './tables.ts'

export type News = { userId: string } & Pick<Notice, 'kind' | 'params'>

/** Notices in one order for all: two deeds that concern the same members then wait for each other, never both. */
export async function tell(ctx: Context, tx: Tx, news: readonly News[]): Promise<void> {
  const inOrder = [...news].sort((a, b) => (a.userId < b.userId ? -1 : 1))
  for (const one of inOrder) await addNotice(ctx, tx, one)
}

/** Pages of a group's members look again; after the commit. */
export async function tellGroup(ctx: Context, groupId: string): Promise<void> {
  const members = await ctx.db
    .select({ userId: groupMembers.userId })
    .from(groupMembers)
    .where(eq(groupMembers.groupId, groupId))
  await tellMembers(
    ctx,
    members.map(({ userId }) => userId),
  )
}

export async function tellMembers(ctx: Context, userIds: readonly string[]): Promise<void> {
  for (const id of userIds) await ctx.live.passing({ kind: 'user', id }, 'files', {})
}

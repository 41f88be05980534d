/** When members may no longer see what others show to them: what is being sent ends. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { accessChanged } from '../files/service.ts'
import { opinions } from './opinions/tables.ts'
import { rounds } from './rounds/tables.ts'

/** These members stand otherwise to each other now; their pages are asked again. */
export async function sightChanged(ctx: Context, tx: Tx, userIds: readonly string[]): Promise<void> {
  await accessChanged(tx, userIds)
  for (const id of userIds) await ctx.live.rightsChanged(tx, { kind: 'user', id })
}

/** Somebody left the chat, or it ends. */
export async function sightInChatChanged(tx: Tx, chatId: string): Promise<void> {
  await accessChanged(tx, await hostsIn(tx, chatId))
}

/** Whoever shows something in it now. */
async function hostsIn(db: Db, chatId: string): Promise<string[]> {
  const shown = await db
    .select({ id: rounds.hostId })
    .from(rounds)
    .where(and(eq(rounds.chatId, chatId), isNull(rounds.endedAt)))
  const asked = await db
    .select({ id: opinions.askerId })
    .from(opinions)
    .where(and(eq(opinions.chatId, chatId), isNull(opinions.closedAt)))
  return [...shown, ...asked].map(({ id }) => id)
}

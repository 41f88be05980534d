import type { Answer } from '@neuroloom/contract/calls'
import { signIns as limits } from '@neuroloom/contract/limits'
import { desc, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { type SessionRow, sessions } from '../tables.ts'

/** Where and when the own account was signed in to. */
export async function signIns(
  ctx: Context,
  _body: unknown,
  { user, sessionId }: Caller,
): Promise<Answer<'user/signins'>> {
  const rows = await latestOf(ctx.db, user.id).limit(limits.shown)
  return { items: rows.map((row) => ({ ...shown(row), isCurrent: row.id === sessionId })) }
}

/** Newest first. */
export const latestOf = (db: Db, userId: string) =>
  db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.startedAt), desc(sessions.id))
    .$dynamic()

/** A sign-in without its secrets. */
export const shown = ({ id, startedAt, usedAt, endedAt, endReason, address, agent }: SessionRow) => ({
  id,
  startedAt: startedAt.toISOString(),
  usedAt: usedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  endReason,
  address,
  agent,
})

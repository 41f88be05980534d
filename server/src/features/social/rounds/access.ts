/** Who may look on in a case round. For everybody else it does not exist. */
import { eq } from 'drizzle-orm'
import type { SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import type { ViewGrant } from '../../files/service.ts'
import { isThere } from '../access.ts'
import { canMeet, isIn } from '../chats/meeting.ts'
import { type RoundRow, rounds } from './tables.ts'

/** Of whoever is in its chat at this moment, and would be reached by its host; open or over. */
async function requireRound(db: Db, userId: string, roundId: string): Promise<RoundRow> {
  const [found] = await db.select().from(rounds).where(eq(rounds.id, roundId))
  if (!found || !(await canMeet(db, userId, { chatId: found.chatId, hostId: found.hostId })))
    throw fail('case_round_missing')
  return found
}

export async function requireOpenRound(db: Db, userId: string, roundId: string): Promise<RoundRow> {
  const round = await requireRound(db, userId, roundId)
  const { endedAt, fileId, chatId, hostId } = round
  // The host shows it: without them nobody does.
  const isOver = endedAt !== null || fileId === null || !(await isIn(db, chatId, hostId))
  if (isOver) throw fail('case_round_over')
  return round
}

/** Nobody else changes it until the transaction ends. */
export async function lockRound(tx: Tx, userId: string, roundId: string): Promise<RoundRow> {
  await tx.select({ id: rounds.id }).from(rounds).where(eq(rounds.id, roundId)).for('update')
  return requireOpenRound(tx, userId, roundId)
}

/** Asked for each piece of the image. */
export async function grantView(ctx: Context, { id }: { id: string }, roundId: string): Promise<ViewGrant> {
  if (!isThere(ctx)) throw fail('case_round_missing')
  const { hostId, fileId } = await requireOpenRound(ctx.db, id, roundId)
  return { ownerId: hostId, fileIds: fileId === null ? [] : [fileId] }
}

export async function mayWatch(ctx: Context, user: SessionUser, roundId: string): Promise<void> {
  if (!isThere(ctx)) throw fail('case_round_missing')
  await requireRound(ctx.db, user.id, roundId)
}

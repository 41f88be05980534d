/** Who may see a request for a second opinion: whoever asked and whom they asked, while they are in its chat. */
import { and, eq, isNotNull } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import type { ViewGrant } from '../../files/service.ts'
import { isThere } from '../access.ts'
import { canMeet, isIn } from '../chats/meeting.ts'
import { type OpinionRow, opinionReaders, opinionStudies, opinions } from './tables.ts'

export async function requireOpinion(db: Db, userId: string, opinionId: string): Promise<OpinionRow> {
  const [found] = await db.select().from(opinions).where(eq(opinions.id, opinionId))
  if (!found) throw fail('opinion_missing')
  const { chatId, askerId } = found
  const isReader = and(eq(opinionReaders.opinionId, opinionId), eq(opinionReaders.userId, userId))
  const isNamed = userId === askerId || (await db.$count(opinionReaders, isReader)) > 0
  if (!isNamed || !(await canMeet(db, userId, { chatId, hostId: askerId }))) throw fail('opinion_missing')
  return found
}

/** Nobody else answers or closes it until the transaction ends. */
export async function lockOpinion(tx: Tx, userId: string, opinionId: string): Promise<OpinionRow> {
  await tx.select({ id: opinions.id }).from(opinions).where(eq(opinions.id, opinionId)).for('update')
  return requireOpinion(tx, userId, opinionId)
}

export const isOpen = ({ now }: Pick<Context, 'now'>, { closedAt, until }: OpinionRow): boolean =>
  closedAt === null && until > now()

/** One that readers may see the studies of. */
export async function requireOpenOpinion(
  ctx: Context,
  userId: string,
  opinionId: string,
): Promise<OpinionRow> {
  const opinion = await requireOpinion(ctx.db, userId, opinionId)
  const isShown = isOpen(ctx, opinion) && (await isIn(ctx.db, opinion.chatId, opinion.askerId))
  if (!isShown) throw fail('opinion_closed')
  return opinion
}

/** Asked for each piece of an image. */
export async function grantView(ctx: Context, { id }: { id: string }, opinionId: string): Promise<ViewGrant> {
  if (!isThere(ctx)) throw fail('opinion_missing')
  const { askerId } = await requireOpenOpinion(ctx, id, opinionId)
  const studies = await ctx.db
    .select({ fileId: opinionStudies.fileId })
    .from(opinionStudies)
    .where(and(eq(opinionStudies.opinionId, opinionId), isNotNull(opinionStudies.fileId)))
  return { ownerId: askerId, fileIds: studies.flatMap(({ fileId }) => fileId ?? []) }
}

/** One message, as a member of its chat sees it; and the end of its text. */
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { removeImages } from '../attachments/attach.ts'
import { isSeen, memberIds, type OwnChat, requireChat } from './access.ts'
import { tellMembers, tellWatchers } from './news.ts'
import { type MessageRow, messages } from './tables.ts'

/** `chat_missing` where it is no chat of the member; null where the message is not seen. */
export async function messageSeenBy(
  db: Db,
  userId: string,
  chatId: string,
  messageId: number,
): Promise<MessageRow | null> {
  return findSeen(db, await requireChat(db, userId, chatId), messageId)
}

export async function findSeen(db: Db, { member }: OwnChat, messageId: number): Promise<MessageRow | null> {
  const [row] = await db
    .select()
    .from(messages)
    .where(and(isSeen(member), eq(messages.id, messageId)))
  return row ?? null
}

/** What it said and what went with it is gone for good, in quotes and searches too. Null where it is gone with its chat. */
export async function removeText(
  ctx: Context,
  tx: Tx,
  chatId: string,
  messageId: number,
): Promise<MessageRow | null> {
  const [row] = await tx
    .update(messages)
    .set({
      text: '',
      searchText: '',
      mentions: [],
      attachments: null,
      withdrawnAt: ctx.databaseClock(),
    })
    .where(and(eq(messages.chatId, chatId), eq(messages.id, messageId)))
    .returning()
  if (!row) return null
  await removeImages(tx, { chatId, messageId })
  await tellWatchers(ctx, tx, row)
  // Lists show the last message, and count those that were not read.
  await tellMembers(ctx, tx, await memberIds(tx, chatId))
  return row
}

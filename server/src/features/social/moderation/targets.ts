/** What can be reported: who answers for it, what it says, and how it is removed. */
import type { Attachment } from '@neuroloom/contract/social/attachments'
import type { ReportKind } from '@neuroloom/contract/social/posts'
import { eq } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { messageSeenBy, removeText } from '../chats/reading.ts'
import { chatGroups } from '../groups/tables.ts'
import { requireMember } from '../people/members.ts'
import { cards } from '../people/tables.ts'
import { deletePost } from '../posts/posts.ts'
import { deleteReply, requireReply } from '../posts/replies.ts'
import { requirePost } from '../posts/show.ts'

export type Target = { kind: ReportKind; chatId: string; targetId: string }
type Content = { aboutId: string; content: string; attachments?: Attachment[] | null }

/** As the reporter sees it; what the reporter does not see is not there, and nobody reports what is their own. */
export async function requireTarget(db: Db, userId: string, target: Target): Promise<Content> {
  const found = await kinds[target.kind].find(db, userId, target)
  if (found === null || found.aboutId === userId) throw fail(kinds[target.kind].missing)
  return found
}

export const removeTarget = (ctx: Context, tx: Tx, target: Target): Promise<void> =>
  kinds[target.kind].remove(ctx, tx, target)

type Kind = {
  missing: 'message_missing' | 'post_missing' | 'reply_missing' | 'member_missing' | 'group_missing'
  find(db: Db, userId: string, target: Target): Promise<Content | null>
  remove(ctx: Context, tx: Tx, target: Target): Promise<void>
}

const kinds: Record<ReportKind, Kind> = {
  message: {
    missing: 'message_missing',
    async find(db, userId, { chatId, targetId }) {
      const messageId = messageNumber(targetId)
      if (messageId === null) return null
      const message = await messageSeenBy(db, userId, chatId, messageId)
      if (!message?.senderId) return null
      const { senderId, text, attachments } = message
      return text === '' && attachments === null ? null : { aboutId: senderId, content: text, attachments }
    },
    async remove(ctx, tx, { chatId, targetId }) {
      const messageId = messageNumber(targetId)
      if (messageId !== null) await removeText(ctx, tx, chatId, messageId)
    },
  },
  post: {
    missing: 'post_missing',
    async find(db, userId, { targetId }) {
      const { authorId, text, attachments } = await requirePost(db, userId, targetId)
      return { aboutId: authorId, content: text, attachments }
    },
    remove: (_ctx, tx, { targetId }) => deletePost(tx, targetId),
  },
  reply: {
    missing: 'reply_missing',
    async find(db, userId, { targetId }) {
      const { authorId, text } = await requireReply(db, userId, targetId)
      return authorId === null ? null : { aboutId: authorId, content: text }
    },
    remove: (ctx, tx, { targetId }) => deleteReply(ctx, tx, targetId),
  },
  member: {
    missing: 'member_missing',
    async find(db, userId, { targetId }) {
      const { nickName } = await requireMember(db, userId, targetId)
      const [card] = await db.select().from(cards).where(eq(cards.userId, targetId))
      return { aboutId: targetId, content: linesOf(nickName, card?.introduction) }
    },
    async remove(_ctx, tx, { targetId }) {
      await tx.update(cards).set({ introduction: '' }).where(eq(cards.userId, targetId))
    },
  },
  group: {
    missing: 'group_missing',
    async find(db, _userId, { targetId }) {
      const [group] = await db.select().from(chatGroups).where(eq(chatGroups.id, targetId))
      if (!group) return null
      const { ownerId, name, introduction, notice } = group
      return { aboutId: ownerId, content: linesOf(name, introduction, notice) }
    },
    async remove(_ctx, tx, { targetId }) {
      // A group without any name could not be told from others.
      await tx
        .update(chatGroups)
        .set({ name: chatGroups.number, introduction: '', notice: '' })
        .where(eq(chatGroups.id, targetId))
    },
  },
}

/** Numbers of messages as the database stores them. */
function messageNumber(targetId: string): number | null {
  const number = Number(targetId)
  return /^\d{1,15}$/.test(targetId) ? number : null
}

const linesOf = (...lines: readonly (string | undefined)[]): string =>
  lines.filter((line) => line !== undefined && line !== '').join('\n')

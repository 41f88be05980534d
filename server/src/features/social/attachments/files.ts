/** Files of the cloud that messages refer to: nothing is copied, and the cloud's own shares say who may open them. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { OpenedFile } from '@neuroloom/contract/social/attachments'
import { and, eq, ne } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { accessTo, requireEntry } from '../../files/access.ts'
import { entriesOf, shareWith } from '../../files/service.ts'
import { requireChat } from '../chats/access.ts'
import { chatMembers } from '../chats/tables.ts'
import { requireFriend } from '../people/relations.ts'

export async function openFiles(
  ctx: Context,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, OpenedFile>> {
  const files = new Map<string, OpenedFile>()
  if (ids.length === 0) return files
  const accesses = await accessTo(ctx.db, caller.user, ids)
  for (const access of new Set(accesses.values())) {
    const among = [...accesses].flatMap(([id, one]) => (one === access ? [id] : []))
    for (const entry of await entriesOf(ctx, ctx.db, { caller, ids: among, access })) {
      const { id, kind, name, sizeBytes, thumbnail } = entry
      const isFolder = kind === 'folder'
      files.set(id, {
        kind: 'file',
        ...{ id, name, isFolder, thumbnail, sizeBytes: isFolder ? null : sizeBytes },
      })
    }
  }
  return files
}

/** With the other one of two alone: members of a group are not asked for by whoever sends a card. */
export async function shareFile(
  ctx: Context,
  { chatId, fileId, withPatients }: Parsed<'social/shareFile'>,
  { user }: Caller,
): Promise<Answer<'social/shareFile'>> {
  const { chat, member } = await requireChat(ctx.db, user.id, chatId)
  if (chat.kind !== 'pair' || member.untilId !== null) throw fail('chat_missing')
  const [other] = await ctx.db
    .select({ userId: chatMembers.userId })
    .from(chatMembers)
    .where(and(eq(chatMembers.chatId, chatId), ne(chatMembers.userId, user.id)))
  if (!other) throw fail('social_refused')
  await requireFriend(ctx.db, user.id, other.userId)
  await requireEntry(ctx.db, user, fileId, 'own')
  // It may be given already, by itself or by a folder above.
  if ((await accessTo(ctx.db, { id: other.userId }, [fileId])).has(fileId)) return {}
  await shareWith(ctx, user, { id: fileId, memberId: other.userId, permission: 'view', withPatients })
  return {}
}

/** What a member sends along: asked for with the member's own rights, and bound to the one message or post that it goes with. */
import type { Attachment, AttachmentReference } from '@neuroloom/contract/social/attachments'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { images } from './tables.ts'

/** As they are stored, in their order; null where there are none. */
export async function requireAttachable(
  tx: Tx,
  userId: string,
  sent: readonly AttachmentReference[],
): Promise<Attachment[] | null> {
  if (sent.length === 0) return null
  const ids = imageIds(sent)
  if (new Set(ids).size < ids.length) throw fail('image_missing')
  const rows =
    ids.length === 0 ? [] : await tx.select().from(images).where(isWaiting(userId, ids)).for('update')
  const found = new Map(rows.map((row) => [row.id, row]))
  return sent.map((one) => {
    if (one.kind !== 'image') return one
    const row = found.get(one.id)
    if (!row) throw fail('image_missing')
    return { ...one, width: row.width, height: row.height }
  })
}

type Target = { chatId: string; messageId: number } | { postId: string }

/** Each image goes with one message or post. */
export async function bind(tx: Tx, attachments: readonly Attachment[] | null, to: Target): Promise<void> {
  const ids = imageIds(attachments)
  if (ids.length > 0) await tx.update(images).set(to).where(inArray(images.id, ids))
}

export async function removeImages(db: Db, { chatId, messageId }: { chatId: string; messageId: number }) {
  await db.delete(images).where(and(eq(images.chatId, chatId), eq(images.messageId, messageId)))
}

export const imageIds = (attachments: readonly Pick<Attachment, 'kind' | 'id'>[] | null): string[] =>
  (attachments ?? []).flatMap(({ kind, id }) => (kind === 'image' ? [id] : []))

const isWaiting = (userId: string, ids: readonly string[]) =>
  and(
    ...[eq(images.ownerId, userId), inArray(images.id, [...ids])],
    ...[isNull(images.chatId), isNull(images.postId)],
  )

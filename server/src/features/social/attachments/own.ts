/** A member's own images: in the archive, when the account is erased, and what was never sent. */
import { social as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, isNull, lt } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { images } from './tables.ts'

export async function* exportOf({ db, storage }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const own = await db.select().from(images).where(eq(images.ownerId, userId)).orderBy(asc(images.at))
  yield jsonFile(
    'social-images.json',
    own.map(({ ownerId: _, sha256: __, previewSha256: ___, ...image }) => image),
  )
  for (const { id, sha256, at } of own)
    yield {
      ...{ path: `social-images/${id}.webp`, modifiedAt: at, isText: false },
      read: () => storage.read(sha256),
    }
}

/** Wherever they were sent: a text stays with those who got it, under an empty name, an image goes. */
export async function eraseOf({ db }: Context, userId: string): Promise<void> {
  await db.delete(images).where(eq(images.ownerId, userId))
}

/** Chosen, and not sent within a day. */
export async function sweepUnsent({ db, now }: Context): Promise<void> {
  const since = new Date(now().getTime() - limits.imageWaitMs)
  await db.delete(images).where(and(lt(images.at, since), isNull(images.chatId), isNull(images.postId)))
}

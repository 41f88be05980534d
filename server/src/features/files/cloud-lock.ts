import { eq } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Tx } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { requireFolder, requireInside, type SeenEntry } from './access.ts'
import { lockCloud, lockClouds } from './tree.ts'

/** Whose space and whose limits count. */
export type Owner = Pick<SessionUser, 'id' | 'vipLevel' | 'vipSuper'>

/** The owner of a folder that the caller may put things into (null = the own top), with that cloud locked. */
export async function lockFolder(tx: Tx, user: SessionUser, folderId: string | null): Promise<Owner> {
  if (folderId === null) {
    await lockCloud(tx, user.id)
    return user
  }
  const { ownerId } = await requireFolder(tx, user, folderId, 'edit')
  await lockCloud(tx, ownerId)
  // Again under the lock: it may have been removed, or the share withdrawn, in between.
  await requireFolder(tx, user, folderId, 'edit')
  return ownerId === user.id ? user : ownerOf(tx, ownerId)
}

export async function ownerOf(tx: Tx, ownerId: string): Promise<Owner> {
  const [owner] = await tx.select().from(users).where(eq(users.id, ownerId))
  if (!owner) throw fail('missing')
  return owner
}

/** Entries that the caller may take out of where they lie, with their clouds locked. */
export async function lockEntries(tx: Tx, user: SessionUser, ids: readonly string[]): Promise<SeenEntry[]> {
  const before = await requireInside(tx, user, ids)
  await lockClouds(
    tx,
    before.map(({ ownerId }) => ownerId),
  )
  return requireInside(tx, user, ids)
}

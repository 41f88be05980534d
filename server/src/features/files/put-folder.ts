/** A new folder of files that a job made, beside another folder. Knows nothing of what is in them. */
import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { users } from '../accounts/tables.ts'
import * as plans from '../plans/service.ts'
import { requireFolder } from './access.ts'
import { targetOf } from './made.ts'
import { cleanName, numberedName } from './names.ts'
import { insertFiles, insertFolders, makeFolders } from './put-files.ts'
import { record } from './records/records.ts'
import { requireRoomAtTop } from './room-at-top.ts'
import { childrenOf, lockCloud } from './tree.ts'

export type StoredFile = { path: string; sha256: string; sizeBytes: number }
type Wanted = {
  memberId: string
  /** The folder beside which it is put; gone, or not to be changed around = at the top of the member's own. */
  beside: string
  name: string
  /** Bytes are in the store; nobody sees them before this. */
  files: readonly StoredFile[]
}

export async function putFolder(
  ctx: Context,
  tx: Tx,
  { memberId, beside, name, files: stored }: Wanted,
): Promise<{ id: string; name: string; ownerId: string }> {
  const source = await requireFolder(tx, { id: memberId }, beside, 'view').catch(() => null)
  const place = source ? await targetOf(ctx, memberId, source) : { ownerId: memberId, parentId: null }
  const { ownerId, parentId } = place
  await lockCloud(tx, ownerId)
  // It may have gone, or the right to it, meanwhile.
  if (parentId !== null) await requireFolder(tx, { id: memberId }, parentId, 'edit')
  const [owner] = await tx.select().from(users).where(eq(users.id, ownerId))
  if (!owner) throw new Error('A folder has no owner')
  if (parentId === null) await requireRoomAtTop(ctx, tx, { caller: { user: owner }, folders: 1 })
  const bytes = stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  await plans.reserve(ctx, tx, owner, bytes)
  const row = { ownerId, memberId }
  const taken = new Set((await childrenOf(tx, ownerId, [parentId])).map((child) => child.name))
  const clean = cleanName(name) ?? 'labels'
  const isTaken = (one: string): boolean => taken.has(one)
  const free = isTaken(clean) ? numberedName({ name: clean, kind: 'folder' }, isTaken) : clean
  const id = newId()
  await insertFolders(ctx, tx, row, [{ id, parentId, name: free }])
  const placed = stored.map(({ path, ...file }) => ({ file: placeOf(path), ...file }))
  const folders = await makeFolders(ctx, tx, {
    row,
    folderId: id,
    folders: placed.map(({ file }) => file.folders),
  })
  await insertFiles(ctx, tx, { row, taken: placed, folders })
  await plans.commit(tx, ownerId, { reservedBytes: bytes, usedBytes: bytes })
  const entry = { id, ownerId, name: free }
  await record(ctx, tx, [
    { action: 'createFolder', actorId: memberId, entry, detail: { count: stored.length } },
  ])
  return entry
}

function placeOf(path: string) {
  const parts = path.split('/').map((part) => cleanName(part) ?? '_')
  return { folders: parts.slice(0, -1), name: parts.at(-1) ?? '_', modifiedAt: null }
}

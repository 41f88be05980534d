import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { eq } from 'drizzle-orm'
import { Failure } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import type { PatientHint } from '../../infra/reader/patient-hint.ts'
import { addBlobs } from '../../infra/storage/blobs.ts'
import { users } from '../accounts/tables.ts'
import { requireFolder, type SeenEntry } from './access.ts'
import { nameColumns, numberedName } from './names.ts'
import { hintOfFile } from './patients/hints.ts'
import { files } from './tables.ts'
import { childrenOf, findChild, grow } from './tree.ts'

/** Where what was made of files goes, and whose space it takes. */
export type Target = { ownerId: string; parentId: string | null }
export type Stored = { sha256: string; sizeBytes: number; patientHint?: PatientHint }
export type MadeFile = Stored & { name: string }

/** Beside the source where the member may change things, else to the top of the own files. */
export async function targetOf(
  ctx: Context,
  memberId: string,
  { ownerId, parentId }: Pick<SeenEntry, 'ownerId' | 'parentId'>,
): Promise<Target> {
  if (parentId === null && ownerId === memberId) return { ownerId, parentId }
  if (parentId !== null) {
    const folder = await requireFolder(ctx.db, { id: memberId }, parentId, 'edit').catch(orNothing)
    if (folder) return { ownerId: folder.ownerId, parentId }
  }
  return { ownerId: memberId, parentId: null }
}

function orNothing(error: unknown): null {
  if (error instanceof Failure) return null
  throw error
}

export async function ownerOf(tx: Tx, { ownerId }: Pick<Target, 'ownerId'>) {
  const [owner] = await tx.select().from(users).where(eq(users.id, ownerId))
  if (!owner) throw new Error('What was made has no owner')
  return owner
}

/** Under the number of its bytes; nobody sees it before a row names it. */
export async function storeMade(ctx: Context, path: string): Promise<Stored> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  const sha256 = hash.digest('hex')
  const { size } = await stat(path)
  const patientHint = await hintOfFile(path)
  await ctx.storage.adopt(path, sha256)
  return { sha256, sizeBytes: size, patientHint }
}

type By = { memberId: string; target: Target }

/** An empty folder, in the locked cloud, under this name or the first free number of it. */
export async function makeFolder(
  ctx: Context,
  tx: Tx,
  { memberId, target: { ownerId, parentId }, name }: By & { name: string },
): Promise<{ id: string; name: string }> {
  const taken = new Set((await childrenOf(tx, ownerId, [parentId])).map((child) => child.name))
  const isTaken = (one: string): boolean => taken.has(one)
  const free = isTaken(name) ? numberedName({ name, kind: 'folder' }, isTaken) : name
  const id = newId()
  await tx.insert(files).values({
    ...{ id, ownerId, parentId, kind: 'folder', ...nameColumns(free, 'folder') },
    ...{ modifiedAt: ctx.now(), modifiedBy: memberId },
  })
  return { id, name: free }
}

/** The folder of this path below another one, made where it is missing; null where a file stands in the way. */
export async function folderAt(
  ctx: Context,
  tx: Tx,
  { memberId, target, path }: By & { path: readonly string[] },
): Promise<string | null> {
  let { parentId } = target
  for (const name of path) {
    const place = { ownerId: target.ownerId, parentId }
    const found = await findChild(tx, { ...place, name })
    if (found?.kind === 'file') return null
    parentId = found?.id ?? (await makeFolder(ctx, tx, { memberId, target: place, name })).id
  }
  return parentId
}

/** Rows written by one statement. */
const AT_ONCE = 500

/** Stored bytes as files, under names that are free; answers their ids. */
export async function addFiles(
  ctx: Context,
  tx: Tx,
  { memberId, target: { ownerId, parentId }, made }: By & { made: readonly MadeFile[] },
): Promise<string[]> {
  await addBlobs(tx, made)
  const rows = made.map(({ name, sha256, sizeBytes }) => ({
    ...{ id: newId(), ownerId, parentId, kind: 'file' as const, ...nameColumns(name, 'file') },
    ...{ sha256, sizeBytes, fileCount: 1, modifiedAt: ctx.now(), modifiedBy: memberId },
  }))
  for (let start = 0; start < rows.length; start += AT_ONCE)
    await tx.insert(files).values(rows.slice(start, start + AT_ONCE))
  await grow(tx, parentId, {
    bytes: made.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    files: made.length,
  })
  return rows.map(({ id }) => id)
}

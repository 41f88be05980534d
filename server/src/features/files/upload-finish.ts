import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { and, eq, isNull } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import { addBlob } from '../../infra/blobs.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import * as plans from '../plans/service.ts'
import { nameColumns, numberedName } from './names.ts'
import { isPictureName } from './pictures.ts'
import { type FileRow, files, type UploadRow, uploads } from './tables.ts'
import { childrenOf, findChild, grow, lockCloud } from './tree.ts'
import { stagedPath } from './uploads.ts'

/**
 * Turns a complete staged file into a file of the cloud. Until the transaction commits, the staged file stays whole:
 * a crash at any point leaves an upload whose last chunk is sent again, or a finished one.
 */
export async function finish(ctx: Context, upload: UploadRow, knownSha256: string | null): Promise<void> {
  const staged = stagedPath(ctx, upload.id)
  const sha256 = knownSha256 ?? (await hashFile(staged))
  // The store takes a second name of the bytes, never the only one.
  const given = `${staged}.whole`
  await rm(given, { force: true })
  await link(staged, given)
  await ctx.storage.adopt(given, sha256)
  await ctx.db.transaction((tx) => record(ctx, tx, { uploadId: upload.id, ownerId: upload.ownerId, sha256 }))
  await rm(given, { force: true })
  await rm(staged, { force: true })
}

type Finished = { uploadId: string; ownerId: string; sha256: string }

async function record(ctx: Context, tx: Tx, { uploadId, ownerId, sha256 }: Finished): Promise<void> {
  await lockCloud(tx, ownerId)
  const [upload] = await tx.select().from(uploads).where(eq(uploads.id, uploadId)).for('update')
  if (!upload) throw fail('upload_gone')
  if (upload.doneAt) return
  const { sizeBytes } = upload
  await addBlob(tx, { sha256, sizeBytes })
  const { fileId, usedBytes } = await place(ctx, tx, upload, sha256)
  await plans.commit(tx, ownerId, { reservedBytes: sizeBytes, usedBytes })
  await tx
    .update(uploads)
    .set({ receivedBytes: sizeBytes, doneAt: ctx.now(), touchedAt: ctx.now(), fileId })
    .where(and(eq(uploads.id, uploadId), isNull(uploads.doneAt)))
  if (isPictureName(upload.name)) {
    await ctx.jobs.send(tx, 'files.check', { userId: ownerId, fileIds: [fileId] }, { singletonKey: ownerId })
  }
}

/** Under its name, or as was said for the case that the name is taken by now. */
async function place(
  ctx: Context,
  tx: Tx,
  upload: UploadRow,
  sha256: string,
): Promise<{ fileId: string; usedBytes: number }> {
  const { ownerId, parentId, name, sizeBytes, sameName } = upload
  const there = await findChild(tx, { ownerId, parentId, name })
  if (there?.kind === 'file' && sameName === 'skip') return { fileId: there.id, usedBytes: 0 }
  if (there?.kind === 'file' && sameName === 'overwrite') {
    return replace(ctx, tx, { there, upload, sha256 })
  }
  const fileId = newId()
  await tx.insert(files).values({
    id: fileId,
    ownerId,
    parentId,
    kind: 'file',
    ...nameColumns(there ? await freeName(tx, upload) : name),
    sha256,
    sizeBytes,
    fileCount: 1,
    modifiedAt: ctx.now(),
    modifiedBy: ownerId,
  })
  await grow(tx, parentId, { bytes: sizeBytes, files: 1 })
  return { fileId, usedBytes: sizeBytes }
}

/** The file keeps its identity and gets other bytes; the old ones take no space any more. */
async function replace(
  ctx: Context,
  tx: Tx,
  { there, upload, sha256 }: { there: FileRow; upload: UploadRow; sha256: string },
) {
  const { sizeBytes, ownerId } = upload
  await tx
    .update(files)
    .set({ sha256, sizeBytes, modifiedAt: ctx.now(), modifiedBy: ownerId })
    .where(eq(files.id, there.id))
  const added = sizeBytes - there.sizeBytes
  await grow(tx, there.parentId, { bytes: added, files: 0 })
  return { fileId: there.id, usedBytes: added }
}

async function freeName(tx: Tx, { ownerId, parentId, name }: UploadRow): Promise<string> {
  const taken = new Set((await childrenOf(tx, ownerId, [parentId])).map((child) => child.name))
  return numberedName({ name, kind: 'file' }, (one) => taken.has(one))
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

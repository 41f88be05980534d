import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Language } from '@neuroloom/contract/language'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import { addBlob } from '../../../infra/blobs.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import * as plans from '../../plans/service.ts'
import { queueCheck } from '../check-queue.ts'
import { isDeidentified } from '../deidentification.ts'
import { nameColumns, numberedName } from '../names.ts'
import { isPictureName } from '../pictures.ts'
import { record } from '../records/records.ts'
import { type FileRow, files, type UploadRow, uploads } from '../tables.ts'
import { childrenOf, findChild, grow, lockCloud } from '../tree.ts'
import { queue } from '../unpack/unpack.ts'
import { stagedPath } from './uploads.ts'

/**
 * Turns a complete staged file into a file of the cloud. Until the transaction commits, the staged file stays whole:
 * a crash at any point leaves an upload whose last chunk is sent again, or a finished one.
 */
export async function finish(ctx: Context, upload: UploadRow, known: Known): Promise<string | null> {
  const staged = stagedPath(ctx, upload.id)
  const sha256 = known.sha256 ?? (await hashFile(staged))
  // The store takes a second name of the bytes, never the only one.
  const given = `${staged}.whole`
  await linkAnew(staged, given)
  await ctx.storage.adopt(given, sha256)
  const { id: uploadId, ownerId } = upload
  const { language } = known
  const fileId = await ctx.db.transaction((tx) => count(ctx, tx, { uploadId, ownerId, sha256, language }))
  await Promise.all([rm(given, { force: true }), rm(staged, { force: true })])
  if (isPictureName(upload.name)) queueCheck(ctx, ownerId)
  return fileId
}

type Known = {
  /** Null where it has yet to be worked out. */
  sha256: string | null
  /** Of whoever sends it: in which an archive's old names are read. */
  language: Language
}

type Finished = { uploadId: string; ownerId: string; sha256: string; language: Language }

/** Answers with the file's number; null where it was skipped, or given up in between. */
async function count(
  ctx: Context,
  tx: Tx,
  { uploadId, ownerId, sha256, language }: Finished,
): Promise<string | null> {
  await lockCloud(tx, ownerId)
  const now = ctx.now()
  const [upload] = await tx
    .update(uploads)
    .set({ receivedBytes: sql`${uploads.sizeBytes}`, doneAt: now, touchedAt: now })
    .where(and(eq(uploads.id, uploadId), isNull(uploads.doneAt)))
    .returning()
  // Given up in between, or finished by another server: then there is nothing left to record.
  if (!upload) return refuseGone(tx, uploadId)
  await addBlob(tx, { sha256, sizeBytes: upload.sizeBytes })
  const placed = await place(ctx, tx, upload, sha256)
  await plans.commit(tx, ownerId, { reservedBytes: upload.sizeBytes, usedBytes: placed?.addedBytes ?? 0 })
  if (!placed) return null
  const { id, name, action } = placed
  const { memberId, unpack } = upload
  const deed = { actorId: memberId, entry: { id, ownerId, name } }
  await record(ctx, tx, [{ action, ...deed }])
  if (await isDeidentified(tx, memberId, sha256)) await record(ctx, tx, [{ action: 'deidentify', ...deed }])
  if (unpack !== 'no')
    await queue(ctx, tx, { file: { id, ownerId, name, sha256 }, memberId, language, mode: unpack })
  return id
}

async function refuseGone(tx: Tx, uploadId: string): Promise<null> {
  const [done] = await tx.select({ id: uploads.id }).from(uploads).where(eq(uploads.id, uploadId))
  if (!done) throw fail('upload_gone')
  return null
}

type Placed = { id: string; name: string; addedBytes: number; action: 'upload' | 'replace' }

/** Under its name, or as was said for the case that the name is taken by now; null = skipped. */
async function place(ctx: Context, tx: Tx, upload: UploadRow, sha256: string): Promise<Placed | null> {
  const { ownerId, parentId, name, sameName } = upload
  const made = await insertFile(ctx, tx, { upload, name, sha256 })
  if (made) return made
  const there = await findChild(tx, { ownerId, parentId, name })
  if (there?.kind === 'file' && sameName === 'skip') return null
  if (there?.kind === 'file' && sameName === 'overwrite') {
    return replace(ctx, tx, { there, upload, sha256 })
  }
  const numbered = await insertFile(ctx, tx, { upload, name: await freeName(tx, upload), sha256 })
  if (!numbered) throw new Error('A name was taken although the cloud is locked')
  return numbered
}

/** Null when the name is taken. */
async function insertFile(
  ctx: Context,
  tx: Tx,
  { upload, name, sha256 }: { upload: UploadRow; name: string; sha256: string },
): Promise<Placed | null> {
  const { ownerId, memberId, parentId, sizeBytes } = upload
  const inserted = await tx
    .insert(files)
    .values({
      id: newId(),
      ownerId,
      parentId,
      kind: 'file',
      ...nameColumns(name, 'file'),
      sha256,
      sizeBytes,
      fileCount: 1,
      modifiedAt: ctx.now(),
      modifiedBy: memberId,
    })
    .onConflictDoNothing()
    .returning({ id: files.id })
  const [file] = inserted
  if (!file) return null
  await grow(tx, parentId, { bytes: sizeBytes, files: 1 })
  return { id: file.id, name, addedBytes: sizeBytes, action: 'upload' }
}

/** The file keeps its identity and gets other bytes; the old ones take no space any more. */
async function replace(
  ctx: Context,
  tx: Tx,
  { there, upload, sha256 }: { there: FileRow; upload: UploadRow; sha256: string },
): Promise<Placed> {
  const { sizeBytes, memberId } = upload
  await tx
    .update(files)
    .set({ sha256, sizeBytes, modifiedAt: ctx.now(), modifiedBy: memberId })
    .where(eq(files.id, there.id))
  const added = sizeBytes - there.sizeBytes
  await grow(tx, there.parentId, { bytes: added, files: 0 })
  return { id: there.id, name: there.name, addedBytes: added, action: 'replace' }
}

async function freeName(tx: Tx, { ownerId, parentId, name }: UploadRow): Promise<string> {
  const taken = new Set((await childrenOf(tx, ownerId, [parentId])).map((child) => child.name))
  return numberedName({ name, kind: 'file' }, (one) => taken.has(one))
}

/** A killed server may have left the name behind. */
async function linkAnew(path: string, name: string): Promise<void> {
  try {
    await link(path, name)
  } catch {
    await rm(name, { force: true })
    await link(path, name)
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../../infra/context.ts'
import { queueCheck } from '../check-queue.ts'
import { hintOfFile } from '../patients/hints.ts'
import { isWorthALook } from '../pictures.ts'
import type { UploadRow } from '../tables.ts'
import { count } from './count.ts'
import { stagedPath } from './uploads.ts'

/**
 * Turns a complete staged file into a file of the cloud. What earlier requests brought stays staged until it is counted:
 * a crash at any point leaves an upload whose last chunk is sent again, or a finished one. `known`: the digest of bytes that
 * all came with this request; null where it has yet to be worked out.
 */
export async function finish(ctx: Context, upload: UploadRow, known: string | null): Promise<string | null> {
  const staged = stagedPath(ctx, upload.id)
  const sha256 = known ?? (await hashFile(staged))
  // The store takes a second name of the bytes, unless all of them would come again anyway.
  const given = known === null ? `${staged}.whole` : staged
  if (given !== staged) await linkAnew(staged, given)
  const patientHint = await hintOfFile(given)
  await ctx.storage.adopt(given, sha256)
  const fileId = await count(ctx, { upload, sha256, patientHint })
  if (given !== staged) await Promise.all([rm(given, { force: true }), rm(staged, { force: true })])
  if (isWorthALook(upload.name, patientHint)) queueCheck(ctx, upload.ownerId)
  return fileId
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

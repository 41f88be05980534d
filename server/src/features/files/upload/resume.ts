import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { uploads as limits } from '@neuroloom/contract/limits'
import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { files, type UploadRow, uploads } from '../tables.ts'
import { stagedPath } from './uploads.ts'

type Batch = Answer<'files/unfinished'>['batches'][number]

/** What the member announced and has not sent whole, in whatever browser that was. */
export async function unfinished(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'files/unfinished'>> {
  const rows = await ctx.db
    .select({ upload: uploads, place: files.name })
    .from(uploads)
    .leftJoin(files, eq(files.id, uploads.baseId))
    .where(
      sql`${uploads.memberId} = ${user.id} and ${uploads.batch} in (
        select batch from ${uploads} where member_id = ${user.id} and done_at is null
      )`,
    )
    // Numbers are drawn at random: only the path gives an order.
    .orderBy(uploads.startedAt, uploads.batch, uploads.path)
  const batches = new Map<string, Batch>()
  for (const { upload, place } of rows) {
    const batch = batches.get(upload.batch) ?? emptyBatch(upload, place ?? '')
    batches.set(upload.batch, batch)
    addTo(batch, upload)
  }
  return { batches: [...batches.values()] }
}

const emptyBatch = ({ batch, baseId, startedAt }: UploadRow, place: string): Batch => ({
  batch,
  parentId: baseId,
  place,
  startedAt: startedAt.toISOString(),
  totalFiles: 0,
  totalBytes: 0,
  doneFiles: 0,
  doneBytes: 0,
  files: [],
})

function addTo(batch: Batch, { id, path, sizeBytes, receivedBytes, doneAt, unpack }: UploadRow): void {
  batch.totalFiles += 1
  batch.totalBytes += sizeBytes
  if (doneAt) {
    batch.doneFiles += 1
    batch.doneBytes += sizeBytes
  } else batch.files.push({ upload: id, path, sizeBytes, receivedBytes, unpack })
}

/** Sums of the bytes that really lie on the disk, so that a page continues only where they are the file's own. */
export async function received(
  ctx: Context,
  { upload: id, fromBlock }: Parsed<'files/received'>,
  { user }: Caller,
): Promise<Answer<'files/received'>> {
  const [row] = await ctx.db
    .select()
    .from(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.memberId, user.id)))
  if (!row || row.doneAt) throw fail('upload_gone')
  const { blockBytes } = limits
  const blocks = Math.ceil(row.receivedBytes / blockBytes)
  const last = Math.min(blocks, fromBlock + limits.sumsPerCall)
  const none = { receivedBytes: 0, blockBytes, sums: [], next: null }
  if (blocks === 0) return none
  const file = await open(stagedPath(ctx, id)).catch(() => null)
  // Gone from the disk: nothing of it can be continued.
  if (!file) return none
  try {
    const sums: string[] = []
    for (let block = fromBlock; block < last; block += 1) {
      const start = block * blockBytes
      const sum = await sumOf(file, start, Math.min(row.receivedBytes, start + blockBytes))
      if (sum === null) return none
      sums.push(sum)
    }
    return { receivedBytes: row.receivedBytes, blockBytes, sums, next: last < blocks ? last : null }
  } finally {
    await file.close()
  }
}

/** Null when the file is shorter than it should be. */
async function sumOf(file: FileHandle, start: number, end: number): Promise<string | null> {
  const bytes = Buffer.allocUnsafe(end - start)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
  return bytesRead < bytes.length ? null : createHash('sha256').update(bytes).digest('base64')
}

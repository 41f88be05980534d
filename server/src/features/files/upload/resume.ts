import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { uploads as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { files, uploads } from '../tables.ts'
import { stagedPath } from './uploads.ts'

/** What the member announced and has not sent whole, in whatever browser that was: totals, worked out by the database. */
export async function unfinished(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'files/unfinished'>> {
  const isOpen = sql`upload.done_at is null`
  const { rows } = await ctx.db.execute<BatchTotals>(sql`
    select
      upload.batch,
      min(upload.base_id) as "parentId",
      coalesce((select name from ${files} where id = min(upload.base_id)), '') as place,
      min(upload.started_at) as "startedAt",
      count(*)::integer as "totalFiles",
      sum(upload.size_bytes)::bigint as "totalBytes",
      count(*) filter (where not ${isOpen})::integer as "doneFiles",
      coalesce(sum(upload.size_bytes) filter (where not ${isOpen}), 0)::bigint as "doneBytes",
      sum(upload.received_bytes) filter (where ${isOpen})::bigint as "openBytes",
      min(upload.path) filter (where ${isOpen}) as "openPath",
      min(upload.path) filter (where ${isOpen} and upload.unpack = 'packed') as packed
    from ${uploads} upload
    where upload.member_id = ${user.id} and upload.batch in (
      select batch from ${uploads} where member_id = ${user.id} and done_at is null
    )
    group by upload.batch
    order by min(upload.started_at) desc, upload.batch
    limit ${limits.batchesShown}`)
  return { batches: rows.map(batchOf) }
}

/** As the driver reads them: large numbers are texts. */
type BatchTotals = {
  batch: string
  parentId: string | null
  place: string
  startedAt: Date | string
  totalFiles: number
  totalBytes: string
  doneFiles: number
  doneBytes: string
  openBytes: string
  openPath: string
  packed: string | null
}

const batchOf = (row: BatchTotals): Answer<'files/unfinished'>['batches'][number] => ({
  ...row,
  startedAt: new Date(row.startedAt).toISOString(),
  totalBytes: Number(row.totalBytes),
  doneBytes: Number(row.doneBytes),
  openBytes: Number(row.openBytes),
})

/** Numbers of uploads are drawn at random, so they give the pages an order and say nothing. */
export async function unfinishedFiles(
  ctx: Context,
  { batch, after }: Parsed<'files/unfinishedFiles'>,
  { user }: Caller,
): Promise<Answer<'files/unfinishedFiles'>> {
  const rows = await ctx.db
    .select({
      upload: uploads.id,
      path: uploads.path,
      sizeBytes: uploads.sizeBytes,
      receivedBytes: uploads.receivedBytes,
      unpack: uploads.unpack,
    })
    .from(uploads)
    .where(
      and(
        eq(uploads.memberId, user.id),
        eq(uploads.batch, batch),
        isNull(uploads.doneAt),
        ...(after === null ? [] : [gt(uploads.id, after)]),
      ),
    )
    .orderBy(uploads.id)
    .limit(limits.filesPage + 1)
  const page = rows.slice(0, limits.filesPage)
  return { files: page, next: rows.length > page.length ? (page.at(-1)?.upload ?? null) : null }
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

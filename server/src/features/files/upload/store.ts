import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { addAbortSignal, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { kept } from '../../../infra/db.ts'
import { requireFolder } from '../access.ts'
import { type UploadRow, uploads } from '../tables.ts'
import { finish } from './finish.ts'
import { drop, stagedPath, stagingFolder } from './uploads.ts'

/** What a store must know of the one request that it serves; tus hands over only a stream. */
export type UploadRequest = {
  caller: Caller
  /** Bytes that the request announces. */
  length: number
  /** Base64 of the `Upload-Checksum` header; null when it is missing. */
  checksum: string | null
  /** Read here and not through tus. */
  body: IncomingMessage
  /** Ends the reading of the body. */
  signal?: AbortSignal
  /** The upload as this request found it under the lock. */
  locked?: UploadRow
}

/**
 * Keeps chunks of announced uploads on the local disk. A chunk counts, in the database, once it is whole, its checksum
 * is right and it is on the disk; the last one counts only together with the finished file.
 */
export class UploadStore extends DataStore {
  private readonly ctx: Context
  private readonly request: UploadRequest

  constructor(ctx: Context, request: UploadRequest) {
    super()
    this.ctx = ctx
    this.request = request
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'checksum']
  }

  override async create(upload: Upload): Promise<Upload> {
    const row = await this.require(upload.id)
    if (upload.size !== row.sizeBytes) throw fail('bad_request')
    this.request.locked = row
    if (row.doneAt) return upload
    await mkdir(stagingFolder(this.ctx), { recursive: true })
    // A client that begins anew begins at the start.
    if (row.receivedBytes > 0) this.request.locked = await this.count(row, 0)
    if (row.sizeBytes === 0) await this.finishEmpty(row)
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.require(id)
    this.request.locked = row
    return new Upload({ id, size: row.sizeBytes, offset: row.receivedBytes, metadata: { upload: id } })
  }

  /** Of the stream that tus gives nothing comes: the body is the request's own. */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    stream.resume()
    const row = this.request.locked ?? (await this.require(id))
    const { length, checksum, body, signal } = this.request
    // The end came through but its answer did not. The bytes are read all the same: unread, they hold the connection.
    if (row.doneAt) {
      await finished(body.resume())
      return row.sizeBytes
    }
    if (offset !== row.receivedBytes) throw ERRORS.INVALID_OFFSET
    if (length === 0) return offset
    if (checksum === null) throw fail('bad_request')
    if (!(await this.ctx.room.has(length))) {
      await finished(body.resume())
      throw fail('disk_full')
    }
    const file = await openStaged(stagedPath(this.ctx, id), offset)
    try {
      await this.refuseLost(file, row)
      const received = await receive(signal ? addAbortSignal(signal, body) : body, file, offset)
      // The line broke: what came is not counted and written over next time.
      if (received.bytes !== length) throw ERRORS.ABORTED
      if (received.sha256.toString('base64') !== checksum) throw fail('checksum_wrong')
      const end = offset + length
      if (end < row.sizeBytes) {
        await file.datasync()
        await this.count(row, end)
      } else await this.finish(row, offset === 0 ? received.sha256.toString('hex') : null)
      return end
    } finally {
      await file.close()
    }
  }

  override async remove(id: string): Promise<void> {
    await this.require(id)
    const dropped = await this.ctx.db.transaction((tx) => drop(tx, eq(uploads.id, id)))
    if (dropped.length > 0) await rm(stagedPath(this.ctx, id), { force: true })
  }

  /** The caller's own upload; foreign and unknown ones look the same. Ends as soon as a share is withdrawn. */
  private async require(id: string): Promise<UploadRow> {
    const { user } = this.request.caller
    const [row] = await findUpload(this.ctx.db).execute({ id })
    if (row?.memberId !== user.id) throw fail('upload_gone')
    if (row.ownerId !== row.memberId) await requireFolder(this.ctx.db, user, row.parentId ?? '', 'edit')
    return row
  }

  private async count({ id, receivedBytes }: UploadRow, bytes: number): Promise<UploadRow> {
    const [counted] = await this.ctx.db
      .update(uploads)
      .set({ receivedBytes: bytes, touchedAt: this.ctx.now() })
      .where(and(eq(uploads.id, id), eq(uploads.receivedBytes, receivedBytes), isNull(uploads.doneAt)))
      .returning()
    // Given up, or counted by another server in between.
    if (!counted) throw fail('upload_gone')
    return counted
  }

  /** Counted bytes that are no longer on the disk must come again: a hole would pass for data. */
  private async refuseLost(file: FileHandle, row: UploadRow): Promise<void> {
    if (row.receivedBytes === 0 || (await file.stat()).size >= row.receivedBytes) return
    await this.count(row, 0)
    throw ERRORS.INVALID_OFFSET
  }

  private async finishEmpty(row: UploadRow): Promise<void> {
    await (await open(stagedPath(this.ctx, row.id), 'w')).close()
    await this.finish(row, createHash('sha256').digest('hex'))
  }

  private async finish(row: UploadRow, sha256: string | null): Promise<void> {
    await finish(this.ctx, row, sha256)
  }
}

/** By its number alone: asked for the member too, the database may look through all that they announced. */
const findUpload = kept((db) =>
  db
    .select()
    .from(uploads)
    .where(eq(uploads.id, sql.placeholder('id')))
    .prepare('upload_by_number'),
)

/**
 * What the store has taken is never written to again: should a server have died before it counted, the staged bytes have
 * a name there too.
 */
async function openStaged(path: string, offset: number): Promise<FileHandle> {
  if (offset === 0) {
    const made = await open(path, 'wx', 0o600).catch(() => null)
    if (made) return made
  }
  const names = await stat(path).then(
    ({ nlink }) => nlink,
    () => 0,
  )
  if (names > 1) {
    const own = `${path}.own`
    await copyFile(path, own)
    await rename(own, path)
  }
  return open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
}

/** So much is put to the disk at once, while the next bytes are hashed. */
const GATHER_BYTES = 1024 * 1024

async function receive(body: IncomingMessage, file: FileHandle, start: number) {
  const hash = createHash('sha256')
  let bytes = 0
  let held: Buffer[] = []
  let heldBytes = 0
  let writing: Promise<void> = Promise.resolve()
  const flush = async (): Promise<void> => {
    await writing
    writing = writeAll(file, held, start + bytes - heldBytes)
    // Told by whoever waits for it next.
    writing.catch(() => undefined)
    held = []
    heldBytes = 0
  }
  let failure: unknown = null
  for await (const buffer of untilBroken(body)) {
    bytes += buffer.length
    // Read to its end all the same: who breaks off in the middle cannot be told why.
    if (failure !== null) continue
    hash.update(buffer)
    held.push(buffer)
    heldBytes += buffer.length
    if (heldBytes < GATHER_BYTES) continue
    await flush().catch((error: unknown) => {
      failure = error
    })
  }
  if (failure !== null) throw failure
  await flush()
  await writing
  return { bytes, sha256: hash.digest() }
}

/** A line that breaks ends it early: whoever counts the bytes sees that. */
async function* untilBroken(body: IncomingMessage): AsyncIterable<Buffer> {
  try {
    yield* body
  } catch {
    // Told by the number of bytes.
  }
}

async function writeAll(file: FileHandle, pieces: Buffer[], position: number): Promise<void> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length === 0) return
  const { bytesWritten } = await file.writev(pieces, position)
  if (bytesWritten < length) throw fail('disk_full')
}

import { createHash } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { Entry } from '@neuroloom/contract/files'
import { uploads as limits } from '@neuroloom/contract/limits'
import { SUCCESS_CODE } from '@neuroloom/contract/success'
import { type SameName, SINGLE_UPLOAD_PATH, sameNameSchema } from '@neuroloom/contract/uploads'
import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../../http/access.ts'
import { Failure, fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { sqlState } from '../../../infra/db.ts'
import { isDiskFull } from '../../../infra/room.ts'
import * as plans from '../../plans/service.ts'
import { entryOf } from '../listing.ts'
import { type UploadRow, uploads } from '../tables.ts'
import { prepare } from '../transfer/prepare.ts'
import { finish } from './finish.ts'
import { drop, stagedPath, stagingFolder } from './uploads.ts'

/** Boundaries, headers and fields around the file. */
const WRAPPING_BYTES = 64 * 1024

/** One small file in one request, for programs that know nothing of tus. The same end as every upload. */
export function addSingleUpload(app: FastifyInstance, ctx: Context): void {
  void app.register(async (scope) => {
    await scope.register(multipart, {
      limits: {
        fileSize: limits.singleBytes,
        files: 1,
        fields: 4,
        parts: 5,
        fieldSize: 1024,
        fieldNameSize: 100,
        headerPairs: 20,
      },
    })
    scope.post(
      `/AI/api/${SINGLE_UPLOAD_PATH}`,
      { bodyLimit: limits.singleBytes + WRAPPING_BYTES },
      async (request) => {
        const caller = await request.caller()
        const data = await receive(ctx, request, caller).catch((error: unknown) => {
          throw refusalOf(error)
        })
        return { code: SUCCESS_CODE, message: 'success', data }
      },
    )
  })
}

/** A form's own mistakes have neither a status nor a code; a full disk has a name. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure || sqlState(error) !== null) return error
  if ('statusCode' in error) return error
  if (isDiskFull(error)) return fail('disk_full')
  const code = 'code' in error ? String(error.code) : ''
  return ['', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes(code) ? fail('bad_request') : error
}

type Fields = { parentId: string | null; sameName: SameName }

/** Fields come before the file. Answers with the file as pages see it; null where its name was to be skipped. */
async function receive(ctx: Context, request: FastifyRequest, caller: Caller): Promise<Entry | null> {
  const wholeBytes = Number(request.headers['content-length'])
  if (!request.isMultipart() || !Number.isInteger(wholeBytes)) throw fail('bad_request')
  if (wholeBytes > limits.singleBytes + WRAPPING_BYTES)
    throw fail('too_large', { limitBytes: limits.singleBytes })
  const fields: Fields = { parentId: null, sameName: 'rename' }
  for await (const part of request.parts()) {
    if (part.type === 'file') return store(ctx, part, { fields, caller, atMostBytes: wholeBytes })
    readField(fields, part.fieldname, part.value)
  }
  throw fail('bad_request')
}

function readField(fields: Fields, name: string, value: unknown): void {
  if (name === 'parentId')
    fields.parentId = typeof value === 'string' && value !== '' ? value.slice(0, 40) : null
  if (name !== 'sameName') return
  const chosen = sameNameSchema.safeParse(value)
  if (!chosen.success) throw fail('bad_request')
  fields.sameName = chosen.data
}

type Given = { fields: Fields; caller: Caller; atMostBytes: number }

/** Space for all that the request can hold is reserved before a byte is read; what is too much goes back. */
async function store(
  ctx: Context,
  { filename, file }: MultipartFile,
  { fields, caller, atMostBytes }: Given,
): Promise<Entry | null> {
  const announced = await prepare(
    ctx,
    { ...fields, files: [{ path: filename.replaceAll('/', '\\') || '.', sizeBytes: atMostBytes }] },
    caller,
  )
  const [refused] = announced.refused
  if (refused) throw fail(refused.reason, { name: filename.slice(0, 80) })
  const [upload] = announced.uploads
  if (!upload) {
    file.resume()
    return null
  }
  try {
    const { bytes, sha256 } = await write(stagedPath(ctx, upload), stagingFolder(ctx), file)
    if (file.truncated) throw fail('too_large', { limitBytes: limits.singleBytes })
    const row = await shrink(ctx, upload, bytes)
    const id = await finish(ctx, row, sha256)
    return id === null ? null : await entryOf(ctx, ctx.db, caller, id)
  } catch (error) {
    await ctx.db.transaction((tx) => drop(tx, eq(uploads.id, upload)))
    await rm(stagedPath(ctx, upload), { force: true })
    throw error
  }
}

async function write(path: string, folder: string, source: AsyncIterable<Buffer>) {
  await mkdir(folder, { recursive: true })
  const hash = createHash('sha256')
  let bytes = 0
  const target = await open(path, 'w', 0o600)
  try {
    for await (const piece of source) {
      hash.update(piece)
      await target.writeFile(piece)
      bytes += piece.length
    }
  } finally {
    await target.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** The size is known now: what was reserved beyond it is free again. */
async function shrink(ctx: Context, id: string, sizeBytes: number): Promise<UploadRow> {
  return ctx.db.transaction(async (tx) => {
    const [before] = await tx.select().from(uploads).where(eq(uploads.id, id)).for('update')
    const [row] = await tx.update(uploads).set({ sizeBytes }).where(eq(uploads.id, id)).returning()
    if (!before || !row) throw fail('upload_gone')
    await plans.release(tx, row.ownerId, before.sizeBytes - sizeBytes)
    return row
  })
}

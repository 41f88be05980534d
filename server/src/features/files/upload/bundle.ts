import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { uploads as limits } from '@neuroloom/contract/limits'
import { SUCCESS_CODE } from '@neuroloom/contract/success'
import { BUNDLE_PATH, type Bundle, type BundleAnswer, bundleSchema } from '@neuroloom/contract/uploads'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../http/access.ts'
import { Failure, fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { type PatientHint, patientHintOf } from '../../../infra/reader/patient-hint.ts'
import { requireFolder } from '../access.ts'
import { queueCheck } from '../check-queue.ts'
import { isWorthALook } from '../pictures.ts'
import { type UploadRow, uploads } from '../tables.ts'
import { count } from './count.ts'
import { stagingFolder } from './uploads.ts'

/** The line of JSON before the bytes. */
const HEAD_BYTES = 16 * 1024
const LINE_END = 0x0a

/** Small files, many in one request: most of what one takes by itself is the request, and waiting for the disk. */
export function addBundleRoute(app: FastifyInstance, ctx: Context): void {
  const bodyLimit = limits.bundleBytes + HEAD_BYTES
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit },
      (_request, body, done) => done(null, body),
    )
    scope.post(
      `/AI/api/${BUNDLE_PATH}`,
      {
        bodyLimit,
        config: { isUncounted: true },
        // Before a byte of the body is read.
        onRequest: async (request) => {
          await request.caller()
        },
      },
      async (request) => {
        const caller = await request.caller()
        const data: BundleAnswer = { taken: await take(ctx, caller, readBundle(request.body)) }
        return { code: SUCCESS_CODE, message: 'success', data }
      },
    )
  })
}

type Part = Bundle['files'][number] & { bytes: Buffer }

function readBundle(body: unknown): Part[] {
  if (!Buffer.isBuffer(body)) throw fail('bad_request')
  const end = body.indexOf(LINE_END)
  const head = end < 0 || end > HEAD_BYTES ? null : bundleSchema.safeParse(jsonOf(body.subarray(0, end)))
  if (!head?.success) throw fail('bad_request')
  let at = end + 1
  const parts = head.data.files.map((file) => {
    const bytes = body.subarray(at, at + file.sizeBytes)
    at += file.sizeBytes
    return { ...file, bytes }
  })
  const isOnceEach = new Set(parts.map(({ upload }) => upload)).size === parts.length
  if (at !== body.length || !isOnceEach) throw fail('bad_request')
  return parts
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

/** A file counts once its bytes are on the disk, as by tus; whatever is not as announced is left to that way. */
async function take(ctx: Context, caller: Caller, parts: readonly Part[]): Promise<string[]> {
  const total = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (!(await ctx.room.has(total))) throw fail('disk_full')
  const ids = parts.map(({ upload }) => upload)
  const found = await ctx.db
    .select()
    .from(uploads)
    .where(sql`${uploads.id} = any(${sql.param(ids)})`)
  const own = await withRights(
    ctx,
    caller,
    found.filter(({ memberId }) => memberId === caller.user.id),
  )
  const done = own.filter(({ doneAt }) => doneAt !== null).map(({ id }) => id)
  const byId = new Map(own.map((row) => [row.id, row]))
  const fresh = parts.flatMap(({ upload, bytes, checksum }) => {
    const row = byId.get(upload)
    const digest = createHash('sha256').update(bytes).digest()
    const isAsAnnounced =
      row?.doneAt === null &&
      row.receivedBytes === 0 &&
      row.sizeBytes === bytes.length &&
      digest.toString('base64') === checksum
    if (!row || !isAsAnnounced) return []
    return [{ row, bytes, sha256: digest.toString('hex'), patientHint: patientHintOf(bytes) }]
  })
  return [...done, ...(await keep(ctx, fresh))]
}

type Fresh = { row: UploadRow; bytes: Buffer; sha256: string; patientHint: PatientHint }

async function keep(ctx: Context, fresh: readonly Fresh[]): Promise<string[]> {
  if (fresh.length === 0) return []
  await mkdir(stagingFolder(ctx), { recursive: true })
  await ctx.storage.keepAll(
    fresh.map(({ row, bytes, sha256 }) => ({
      // Under a name of its own: the same file may be on its way by tus.
      stagedPath: join(stagingFolder(ctx), `${row.id}.${newId()}`),
      bytes,
      sha256,
    })),
  )
  const counted = await Promise.allSettled(
    fresh.map(({ row, sha256, patientHint }) => count(ctx, { upload: row, sha256, patientHint })),
  )
  for (const { row, patientHint } of fresh)
    if (isWorthALook(row.name, patientHint)) queueCheck(ctx, row.ownerId)
  return counted.flatMap((outcome, index) => {
    if (outcome.status === 'fulfilled') return [fresh[index]?.row.id ?? '']
    if (outcome.reason instanceof Failure) return []
    throw outcome.reason
  })
}

/** Those into a folder of somebody else's only while it is shared. */
async function withRights(ctx: Context, { user }: Caller, rows: readonly UploadRow[]): Promise<UploadRow[]> {
  const foreign = new Set(
    rows.filter((row) => row.ownerId !== row.memberId).map(({ parentId }) => parentId ?? ''),
  )
  const closed = new Set<string>()
  for (const id of foreign) {
    await requireFolder(ctx.db, user, id, 'edit').catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
      closed.add(id)
    })
  }
  return rows.filter((row) => row.ownerId === row.memberId || !closed.has(row.parentId ?? ''))
}

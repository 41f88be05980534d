/** Takes one zip in: its bytes are stored as they are, and its table of contents is read. */
import { createHash } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CODE_UPLOAD_PATH } from '@neuroloom/contract/custom/code'
import type { CodeUpload } from '@neuroloom/contract/custom/code-calls'
import { code as limits } from '@neuroloom/contract/limits'
import { SUCCESS_CODE } from '@neuroloom/contract/success'
import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { alarmLater } from '../../../infra/alarm.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { requireModule } from '../../../infra/modules/modules.ts'
import { isDiskFull } from '../../../infra/room.ts'
import { addBlob } from '../../../infra/storage/blobs.ts'
import { lockMember } from '../../payments/service.ts'
import { codeUploads } from '../tables.ts'
import { countFindings, type Intake, intakeOf } from './intake.ts'
import { describeUpload } from './show.ts'

const querySchema = z.object({ name: z.string().min(1).max(limits.nameLength) })

/** Signed in by the same headers as every call. */
export function addCodeRoute(app: FastifyInstance, ctx: Context): void {
  void app.register(async (scope) => {
    // The bytes stay in the request: they are read as a stream.
    scope.addContentTypeParser('application/zip', (_request, _payload, done) => done(null))
    scope.post(`/AI/api/${CODE_UPLOAD_PATH}`, async (request) => {
      const caller = await request.caller()
      return { code: SUCCESS_CODE, message: 'success', data: await receive(ctx, request, caller) }
    })
  })
}

async function receive(ctx: Context, request: FastifyRequest, caller: Caller): Promise<CodeUpload> {
  requireModule(ctx, 'code')
  const query = querySchema.safeParse(request.query)
  const announcedBytes = Number(request.headers['content-length'])
  if (request.headers['content-type'] !== 'application/zip' || !query.success) throw fail('bad_request')
  if (!Number.isInteger(announcedBytes) || announcedBytes <= 0) throw fail('bad_request')
  if (announcedBytes > limits.zipBytes) throw fail('too_large', { limitBytes: limits.zipBytes })
  await requireFew(ctx.db, caller.user.id)
  await ctx.room.require(announcedBytes)
  const folder = join(ctx.storage.stagingFolder, 'code')
  const path = join(folder, newId())
  await mkdir(folder, { recursive: true })
  try {
    const { bytes, sha256 } = await write(path, request.raw)
    const intake = await intakeOf(path)
    await ctx.storage.adopt(path, sha256)
    const name = query.data.name.replace(/[\p{Cc}\p{Surrogate}]/gu, '\uFFFD')
    return await keep(ctx, caller, { name, sha256, sizeBytes: bytes, intake })
  } catch (error) {
    throw isDiskFull(error) ? fail('disk_full') : error
  } finally {
    await rm(path, { force: true })
  }
}

async function write(path: string, source: AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  let bytes = 0
  const target = await open(path, 'w', 0o600)
  try {
    for await (const piece of source) {
      bytes += piece.length
      if (bytes > limits.zipBytes) throw fail('too_large', { limitBytes: limits.zipBytes })
      hash.update(piece)
      await target.writeFile(piece)
    }
  } finally {
    await target.close()
  }
  if (bytes === 0) throw fail('code_not_zip')
  return { bytes, sha256: hash.digest('hex') }
}

type Stored = { name: string; sha256: string; sizeBytes: number; intake: Intake }

/** Uploads of one member wait for each other at the member's row, so exactly as many are kept as may be. */
async function keep(ctx: Context, { user, address }: Caller, stored: Stored): Promise<CodeUpload> {
  const { name, sha256, sizeBytes, intake } = stored
  const row = await ctx.db.transaction(async (tx) => {
    if (!(await lockMember(tx, user.id))) throw fail('not_allowed')
    await requireFew(tx, user.id)
    await addBlob(tx, { sha256, sizeBytes })
    const [added] = await tx
      .insert(codeUploads)
      .values({
        ...{ id: newId(), userId: user.id, name, sha256, sizeBytes, ...intake },
        findings: countFindings(intake.entries),
        ...{ state: 'pending_review', uploadedAt: ctx.now() },
      })
      .returning()
    if (!added) throw new Error('The upload was not written')
    await ctx.jobs.send(tx, 'code.inspect', { uploadId: added.id })
    await alarmLater(ctx, tx, 'office_code')
    await audit(tx, {
      ...{ actor: user.id, action: 'code.upload', subject: `code:${added.id}`, address },
      after: { sha256, sizeBytes },
    })
    return added
  })
  return describeUpload(row)
}

async function requireFew(db: Db, userId: string): Promise<void> {
  const kept = await db.$count(codeUploads, eq(codeUploads.userId, userId))
  if (kept >= limits.uploads) throw fail('code_uploads', { most: limits.uploads })
}

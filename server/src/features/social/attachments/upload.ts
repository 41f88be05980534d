/** Images on their way into messages and posts: looked at by the reading program, kept as a plain copy of their pixels. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ErrorName } from '@neuroloom/contract/errors'
import { images as imageLimits, social as limits } from '@neuroloom/contract/limits'
import { IMAGE_UPLOAD_PATH } from '@neuroloom/contract/social/attachment-kinds'
import type { ImageAttachment } from '@neuroloom/contract/social/attachments'
import { SUCCESS_CODE } from '@neuroloom/contract/success'
import { and, eq, gt } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import type { CopyRefused } from '../../../infra/reader/plain-copy.ts'
import { ReaderBusy, ReaderFailure, read } from '../../../infra/reader/reader.ts'
import { addBlobs } from '../../../infra/storage/blobs.ts'
import { readerFolder } from '../../files/service.ts'
import { requireSocial } from '../access.ts'
import { isYoung, requirePace } from '../moderation/rate.ts'
import { images } from './tables.ts'

/** Somewhat larger ones are refused with a sentence, all others by the size of the request. */
const bodyLimit = 2 * limits.imageBytes

export function addImageUpload(app: FastifyInstance, ctx: Context): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit },
      (_request, body, done) => done(null, body),
    )
    scope.post(
      `/AI/api/${IMAGE_UPLOAD_PATH}`,
      {
        bodyLimit,
        // Before a byte of the body is read.
        onRequest: async (request) => requireSocial(ctx, (await request.caller()).user),
      },
      async (request) => {
        const { user } = await request.caller()
        return { code: SUCCESS_CODE, message: 'success', data: await take(ctx, user, request.body) }
      },
    )
  })
}

async function take(ctx: Context, user: SessionUser, body: unknown): Promise<ImageAttachment> {
  if (!Buffer.isBuffer(body) || body.length === 0) throw fail('bad_request')
  if (body.length > limits.imageBytes)
    throw fail('image_bytes', { megabytes: Math.round(limits.imageBytes / 1024 ** 2) })
  await ctx.db.transaction(async (tx) => {
    await requirePace(ctx, tx, user.id, 'image')
    await requireDay(ctx, tx, user.id)
  })
  await ctx.room.require(2 * body.length)
  const { width, height, copy, preview } = await copyOf(ctx, body)
  const id = newId()
  const kept = [copy, preview].map((bytes) => ({
    ...{ bytes, sha256: createHash('sha256').update(bytes).digest('hex') },
    stagedPath: join(ctx.storage.stagingFolder, newId()),
  }))
  await ctx.storage.keepAll(kept)
  const [{ sha256 }, { sha256: previewSha256 }] = kept as [(typeof kept)[0], (typeof kept)[0]]
  await ctx.db.transaction(async (tx) => {
    await addBlobs(
      tx,
      kept.map((one) => ({ sha256: one.sha256, sizeBytes: one.bytes.length, patientHint: 'none' })),
    )
    await tx.insert(images).values({
      ...{ id, ownerId: user.id, sha256, previewSha256, width, height, at: ctx.now() },
    })
  })
  return { kind: 'image', id, width, height }
}

async function requireDay(ctx: Context, tx: Tx, userId: string): Promise<void> {
  const since = new Date(ctx.now().getTime() - limits.imageWaitMs)
  const count = await tx.$count(images, and(eq(images.ownerId, userId), gt(images.at, since)))
  const most = (await isYoung(ctx, tx, userId)) ? limits.newImagesADay : limits.imagesADay
  if (count >= most) throw fail('images_a_day', { limit: most })
}

const refusals: Record<CopyRefused, ErrorName> = {
  kind: 'image_kind',
  damaged: 'image_damaged',
  too_large: 'image_pixels',
  patient: 'image_patient',
}

/** What was sent is gone afterwards, with all that it said of place, time and camera. */
async function copyOf(ctx: Context, bytes: Buffer) {
  const folder = join(readerFolder(ctx), newId())
  const path = join(folder, 'sent')
  await mkdir(folder, { recursive: true })
  try {
    await writeFile(path, bytes)
    const size = { side: limits.imageSide, previewSide: limits.imagePreviewSide }
    const answer = await read(
      { task: 'plainCopy', path, out: folder, ...size },
      { log: ctx.log, folder, timeMs: limits.imageMs, mayWait: limits.imagesWaiting },
    )
    if ('refused' in answer) throw refusalOf(answer.refused)
    const { made, preview, width, height } = answer
    return {
      ...{ width, height },
      copy: await readFile(join(folder, made)),
      preview: await readFile(join(folder, preview)),
    }
  } catch (error) {
    if (error instanceof ReaderBusy) throw fail('busy')
    if (error instanceof ReaderFailure) throw refusalOf('damaged')
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const refusalOf = (refused: CopyRefused) =>
  fail(refusals[refused], { megapixels: Math.round(imageLimits.maxPixels / 1e6) })

import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { client } from '@neuroloom/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendBytes } from '../../http/bytes.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { thumbnailPath } from '../../infra/storage/blobs.ts'
import { verifyLink } from '../accounts/access.ts'
import { requireFile } from './access.ts'
import { CONTENT_PATH, LINKED_PATH, LINKED_THUMBNAIL_PATH, LINKED_ZIP_PATH, THUMBNAIL_PATH } from './links.ts'
import { extensionOf } from './names.ts'
import { shownTypes } from './pictures.ts'
import { sendWhile, watchSends } from './sending.ts'
import { requireLink, requireLinked, seenThrough } from './share-links/pass.ts'
import { requireShown } from './thumbnail-rights.ts'
import { sendZip } from './zip/zip.ts'

/** Bytes by signed address: pages cannot send headers with pictures and downloads. */
export function addContentRoutes(app: FastifyInstance, ctx: Context): void {
  watchSends(ctx)
  // Far longer than a call may take; whatever is cut off goes on by a range.
  const handlerTimeout = client.downloadTimeoutMs
  app.get(CONTENT_PATH, { handlerTimeout }, async (request, reply) => {
    const { id, userId, mode } = await verifyLink(ctx, request.query, 'content')
    // Removed since the link was given out, or not to be seen any more by this member: missing.
    return sendFile(
      ctx,
      { mode, find: () => requireFile(ctx.db, { id: userId }, id, 'view') },
      { request, reply },
    )
  })
  app.get(LINKED_PATH, { handlerTimeout }, async (request, reply) => {
    const { id, userId: linkId, mode } = ctx.links.verify(request.query, 'linked')
    return sendFile(ctx, { mode, find: () => linkedFile(ctx, linkId, id) }, { request, reply })
  })
  app.get(LINKED_ZIP_PATH, { exposeHeadRoute: false, handlerTimeout }, async (request, reply) => {
    const { id, userId: linkId } = ctx.links.verify(request.query, 'linkedZip')
    const find = async () => (await requireLinked(ctx, await requireLink(ctx, linkId), id)).entry
    const entry = await find()
    const sees = async (ids: readonly string[]) => seenThrough(ctx, await requireLink(ctx, linkId), ids)
    await sendWhile(ctx, reply, { ownerId: entry.ownerId, check: find })
    return sendZip(ctx, reply, { name: `${entry.name}.zip`, entries: [entry], sees })
  })
  app.get(THUMBNAIL_PATH, async (request, reply) => {
    const { id, userId, by, of } = await verifyLink(ctx, request.query, 'thumbnail')
    await requireShown(ctx, { id: userId }, { as: by, id: of })
    return sendThumbnail(ctx, id, reply)
  })
  app.get(LINKED_THUMBNAIL_PATH, async (request, reply) => {
    const { id, userId: linkId, file = '' } = ctx.links.verify(request.query, 'linkedThumbnail')
    await linkedFile(ctx, linkId, file)
    return sendThumbnail(ctx, id, reply)
  })
}

type FoundFile = { ownerId: string; name: string; sha256: string; sizeBytes: number }
type Exchange = { request: FastifyRequest; reply: FastifyReply }

async function sendFile(
  ctx: Context,
  { mode, find }: { mode: string | undefined; find: () => Promise<FoundFile> },
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const { ownerId, name, sha256, sizeBytes } = await find()
  await sendWhile(ctx, reply, { ownerId, check: find })
  const type = mode === 'show' ? shownTypes.get(extensionOf(name)) : undefined
  const disposition = type ? 'inline' : 'attachment'
  const contentType = type ?? 'application/octet-stream'
  return sendBytes(ctx.storage, { sha256, sizeBytes, name, contentType, disposition }, { request, reply })
}

async function linkedFile(ctx: Context, linkId: string, id: string): Promise<FoundFile> {
  const { entry } = await requireLinked(ctx, await requireLink(ctx, linkId), id)
  const { ownerId, name, sha256, sizeBytes } = entry
  if (sha256 === null) throw fail('missing')
  return { ownerId, name, sha256, sizeBytes }
}

async function sendThumbnail(ctx: Context, sha256: string, reply: FastifyReply): Promise<FastifyReply> {
  const path = thumbnailPath(ctx.config.dataDir, sha256)
  const file = await open(path).catch(() => null)
  if (!file) return reply.code(404).header('cache-control', 'no-store').send()
  await file.close()
  // Made by us out of decoded pixels, so it is what it says.
  return reply
    .header('content-type', 'image/webp')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, max-age=1800, immutable')
    .send(createReadStream(path))
}

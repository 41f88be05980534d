import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { client } from '@neuroloom/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendBytes } from '../../http/bytes.ts'
import { thumbnailPath } from '../../infra/blobs.ts'
import type { Context } from '../../infra/context.ts'
import { verifyLink } from '../accounts/access.ts'
import { requireFile } from './access.ts'
import { CONTENT_PATH, THUMBNAIL_PATH } from './links.ts'
import { extensionOf } from './names.ts'
import { shownTypes } from './pictures.ts'

/** Bytes by signed address: pages cannot send headers with pictures and downloads. */
export function addContentRoutes(app: FastifyInstance, ctx: Context): void {
  // Far longer than a call may take; whatever is cut off goes on by a range.
  const handlerTimeout = client.downloadTimeoutMs
  app.get(CONTENT_PATH, { handlerTimeout }, (request, reply) => sendContent(ctx, request, reply))
  app.get(THUMBNAIL_PATH, (request, reply) => sendThumbnail(ctx, request, reply))
}

async function sendContent(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const claims = await verifyLink(ctx, request.query, 'content')
  // Removed since the link was given out, or no longer this member's: missing.
  const { name, sha256, sizeBytes } = await requireFile(ctx.db, { id: claims.userId }, claims.id)
  const type = claims.mode === 'show' ? shownTypes.get(extensionOf(name)) : undefined
  const disposition = type ? 'inline' : 'attachment'
  const contentType = type ?? 'application/octet-stream'
  return sendBytes(ctx.storage, { sha256, sizeBytes, name, contentType, disposition }, { request, reply })
}

async function sendThumbnail(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id } = await verifyLink(ctx, request.query, 'thumbnail')
  const path = thumbnailPath(ctx.config.dataDir, id)
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

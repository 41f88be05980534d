import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { thumbnailPath } from '../../infra/blobs.ts'
import type { Context } from '../../infra/context.ts'
import type { ByteRange } from '../../infra/storage.ts'
import { requireFile } from './access.ts'
import { CONTENT_PATH, THUMBNAIL_PATH, verifyLink } from './links.ts'
import { extensionOf } from './names.ts'
import { shownTypes } from './pictures.ts'

/** Bytes by signed address: pages cannot send headers with pictures and downloads. */
export function addContentRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(CONTENT_PATH, (request, reply) => sendContent(ctx, request, reply))
  app.get(THUMBNAIL_PATH, (request, reply) => sendThumbnail(ctx, request, reply))
}

async function sendContent(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const claims = await verifyLink(ctx, request.query, 'content')
  const { name, sha256, sizeBytes } = await requireFile(ctx.db, { id: claims.userId }, claims.id)
  const type = claims.mode === 'show' ? shownTypes.get(extensionOf(name)) : undefined
  reply
    .headers(guardHeaders)
    .header('content-type', type ?? 'application/octet-stream')
    .header('content-disposition', disposition(type ? 'inline' : 'attachment', name))
    .header('cache-control', 'private, no-store')
    .header('accept-ranges', 'bytes')
    .header('etag', `"${sha256}"`)
  const range = readRange(request, { sizeBytes, etag: `"${sha256}"` })
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send()
  }
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  reply.header('content-length', range ? range.end - range.start + 1 : sizeBytes)
  return reply.send(ctx.storage.read(sha256, range ?? undefined))
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
  return reply
    .headers(guardHeaders)
    .header('content-type', 'image/webp')
    .header('content-disposition', 'inline')
    .header('cache-control', 'private, max-age=1800, immutable')
    .send(createReadStream(path))
}

/** Whatever the bytes turn out to be, a browser runs nothing of them. */
const guardHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
}

/** Plain letters for old programs, RFC 5987 for all others. */
function disposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** One range; several, or one for other bytes (`If-Range`), are answered with the whole. */
function readRange(
  request: FastifyRequest,
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): ByteRange | null | 'unsatisfiable' {
  const condition = request.headers['if-range']
  const match = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '')
  if (!match || (condition !== undefined && condition !== etag)) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(sizeBytes - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  return start > end || start >= sizeBytes ? 'unsatisfiable' : { start, end }
}

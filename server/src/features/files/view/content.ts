import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { client, viewing as limits } from '@neuroloom/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendBytes } from '../../../http/bytes.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { type Holder, holderClaims, verifyLink } from '../../accounts/access.ts'
import { requireFile } from '../access.ts'
import { sendWhile } from '../sending.ts'
import { madePath } from './folders.ts'
import { typeShown } from './kinds.ts'

const PATH = '/AI/api/files/shown'

type Shown = { id: string; sha256: string; made: { key: string; name: string } | null }

/** Address of what shows a file; good for some minutes, and for as long as the session and the right to the file stand. */
export function shownUrl(ctx: Context, holder: Holder, { id, sha256, made }: Shown): string {
  // With the bytes' own number, so that a browser never shows what was there before the file was replaced.
  const what = made ? { key: made.key, made: made.name } : { bytes: sha256.slice(0, 12) }
  return `${PATH}?${ctx.links.sign({ kind: 'shown', id, ...what, ...holderClaims(holder) }, limits.linkMs)}`
}

export function addShownRoute(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, { handlerTimeout: client.downloadTimeoutMs }, async (request, reply) => {
    const { id, userId, key, made } = await verifyLink(ctx, request.query, 'shown')
    const find = () => requireFile(ctx.db, { id: userId }, id, 'view')
    const { ownerId, name, sha256, sizeBytes } = await find()
    await sendWhile(ctx, reply, { ownerId, check: find })
    if (key !== undefined && made !== undefined) return sendMade(madePath(ctx, key, made), { request, reply })
    const contentType = typeShown(name)
    const disposition = contentType === 'application/octet-stream' ? 'attachment' : 'inline'
    return sendBytes(ctx.storage, { sha256, sizeBytes, name, contentType, disposition }, { request, reply })
  })
}

/** Made by us out of decoded pixels, so it is what it says. */
async function sendMade(
  path: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const found = await stat(path).catch(() => null)
  if (!found) throw fail('missing')
  reply
    .header('content-type', path.endsWith('.png') ? 'image/png' : 'application/gzip')
    .header('content-length', found.size)
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('cache-control', 'private, max-age=600, immutable')
  return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(path))
}

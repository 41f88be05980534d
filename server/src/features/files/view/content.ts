import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { client, viewing as limits } from '@neuroloom/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendBytes } from '../../../http/bytes.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { LinkClaims } from '../../../infra/links.ts'
import { type Holder, holderClaims, verifyLink } from '../../accounts/access.ts'
import { extensionOf } from '../names.ts'
import { sendWhile } from '../sending.ts'
import { eyesOf, type Looker } from './eyes.ts'
import { madePath } from './folders.ts'
import type { ShownThrough } from './grants.ts'
import { typeShown } from './kinds.ts'

const PATH = '/AI/api/files/shown'
const LINKED_PATH = '/AI/api/files/shownLinked'

export type Shown = { id: string; sha256: string; made: { key: string; name: string } | null }

/** Address of what shows a file; good for some minutes, and for as long as the session and the right to see it stand. */
export function shownUrl(ctx: Context, holder: Holder, shown: Shown, through?: ShownThrough): string {
  const claims = { kind: 'shown', ...claimsOf(shown), ...through, ...holderClaims(holder) }
  return `${PATH}?${ctx.links.sign(claims, limits.linkMs)}`
}

/** The same for visitors of a share link; it ends with the link. */
export function shownLinkedUrl(ctx: Context, linkId: string, shown: Shown): string {
  const claims = { kind: 'shownLinked', ...claimsOf(shown), userId: linkId }
  return `${LINKED_PATH}?${ctx.links.sign(claims, limits.linkMs)}`
}

// With the bytes' own number, so that a browser never shows what was there before the file was replaced.
const claimsOf = ({ id, sha256, made }: Shown) => ({
  id,
  ...(made ? { key: made.key, made: made.name } : { bytes: sha256.slice(0, 12) }),
})

export function addShownRoute(app: FastifyInstance, ctx: Context): void {
  const options = { handlerTimeout: client.downloadTimeoutMs }
  app.get(PATH, options, async (request, reply) => {
    const claims = await verifyLink(ctx, request.query, 'shown')
    const { userId, as, of } = claims
    const who = as !== undefined && of !== undefined ? { userId, as, of } : { userId }
    return sendShown(ctx, { who, claims }, { request, reply })
  })
  app.get(LINKED_PATH, options, async (request, reply) => {
    const claims = ctx.links.verify(request.query, 'shownLinked')
    return sendShown(ctx, { who: { linkId: claims.userId }, claims }, { request, reply })
  })
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

async function sendShown(
  ctx: Context,
  { who, claims: { id, key, made } }: { who: Looker; claims: LinkClaims },
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const find = () => eyesOf(ctx, who).find(id)
  const file = await find()
  const { ownerId, sha256, sizeBytes } = file
  // Whoever is shown an image gets no name: it may be the patient's.
  const name = 'as' in who ? `image.${extensionOf(file.name)}` : file.name
  await sendWhile(ctx, reply, { ownerId, check: find })
  if (key !== undefined && made !== undefined) return sendMade(madePath(ctx, key, made), { request, reply })
  const contentType = typeShown(name)
  const disposition = contentType === 'application/octet-stream' ? 'attachment' : 'inline'
  return sendBytes(ctx.storage, { sha256, sizeBytes, name, contentType, disposition }, { request, reply })
}

const madeTypes: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.json': 'application/json',
}

/** Made by us out of decoded pixels or cells, so it is what it says. */
export async function sendMade(path: string, { request, reply }: Exchange): Promise<FastifyReply> {
  const found = await stat(path).catch(() => null)
  if (!found) throw fail('missing')
  reply
    .header('content-type', madeTypes[extname(path)] ?? 'application/gzip')
    .header('content-length', found.size)
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('cache-control', 'private, max-age=600, immutable')
  return request.method === 'HEAD'
    ? reply.send()
    : reply.send(createReadStream(path, { end: Math.max(0, found.size - 1) }))
}

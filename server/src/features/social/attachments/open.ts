/** Attachments as a reader sees them: each opening asks whether the reader sees what they went with. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import type { AttachmentReference, Opened } from '@neuroloom/contract/social/attachments'
import { and, eq, exists, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../http/access.ts'
import { sendBytes } from '../../../http/bytes.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { type Holder, holderClaims, verifyLink } from '../../accounts/access.ts'
import { users } from '../../accounts/tables.ts'
import { isThere, memberRoles } from '../access.ts'
import { chatMembers } from '../chats/tables.ts'
import { isSeenBy } from '../posts/show.ts'
import { posts } from '../posts/tables.ts'
import { imageIds } from './attach.ts'
import { keyOf, openCards } from './cards.ts'
import { openFiles } from './files.ts'
import { images } from './tables.ts'

const PATH = '/AI/api/social/shown'

export async function openAttachments(
  ctx: Context,
  { attachments }: Parsed<'social/openAttachments'>,
  caller: Caller,
): Promise<Answer<'social/openAttachments'>> {
  const seen = await imagesSeen(ctx.db, caller.user.id, imageIds(attachments))
  const others = await openOthers(ctx, caller, attachments)
  return {
    opened: attachments.map((one) => {
      if (one.kind === 'image') return seen.has(one.id) ? openedImage(ctx, caller, one.id) : null
      return others.get(nameOf(one)) ?? null
    }),
  }
}

/** Nobody sends a card of what they cannot open. */
export async function requireOpenable(
  ctx: Context,
  caller: Caller,
  sent: readonly AttachmentReference[],
): Promise<void> {
  const opened = await openOthers(ctx, caller, sent)
  if (sent.some((one) => one.kind !== 'image' && !opened.has(nameOf(one)))) throw fail('card_missing')
}

/** Files and cards, by `nameOf`. */
export async function openOthers(
  ctx: Context,
  caller: Caller,
  attachments: readonly AttachmentReference[],
): Promise<Map<string, Opened>> {
  const files = await openFiles(
    ctx,
    caller,
    attachments.flatMap(({ kind, id }) => (kind === 'file' ? [id] : [])),
  )
  const cards = await openCards(
    ctx,
    caller,
    attachments.flatMap((one) => (one.kind === 'card' ? [one] : [])),
  )
  return new Map<string, Opened>(
    [...files.values(), ...cards.values()].map((opened) => [nameOf(opened), opened]),
  )
}

export const nameOf = (one: Exclude<AttachmentReference, { kind: 'image' }>): string =>
  one.kind === 'card' ? keyOf(one) : `file ${one.id}`

const openedImage = (ctx: Context, holder: Holder, id: string): Opened => ({
  kind: 'image',
  url: urlOf(ctx, holder, { id, size: 'whole' }),
  previewUrl: urlOf(ctx, holder, { id, size: 'preview' }),
})

const urlOf = (ctx: Context, holder: Holder, which: { id: string; size: 'whole' | 'preview' }): string =>
  `${PATH}?${ctx.links.sign({ kind: 'socialImage', ...which, ...holderClaims(holder) }, limits.imageLinkMs)}`

/** The bytes themselves, by signed address. */
export function addImageRoute(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, async (request, reply) => {
    const { id, userId, size } = await verifyLink(ctx, request.query, 'socialImage')
    const image = (await imagesSeen(ctx.db, userId, [id])).get(id)
    if (!image || !isThere(ctx)) throw fail('missing')
    return sendImage(ctx, { ...image, size }, { request, reply })
  })
}

type Bytes = { id: string; sha256: string; previewSha256: string }

export async function sendImage(
  { storage }: Context,
  { id, size, ...image }: Bytes & { size: string | undefined },
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const sha256 = size === 'preview' ? image.previewSha256 : image.sha256
  const bytes = { sha256, sizeBytes: await storage.size(sha256), name: `${id}.webp` }
  // Made by us out of pixels, so it is what it says.
  const how = { contentType: 'image/webp', disposition: 'inline', isAskedAgain: true } as const
  return sendBytes(storage, { ...bytes, ...how }, exchange)
}

async function imagesSeen(db: Db, readerId: string, ids: readonly string[]): Promise<Map<string, Bytes>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: images.id, sha256: images.sha256, previewSha256: images.previewSha256 })
    .from(images)
    .where(and(inArray(images.id, [...ids]), isMember(db, readerId), isSeen(db, readerId)))
  return new Map(rows.map((row) => [row.id, row]))
}

const one = { one: sql`1` }

const isMember = (db: Db, readerId: string): SQL =>
  exists(
    db
      .select(one)
      .from(users)
      .where(and(eq(users.id, readerId), isNull(users.cancelledAt), inArray(users.role, memberRoles))),
  )

/** Its sender until it is sent; then whoever sees the message or the post. */
function isSeen(db: Db, readerId: string): SQL | undefined {
  const isOwnDraft = and(eq(images.ownerId, readerId), isNull(images.chatId), isNull(images.postId))
  const isInRange = sql`${images.messageId} > greatest(${chatMembers.fromId}, ${chatMembers.clearedId})
    and ${images.messageId} <= coalesce(${chatMembers.untilId}, ${Number.MAX_SAFE_INTEGER})`
  const inChat = db
    .select(one)
    .from(chatMembers)
    .where(and(eq(chatMembers.chatId, images.chatId), eq(chatMembers.userId, readerId), isInRange))
  const inPost = db
    .select(one)
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(eq(posts.id, images.postId), isSeenBy(db, readerId)))
  return or(isOwnDraft, exists(inChat), exists(inPost))
}

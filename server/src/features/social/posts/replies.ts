/** Replies to posts, in threads. What was deleted keeps its place, so that what answers it stays readable. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import type { Reply } from '@neuroloom/contract/social/posts'
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { addNotice } from '../../../infra/notices.ts'
import { users } from '../../accounts/tables.ts'
import { lock } from '../lock.ts'
import { requirePace } from '../moderation/rate.ts'
import { isHiddenFrom, nobody, personColumns, personOf } from '../people/relations.ts'
import { cleanText } from '../text.ts'
import { requirePost } from './show.ts'
import { type PostRow, posts, type ReplyRow, replies } from './tables.ts'

/** Of a post that the reader sees. */
export async function repliesTo(db: Db, readerId: string, postId: string): Promise<Reply[]> {
  const rows = await select(db, readerId)
    .where(eq(replies.postId, postId))
    .orderBy(asc(replies.at), asc(replies.id))
  return withoutHiddenEnds(rows).map((row) => shownTo(readerId, row))
}

const select = (db: Db, readerId: string) =>
  db
    .select({
      reply: replies,
      author: personColumns,
      isHidden: sql<boolean>`${isHiddenFrom(db, readerId, replies.authorId)}`,
    })
    .from(replies)
    .leftJoin(users, eq(users.id, replies.authorId))

type Selected = Awaited<ReturnType<typeof select>>[number]

/** What is hidden from the reader leaves a place where others answered it, and nothing where nobody did. */
function withoutHiddenEnds(rows: readonly Selected[]): Selected[] {
  const parents = new Map(rows.map(({ reply: { id, parentId } }) => [id, parentId]))
  const kept = new Set<string>()
  for (const { reply, isHidden } of rows) {
    let id = isHidden ? null : reply.id
    while (id !== null && !kept.has(id)) {
      kept.add(id)
      id = parents.get(id) ?? null
    }
  }
  return rows.filter(({ reply }) => kept.has(reply.id))
}

function shownTo(readerId: string, { reply, author, isHidden }: Selected): Reply {
  const { id, parentId, authorId, at, text, deletedAt } = reply
  const isClosed = author?.cancelledAt !== null
  return {
    ...{ id, parentId, at: at.toISOString(), isOwn: authorId === readerId },
    author: author && !isHidden ? personOf(author) : nobody(),
    text: isHidden || isClosed ? '' : text,
    isDeleted: isHidden || isClosed || deletedAt !== null,
  }
}

async function shownReply(db: Db, readerId: string, replyId: string): Promise<Reply> {
  const [row] = await select(db, readerId).where(eq(replies.id, replyId))
  if (!row) throw fail('reply_missing')
  return shownTo(readerId, row)
}

/** The same request again, also at once, is the same reply. */
export async function reply(
  ctx: Context,
  { text: given, ...body }: Parsed<'social/reply'>,
  { user }: Caller,
): Promise<Reply> {
  const text = cleanText(given)
  return ctx.db.transaction(async (tx) => {
    await lock(tx, `reply ${user.id} ${body.requestId}`)
    const isSent = and(eq(replies.authorId, user.id), eq(replies.requestId, body.requestId))
    const [sent] = await tx.select({ id: replies.id }).from(replies).where(isSent)
    if (sent) return shownReply(tx, user.id, sent.id)
    await requirePace(ctx, tx, user.id, 'post')
    const id = await add(ctx, tx, { ...body, user, text })
    return shownReply(tx, user.id, id)
  })
}

type Adding = Omit<Parsed<'social/reply'>, 'text'> & { user: SessionUser; text: string }

async function add(
  ctx: Context,
  tx: Tx,
  { postId, parentId, requestId, text, user }: Adding,
): Promise<string> {
  const post = await requirePost(tx, user.id, postId)
  // One after the other for each post, so that together they do not pass the limit.
  const [held] = await tx
    .select({ id: posts.id })
    .from(posts)
    .where(eq(posts.id, postId))
    .for('no key update')
  if (!held) throw fail('post_missing')
  if (parentId !== null) {
    const parent = await requireReply(tx, user.id, parentId)
    if (parent.postId !== postId) throw fail('reply_missing')
  }
  if ((await tx.$count(replies, eq(replies.postId, postId))) >= limits.replies)
    throw fail('too_many_replies', { most: limits.replies })
  const id = newId()
  await tx.insert(replies).values({ id, postId, parentId, requestId, text, authorId: user.id, at: ctx.now() })
  await tellAuthor(ctx, tx, { post, user })
  return id
}

/** Whoever has blocked the author, or was blocked, does not see the post, so nobody hidden comes here. */
async function tellAuthor(
  ctx: Context,
  tx: Tx,
  { post: { id: postId, authorId }, user }: { post: PostRow; user: SessionUser },
): Promise<void> {
  if (authorId === user.id) return
  await addNotice(ctx, tx, {
    ...{ userId: authorId, kind: 'post_reply', params: { member: user.nickName, postId } },
  })
}

/** One that can be read, below a post that the reader sees; with the author of that post. */
export async function requireReply(
  db: Db,
  readerId: string,
  replyId: string,
): Promise<ReplyRow & { postAuthorId: string }> {
  const [row] = await db
    .select({ reply: replies, postAuthorId: posts.authorId })
    .from(replies)
    .innerJoin(posts, eq(posts.id, replies.postId))
    .innerJoin(users, and(eq(users.id, replies.authorId), isNull(users.cancelledAt)))
    .where(and(eq(replies.id, replyId), isNull(replies.deletedAt), isReadable(db, readerId)))
  if (!row) throw fail('reply_missing')
  return { ...row.reply, postAuthorId: row.postAuthorId }
}

const isReadable = (db: Db, readerId: string): SQL =>
  sql`not ${isHiddenFrom(db, readerId, replies.authorId)} and not ${isHiddenFrom(db, readerId, posts.authorId)}`

export async function remove(
  ctx: Context,
  { replyId }: Parsed<'social/deleteReply'>,
  { user }: Caller,
): Promise<Answer<'social/deleteReply'>> {
  const { authorId, postAuthorId } = await requireReply(ctx.db, user.id, replyId)
  if (authorId !== user.id && postAuthorId !== user.id) throw fail('not_allowed')
  await deleteReply(ctx, ctx.db, replyId)
  return {}
}

/** Its text is gone; its place stays. */
export async function deleteReply(ctx: Context, db: Db, replyId: string): Promise<void> {
  await db
    .update(replies)
    .set({ text: '', deletedAt: ctx.now() })
    .where(and(eq(replies.id, replyId), isNull(replies.deletedAt)))
}

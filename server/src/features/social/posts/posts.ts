/** Posts as their authors write, change and delete them, and as others like them. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Post } from '@neuroloom/contract/social/posts'
import { and, desc, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { bind, requireAttachable } from '../attachments/attach.ts'
import { requireOpenable } from '../attachments/open.ts'
import { lock } from '../lock.ts'
import { requirePace } from '../moderation/rate.ts'
import { cleanText } from '../text.ts'
import { searchTextOf } from './feeds.ts'
import { repliesTo } from './replies.ts'
import { requireOwnPost, requirePost, shownPost } from './show.ts'
import { likes, posts, postTopics, postVersions } from './tables.ts'
import { topicsOf } from './topics.ts'

export async function one(
  ctx: Context,
  { postId }: Parsed<'social/post'>,
  { user }: Caller,
): Promise<Answer<'social/post'>> {
  return {
    post: await shownPost(ctx.db, user.id, postId),
    replies: await repliesTo(ctx.db, user.id, postId),
  }
}

/** The same request again, also at once, is the same post. */
export async function create(
  ctx: Context,
  { requestId, text: given, attachments }: Parsed<'social/createPost'>,
  caller: Caller,
): Promise<Post> {
  const { user } = caller
  const text = cleanText(given, { mayBeEmpty: attachments.length > 0 })
  await requireOpenable(ctx, caller, attachments)
  return ctx.db.transaction(async (tx) => {
    await lock(tx, `post ${user.id} ${requestId}`)
    const isSent = and(eq(posts.authorId, user.id), eq(posts.requestId, requestId))
    const [sent] = await tx.select({ id: posts.id }).from(posts).where(isSent)
    if (sent) return shownPost(tx, user.id, sent.id)
    await requirePace(ctx, tx, user.id, 'post')
    const id = newId()
    const attached = await requireAttachable(tx, user.id, attachments)
    await tx.insert(posts).values({
      ...{ id, requestId, text, searchText: searchTextOf(text), attachments: attached },
      ...{ authorId: user.id, at: ctx.now() },
    })
    await bind(tx, attached, { postId: id })
    await setTopics(tx, id, text)
    return shownPost(tx, user.id, id)
  })
}

export async function edit(
  ctx: Context,
  { postId, text: given }: Parsed<'social/editPost'>,
  { user }: Caller,
): Promise<Post> {
  return ctx.db.transaction(async (tx) => {
    const { attachments } = await requireOwnPost(tx, user.id, postId)
    const text = cleanText(given, { mayBeEmpty: attachments !== null })
    await requirePace(ctx, tx, user.id, 'post')
    const [before] = await tx.select().from(posts).where(eq(posts.id, postId)).for('update')
    if (!before) throw fail('post_missing')
    if (before.text === text) return shownPost(tx, user.id, postId)
    await tx.insert(postVersions).values({ postId, text: before.text, at: before.editedAt ?? before.at })
    await tx
      .update(posts)
      .set({ text, searchText: searchTextOf(text), editedAt: ctx.now() })
      .where(eq(posts.id, postId))
    await tx.delete(postTopics).where(eq(postTopics.postId, postId))
    await setTopics(tx, postId, text)
    return shownPost(tx, user.id, postId)
  })
}

async function setTopics(tx: Tx, postId: string, text: string): Promise<void> {
  const rows = topicsOf(text).map((topic, position) => ({ postId, topic, position }))
  if (rows.length > 0) await tx.insert(postTopics).values(rows)
}

export async function history(
  ctx: Context,
  { postId }: Parsed<'social/postHistory'>,
  { user }: Caller,
): Promise<Answer<'social/postHistory'>> {
  await requirePost(ctx.db, user.id, postId)
  const rows = await ctx.db
    .select()
    .from(postVersions)
    .where(eq(postVersions.postId, postId))
    .orderBy(desc(postVersions.id))
  return { versions: rows.map(({ text, at }) => ({ text, at: at.toISOString() })) }
}

export async function remove(
  ctx: Context,
  { postId }: Parsed<'social/deletePost'>,
  { user }: Caller,
): Promise<Answer<'social/deletePost'>> {
  await requireOwnPost(ctx.db, user.id, postId)
  await deletePost(ctx.db, postId)
  return {}
}

/** With its replies, likes, topics and history. */
export async function deletePost(db: Db, postId: string): Promise<void> {
  await db.delete(posts).where(eq(posts.id, postId))
}

/** A member's like counts once, however often and at once it is given. */
export async function like(
  ctx: Context,
  { postId, isLiked }: Parsed<'social/like'>,
  { user }: Caller,
): Promise<Answer<'social/like'>> {
  return ctx.db.transaction(async (tx) => {
    await requirePost(tx, user.id, postId)
    // Held so that it is not deleted meanwhile.
    const [held] = await tx.select({ id: posts.id }).from(posts).where(eq(posts.id, postId)).for('key share')
    if (!held) throw fail('post_missing')
    if (isLiked)
      await tx.insert(likes).values({ postId, userId: user.id, at: ctx.now() }).onConflictDoNothing()
    else await tx.delete(likes).where(and(eq(likes.postId, postId), eq(likes.userId, user.id)))
    return { likeCount: await tx.$count(likes, eq(likes.postId, postId)) }
  })
}

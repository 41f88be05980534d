/** Which posts a reader sees, and as what. */
import type { Post } from '@neuroloom/contract/social/posts'
import { and, asc, eq, inArray, isNull, not, type SQL, sql } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { isHiddenFrom, personColumns, personOf } from '../people/relations.ts'
import { follows } from '../people/tables.ts'
import { likes, type PostRow, posts, postTopics, replies } from './tables.ts'

/** Posts of accounts that are there and that neither blocked the reader nor were blocked. */
export const isSeenBy = (db: Db, readerId: string): SQL | undefined =>
  and(isNull(users.cancelledAt), not(isHiddenFrom(db, readerId, posts.authorId)))

export async function requirePost(db: Db, readerId: string, postId: string): Promise<PostRow> {
  const [row] = await db
    .select({ post: posts })
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(eq(posts.id, postId), isSeenBy(db, readerId)))
  if (!row) throw fail('post_missing')
  return row.post
}

/** Of others it can be seen and not changed. */
export async function requireOwnPost(db: Db, userId: string, postId: string): Promise<PostRow> {
  const post = await requirePost(db, userId, postId)
  if (post.authorId !== userId) throw fail('not_allowed')
  return post
}

export async function shownPost(db: Db, readerId: string, postId: string): Promise<Post> {
  const [post] = await shownPosts(db, readerId, [postId])
  if (!post) throw fail('post_missing')
  return post
}

/** In the order of the ids; those that the reader does not see are left out. */
export async function shownPosts(db: Db, readerId: string, ids: readonly string[]): Promise<Post[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select({
      post: posts,
      author: personColumns,
      likeCount: sql`(select count(*) from ${likes} where ${likes.postId} = ${posts.id})`.mapWith(Number),
      isLiked: sql<boolean>`exists (select from ${likes}
        where ${likes.postId} = ${posts.id} and ${likes.userId} = ${readerId})`,
      replyCount: replyCount(db, readerId),
      isFollowed: sql<boolean>`exists (select from ${follows}
        where ${follows.userId} = ${readerId} and ${follows.memberId} = ${posts.authorId})`,
    })
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(inArray(posts.id, [...ids]), isSeenBy(db, readerId)))
  const topics = await topicsOfPosts(db, ids)
  const shown = new Map(
    rows.map(({ post: { id, text, attachments, at, editedAt, authorId }, author, ...counts }) => [
      id,
      {
        ...{ ...counts, id, text, author: personOf(author), isOwn: authorId === readerId },
        ...{ at: at.toISOString(), editedAt: editedAt?.toISOString() ?? null },
        ...{ topics: topics.get(id) ?? [], attachments: attachments ?? [] },
      },
    ]),
  )
  return ids.flatMap((id) => shown.get(id) ?? [])
}

/** Those that the reader can read. */
const replyCount = (db: Db, readerId: string) =>
  sql`(select count(*) from ${replies} where ${replies.postId} = ${posts.id} and ${replies.deletedAt} is null
    and not ${isHiddenFrom(db, readerId, replies.authorId)})`.mapWith(Number)

async function topicsOfPosts(db: Db, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .select()
    .from(postTopics)
    .where(inArray(postTopics.postId, [...ids]))
    .orderBy(asc(postTopics.position))
  const topics = new Map<string, string[]>()
  for (const { postId, topic } of rows) topics.set(postId, [...(topics.get(postId) ?? []), topic])
  return topics
}

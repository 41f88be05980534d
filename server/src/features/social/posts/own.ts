/** What a member wrote for everybody, and reported: in the archive, and when the account is erased. */
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { socialReports } from '../moderation/tables.ts'
import { likes, posts, postTopics, postVersions, replies } from './tables.ts'

export async function* exportOf({ db }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const written = await db.select().from(posts).where(eq(posts.authorId, userId)).orderBy(asc(posts.at))
  const ids = written.map(({ id }) => id)
  const versions = await db
    .select()
    .from(postVersions)
    .where(inArray(postVersions.postId, ids))
    .orderBy(asc(postVersions.id))
  const topics = await db
    .select()
    .from(postTopics)
    .where(inArray(postTopics.postId, ids))
    .orderBy(asc(postTopics.position))
  yield jsonFile('social-posts.json', {
    posts: written.map(({ authorId: _, searchText: __, ...post }) => ({
      ...post,
      topics: topics.filter(({ postId }) => postId === post.id),
      before: versions.filter(({ postId }) => postId === post.id),
    })),
    replies: await db.select().from(replies).where(eq(replies.authorId, userId)).orderBy(asc(replies.at)),
    likes: await db.select().from(likes).where(eq(likes.userId, userId)).orderBy(asc(likes.at)),
    reports: await reportsBy(db, userId),
  })
}

/** Without who decided. */
async function reportsBy(db: Context['db'], userId: string) {
  const rows = await db
    .select()
    .from(socialReports)
    .where(eq(socialReports.reporterId, userId))
    .orderBy(asc(socialReports.at))
  return rows.map(({ decidedBy: _, aboutId: __, ...row }) => row)
}

/** Replies keep an empty place where others answered them. What the member reported stays to be decided, without a name. */
export async function eraseOf({ db, now }: Context, userId: string): Promise<void> {
  await db.delete(posts).where(eq(posts.authorId, userId))
  await db.delete(likes).where(eq(likes.userId, userId))
  await db
    .update(replies)
    .set({ text: '', deletedAt: now() })
    .where(and(eq(replies.authorId, userId), isNull(replies.deletedAt)))
  await db.delete(socialReports).where(eq(socialReports.aboutId, userId))
  await db
    .update(socialReports)
    .set({ reporterId: null, text: '' })
    .where(eq(socialReports.reporterId, userId))
}

import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { dayMs, social as limits } from '@neuroloom/contract/limits'
import { and, count, desc, eq, gt, inArray, like, type SQL } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { containing, type Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { isBefore, readPage } from '../pages.ts'
import { requireMember } from '../people/members.ts'
import { follows } from '../people/tables.ts'
import { isSeenBy, shownPosts } from './show.ts'
import { posts, postTopics } from './tables.ts'
import { topicKey } from './topics.ts'

type Feed = Parsed<'social/posts'>['feed']

export async function list(
  ctx: Context,
  { feed, after }: Parsed<'social/posts'>,
  { user }: Caller,
): Promise<Answer<'social/posts'>> {
  if (feed.of === 'member') await requireMember(ctx.db, user.id, feed.memberId)
  const { rows, next } = await readPage(ctx, {
    ...{ question: { feed, readerId: user.id }, after, most: limits.posts },
    read: (place, limit) =>
      ctx.db
        .select({ id: posts.id, at: posts.at })
        .from(posts)
        .innerJoin(users, eq(users.id, posts.authorId))
        .where(
          and(isIn(ctx.db, user.id, feed), isBefore(place, posts.at, posts.id), isSeenBy(ctx.db, user.id)),
        )
        .orderBy(desc(posts.at), desc(posts.id))
        .limit(limit),
    placeOf: (row) => row,
  })
  const ids = rows.map(({ id }) => id)
  return { posts: await shownPosts(ctx.db, user.id, ids), next }
}

function isIn(db: Db, readerId: string, feed: Feed): SQL | undefined {
  if (feed.of === 'followed')
    return inArray(
      posts.authorId,
      db.select({ id: follows.memberId }).from(follows).where(eq(follows.userId, readerId)),
    )
  if (feed.of === 'topic')
    return inArray(
      posts.id,
      db
        .select({ id: postTopics.postId })
        .from(postTopics)
        .where(eq(postTopics.topic, topicKey(feed.topic))),
    )
  if (feed.of === 'member') return eq(posts.authorId, feed.memberId)
  if (feed.of === 'text') return like(posts.searchText, containing(searchTextOf(feed.text)))
  return undefined
}

/** As it is searched by, however it was typed. */
export const searchTextOf = (text: string): string => text.normalize('NFC').toLowerCase()

export async function topics(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'social/topics'>> {
  const since = new Date(ctx.now().getTime() - limits.topicDays * dayMs)
  const number = count()
  const rows = await ctx.db
    .select({ topic: postTopics.topic, posts: number })
    .from(postTopics)
    .innerJoin(posts, eq(posts.id, postTopics.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(gt(posts.at, since), isSeenBy(ctx.db, user.id)))
    .groupBy(postTopics.topic)
    .orderBy(desc(number), postTopics.topic)
    .limit(limits.topicList)
  return { topics: rows }
}

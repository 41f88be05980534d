import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import { and, count, desc, eq, gt, inArray, like, lt, or, type SQL } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { containing, type Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { openCursor, sealCursor } from '../../files/service.ts'
import { requireMember } from '../people/members.ts'
import { follows } from '../people/tables.ts'
import { isSeenBy, shownPosts } from './show.ts'
import { posts, postTopics } from './tables.ts'
import { topicKey } from './topics.ts'

type Feed = Parsed<'social/posts'>['feed']
type Last = { at: string; id: string }

export async function list(
  ctx: Context,
  { feed, after }: Parsed<'social/posts'>,
  { user }: Caller,
): Promise<Answer<'social/posts'>> {
  if (feed.of === 'member') await requireMember(ctx.db, user.id, feed.memberId)
  const question = { feed, readerId: user.id }
  // Sealed by ourselves, so it is what we put in.
  const last = after === null ? null : (openCursor(ctx, question, after) as Last)
  const rows = await ctx.db
    .select({ id: posts.id, at: posts.at })
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(isIn(ctx.db, user.id, feed), last ? isBefore(last) : undefined, isSeenBy(ctx.db, user.id)))
    .orderBy(desc(posts.at), desc(posts.id))
    .limit(limits.posts + 1)
  const page = rows.slice(0, limits.posts)
  const end = rows.length > limits.posts ? page.at(-1) : undefined
  return {
    posts: await shownPosts(
      ctx.db,
      user.id,
      page.map(({ id }) => id),
    ),
    next: end ? sealCursor(ctx, question, { at: end.at.toISOString(), id: end.id } satisfies Last) : null,
  }
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

function isBefore({ at, id }: Last): SQL | undefined {
  const time = new Date(at)
  return or(lt(posts.at, time), and(eq(posts.at, time), lt(posts.id, id)))
}

export async function topics(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'social/topics'>> {
  const since = new Date(ctx.now().getTime() - limits.topicDays * DAY_MS)
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

const DAY_MS = 24 * 60 * 60 * 1000

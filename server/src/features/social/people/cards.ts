/** What a member shows of oneself. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type CardField, cardFields } from '@neuroloom/contract/social/people'
import { and, eq, isNull } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { type UserRow, users } from '../../accounts/tables.ts'
import { posts } from '../posts/tables.ts'
import { cleanText } from '../text.ts'
import { relationOf, requireMember } from './members.ts'
import { onlineOf } from './online.ts'
import { personOf } from './relations.ts'
import { cards, follows } from './tables.ts'

export async function card(
  ctx: Context,
  { memberId }: Parsed<'social/card'>,
  { user }: Caller,
): Promise<Answer<'social/card'>> {
  const member = await requireMember(ctx.db, user.id, memberId)
  const relation = await relationOf(ctx, ctx.db, { readerId: user.id, memberId })
  const bare = { ...personOf(member), relation }
  // Neither reaches the other: the name alone is left, so that the block can be taken back.
  if (relation.isBlocked)
    return {
      ...{ ...bare, introduction: '', fields: [], isOnline: null },
      counts: { follows: 0, fans: 0, posts: 0 },
    }
  const { introduction, shown } = await settingsOf(ctx.db, memberId)
  const isOnline = await onlineOf(ctx, user.id, [memberId])
  return {
    ...{ ...bare, introduction, fields: fieldsOf(member, shown) },
    ...{ isOnline: isOnline(memberId), counts: await countsOf(ctx.db, memberId) },
  }
}

export const ownCard = (ctx: Context, _body: unknown, { user }: Caller): Promise<Answer<'social/ownCard'>> =>
  settingsOf(ctx.db, user.id)

export async function editCard(
  ctx: Context,
  { introduction, shown, ...body }: Parsed<'social/editCard'>,
  { user }: Caller,
): Promise<Answer<'social/editCard'>> {
  const settings = {
    ...body,
    introduction: cleanText(introduction, { field: 'introduction', mayBeEmpty: true }),
    shown: cardFields.filter((field) => shown.includes(field)),
  }
  await ctx.db
    .insert(cards)
    .values({ ...settings, userId: user.id })
    .onConflictDoUpdate({ target: cards.userId, set: settings })
  return {}
}

/** Whoever chose nothing shows nothing. */
async function settingsOf(db: Db, userId: string): Promise<Answer<'social/ownCard'>> {
  const [stored] = await db.select().from(cards).where(eq(cards.userId, userId))
  const { introduction = '', shown = [], canBeFound = false, showsOnline = false } = stored ?? {}
  return { introduction, shown, canBeFound, showsOnline }
}

const fieldValues: Record<CardField, (member: UserRow) => string> = {
  name: ({ name, surname }) => `${name} ${surname}`.trim(),
  institution: ({ organ }) => organ,
  department: ({ dept }) => dept,
  occupation: ({ appellation }) => appellation,
  country: ({ country }) => country,
  email: ({ email }) => email,
}

const fieldsOf = (member: UserRow, shown: readonly CardField[]) =>
  cardFields
    .filter((field) => shown.includes(field))
    .map((field) => ({ field, value: fieldValues[field](member) }))
    .filter(({ value }) => value !== '')

async function countsOf(db: Db, memberId: string): Promise<Answer<'social/card'>['counts']> {
  const isThere = isNull(users.cancelledAt)
  const followed = db
    .select({ id: users.id })
    .from(follows)
    .innerJoin(users, and(eq(users.id, follows.memberId), isThere))
    .where(eq(follows.userId, memberId))
  const following = db
    .select({ id: users.id })
    .from(follows)
    .innerJoin(users, and(eq(users.id, follows.userId), isThere))
    .where(eq(follows.memberId, memberId))
  return {
    follows: await db.$count(followed.as('followed')),
    fans: await db.$count(following.as('following')),
    posts: await db.$count(posts, eq(posts.authorId, memberId)),
  }
}

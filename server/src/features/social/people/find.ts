import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, ilike, inArray, isNull, ne, not, or } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { containing, type Db } from '../../../infra/db.ts'
import { findByAccount } from '../../accounts/access.ts'
import { users } from '../../accounts/tables.ts'
import { type Bound, guess } from '../../files/service.ts'
import { memberRoles } from '../access.ts'
import { isHiddenFrom, personColumns, personOf } from './relations.ts'
import { cards } from './tables.ts'

/** By the exact account always; by a part of the nickname those who want to be found by it. */
export async function findPeople(
  ctx: Context,
  { text }: Parsed<'social/findPeople'>,
  { user }: Caller,
): Promise<Answer<'social/findPeople'>> {
  const bound: Bound = {
    ...{ kind: 'person', key: user.id, limit: limits.tries, windowMs: limits.triesMs },
  }
  const found = await guess(ctx, [bound], async (tx) => {
    const people = await peopleBy(tx, user.id, text)
    return people.length === 0 ? null : people
  })
  return { people: found ?? [] }
}

async function peopleBy(db: Db, readerId: string, text: string) {
  const exact = await findByAccount(db, text)
  const rows = await db
    .select(personColumns)
    .from(users)
    .leftJoin(cards, eq(cards.userId, users.id))
    .where(
      and(
        or(
          exact ? eq(users.id, exact.id) : undefined,
          and(eq(cards.canBeFound, true), ilike(users.nickName, containing(text))),
        ),
        ne(users.id, readerId),
        isNull(users.cancelledAt),
        isNull(users.blockedAt),
        inArray(users.role, memberRoles),
        not(isHiddenFrom(db, readerId, users.id)),
      ),
    )
    .orderBy(asc(users.nickName), asc(users.id))
    .limit(limits.found)
  return rows.map(personOf)
}

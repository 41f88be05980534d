/** How two members stand to each other, and what everybody sees of a member. */
import type { Person } from '@neuroloom/contract/social/people'
import { and, eq, exists, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { fail } from '../../../http/fail.ts'
import type { Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { blocks, friends } from './tables.ts'

/** Only friends write to each other, and nobody past a block. */
export async function requireFriend(db: Db, userId: string, otherId: string): Promise<void> {
  if (await isBlockedBetween(db, userId, otherId)) throw fail('social_refused')
  if (!(await areFriends(db, userId, otherId))) throw fail('not_friends')
}

export async function areFriends(db: Db, a: string, b: string): Promise<boolean> {
  return (await db.$count(friends, and(eq(friends.userId, a), eq(friends.friendId, b)))) > 0
}

/** Whether one of the two has blocked the other. */
export async function isBlockedBetween(db: Db, a: string, b: string): Promise<boolean> {
  return (await db.$count(blocks, betweenBlocks(a, b))) > 0
}

/** `b` may be a column of a query. */
const betweenBlocks = (a: string, b: string | PgColumn): SQL | undefined =>
  or(and(eq(blocks.userId, a), eq(blocks.memberId, b)), and(eq(blocks.userId, b), eq(blocks.memberId, a)))

/** In a query: whether the reader and the member of a column have blocked each other, either way. */
export const isHiddenFrom = (db: Db, readerId: string, member: PgColumn): SQL =>
  exists(db.select({ one: sql`1` }).from(blocks).where(betweenBlocks(readerId, member)))

/** One for each id; the name and photo of a closed account are empty. */
export async function personsOf(db: Db, ids: readonly string[]): Promise<Map<string, Person>> {
  const persons = new Map(ids.map((id) => [id, nobody(id)]))
  if (persons.size === 0) return persons
  const rows = await db
    .select(personColumns)
    .from(users)
    .where(inArray(users.id, [...persons.keys()]))
  for (const row of rows) persons.set(row.id, personOf(row))
  return persons
}

export const personColumns = {
  id: users.id,
  nickName: users.nickName,
  photo: users.photo,
  cancelledAt: users.cancelledAt,
}

export const personOf = ({
  id,
  nickName,
  photo,
  cancelledAt,
}: Person & { cancelledAt: Date | null }): Person =>
  cancelledAt === null ? { id, nickName, photo } : nobody(id)

/** Of an account that is closed; of one that is gone, its number too. */
export const nobody = (id = ''): Person => ({ id, nickName: '', photo: '' })

import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { ReadingCounts } from '@neuroloom/contract/labelling/labelling'
import type { LabelReader } from '@neuroloom/contract/labelling/people'
import { labelling as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { accountKey } from '../accounts/access.ts'
import { users } from '../accounts/tables.ts'
import { accessChanged, bytesNamePatient, findRecipient, requireThere, tell } from '../files/service.ts'
import * as plans from '../plans/service.ts'
import { requireSet } from './access.ts'
import { labelItems, labelReaders, labelReadings, labelSets, labelSources, type ReaderRow } from './tables.ts'

export async function list(
  ctx: Context,
  { id }: Parsed<'labelling/readers'>,
  { user }: Caller,
): Promise<Answer<'labelling/readers'>> {
  await requireSet(ctx.db, user, id, 'own')
  const progress = await progressIn(ctx.db, id)
  return {
    readers: await readersWhere(ctx.db, eq(labelReaders.setId, id)),
    own: progress.get(user.id) ?? none,
    limit: limitFor(ctx, user),
    namePatients: await countNamed(ctx.db, id),
  }
}

/** As many as the membership lets one thing be shared with, and never more than so many. */
const limitFor = (ctx: Context, user: Caller['user']): number =>
  Math.min(limits.readers, plans.limitsOf(ctx, user).shareAccounts ?? limits.readers)

async function countNamed(db: Db, setId: string): Promise<number> {
  const [found] = await db
    .select({ count: sql`count(distinct ${labelItems.id})`.mapWith(Number) })
    .from(labelItems)
    .innerJoin(labelSources, eq(labelSources.itemId, labelItems.id))
    .where(and(eq(labelItems.setId, setId), bytesNamePatient(sql`${labelSources.sha256}`)))
  return found?.count ?? 0
}

export async function add(
  ctx: Context,
  { id, account, permission }: Parsed<'labelling/addReader'>,
  { user }: Caller,
): Promise<Answer<'labelling/addReader'>> {
  plans.requireSharer(ctx, user)
  await requireSet(ctx.db, user, id, 'own')
  const member = await findRecipient(ctx, user, account)
  const readerId = newId()
  await ctx.db.transaction(async (tx) => {
    // Makes the readers of a set wait for each other, so that the limit is exact.
    const [set] = await tx.select().from(labelSets).where(eq(labelSets.id, id)).for('no key update')
    if (!set) throw fail('label_set_missing')
    await requireThere(tx, member.id)
    const there = await tx.select().from(labelReaders).where(eq(labelReaders.setId, id))
    if (there.some(({ userId }) => userId === member.id)) throw fail('share_twice', { name: member.nickName })
    const limit = limitFor(ctx, user)
    if (there.length >= limit) throw fail('share_limit', { limit })
    await tx.insert(labelReaders).values({
      ...{ id: readerId, setId: id, userId: member.id, permission },
      account: accountKey(account).key,
      addedAt: ctx.now(),
    })
    const params = { owner: user.nickName, name: set.name }
    await tell(ctx, tx, [{ userId: member.id, kind: 'labels_shared', params }])
  })
  return readerOf(ctx.db, readerId)
}

export async function change(
  ctx: Context,
  { readerId, permission }: Parsed<'labelling/changeReader'>,
  { user }: Caller,
): Promise<Answer<'labelling/changeReader'>> {
  await ctx.db.transaction(async (tx) => {
    const { userId } = await requireOwn(tx, user, readerId)
    await tx.update(labelReaders).set({ permission }).where(eq(labelReaders.id, readerId))
    // Whoever reviewed watches others' readings no longer.
    await ctx.live.rightsChanged(tx, { kind: 'user', id: userId })
  })
  return readerOf(ctx.db, readerId)
}

export async function remove(
  ctx: Context,
  { readerId }: Parsed<'labelling/removeReader'>,
  { user }: Caller,
): Promise<Answer<'labelling/removeReader'>> {
  await ctx.db.transaction(async (tx) => {
    const { setId, userId, name } = await requireOwn(tx, user, readerId)
    await take(ctx, tx, { setId, userId, ownerId: user.id })
    const params = { owner: user.nickName, name }
    await tell(ctx, tx, [{ userId, kind: 'labels_unshared', params }])
  })
  return {}
}

export async function leave(
  ctx: Context,
  { id }: Parsed<'labelling/leave'>,
  { user }: Caller,
): Promise<Answer<'labelling/leave'>> {
  await ctx.db.transaction(async (tx) => {
    const { ownerId } = await requireSet(tx, user, id, 'read')
    await take(ctx, tx, { setId: id, userId: user.id, ownerId })
  })
  return {}
}

type Taken = { setId: string; userId: string; ownerId: string }

/** Whatever is being sent or watched because of it ends with it. */
async function take(ctx: Context, tx: Tx, { setId, userId, ownerId }: Taken): Promise<void> {
  const taken = await tx
    .delete(labelReaders)
    .where(and(eq(labelReaders.setId, setId), eq(labelReaders.userId, userId)))
    .returning({ id: labelReaders.id })
  if (taken.length === 0) throw fail('missing')
  await accessChanged(tx, [ownerId])
  await ctx.live.rightsChanged(tx, { kind: 'user', id: userId })
}

async function requireOwn(
  tx: Tx,
  user: Caller['user'],
  readerId: string,
): Promise<ReaderRow & { name: string }> {
  const [found] = await tx
    .select({ reader: labelReaders, name: labelSets.name })
    .from(labelReaders)
    .innerJoin(labelSets, eq(labelSets.id, labelReaders.setId))
    .where(and(eq(labelReaders.id, readerId), eq(labelSets.ownerId, user.id)))
  if (!found) throw fail('missing')
  return { ...found.reader, name: found.name }
}

async function readerOf(db: Db, id: string): Promise<LabelReader> {
  const [reader] = await readersWhere(db, eq(labelReaders.id, id))
  if (!reader) throw fail('missing')
  return reader
}

/** Of one set. */
async function readersWhere(db: Db, where: SQL): Promise<LabelReader[]> {
  const rows = await db
    .select({ reader: labelReaders, member: { nickName: users.nickName, photo: users.photo } })
    .from(labelReaders)
    .innerJoin(users, eq(users.id, labelReaders.userId))
    .where(where)
    .orderBy(asc(labelReaders.addedAt), asc(labelReaders.id))
  const progress = await progressIn(db, rows[0]?.reader.setId ?? '')
  return rows.map(({ reader: { id, userId, account, permission, addedAt }, member }) => ({
    ...{ id, permission, member: { ...member, account } },
    progress: progress.get(userId) ?? none,
    addedAt: addedAt.toISOString(),
  }))
}

const none: ReadingCounts = { open: 0, done: 0, accepted: 0, returned: 0 }

/** By member; images that are gone from their folder count on. */
async function progressIn(db: Db, setId: string): Promise<Map<string, ReadingCounts>> {
  const rows = await db
    .select({
      userId: labelReadings.readerId,
      state: labelReadings.state,
      count: sql`count(*)`.mapWith(Number),
    })
    .from(labelReadings)
    .innerJoin(labelItems, eq(labelItems.id, labelReadings.itemId))
    .where(eq(labelItems.setId, setId))
    .groupBy(labelReadings.readerId, labelReadings.state)
  const progress = new Map<string, ReadingCounts>()
  for (const { userId, state, count } of rows)
    if (userId !== null) progress.set(userId, { ...(progress.get(userId) ?? none), [state]: count })
  return progress
}

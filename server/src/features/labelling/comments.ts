import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { LabelComment } from '@neuroloom/contract/labelling/people'
import { labelling as limits } from '@neuroloom/contract/limits'
import { asc, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { Failure, fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { users } from '../accounts/tables.ts'
import { maySeeOthers, requireItem, requireReading, type SeenItem, type SeenSet } from './access.ts'
import { type CommentRow, labelComments, labelItems, labelReaders, labelReadings } from './tables.ts'

export async function list(
  ctx: Context,
  { itemId }: Parsed<'labelling/comments'>,
  { user }: Caller,
): Promise<Answer<'labelling/comments'>> {
  const seen = await requireItem(ctx.db, user, itemId, 'read')
  return { comments: await shown(ctx.db, user, await seenIn(ctx.db, user, seen)) }
}

/**
 * Who reads blind is not told by words what another one marked: a reader sees what is said about the image by whoever judges,
 * about the reader's own marks, and by the reader.
 */
async function seenIn(
  db: Db,
  user: Pick<Caller['user'], 'id'>,
  { item, set }: SeenItem,
): Promise<CommentRow[]> {
  const rows = await db
    .select()
    .from(labelComments)
    .where(eq(labelComments.itemId, item.id))
    .orderBy(asc(labelComments.createdAt), asc(labelComments.id))
  if (maySeeOthers(set)) return rows
  const own = new Set(
    (await db.select().from(labelReadings).where(eq(labelReadings.itemId, item.id))).flatMap(
      ({ id, readerId }) => (readerId === user.id ? id : []),
    ),
  )
  const judges = new Set([
    set.ownerId,
    ...(await db.select().from(labelReaders).where(eq(labelReaders.setId, set.id))).flatMap(
      ({ userId, permission }) => (permission === 'review' ? userId : []),
    ),
  ])
  const begun = rows.filter(
    ({ replyTo, authorId, readingId }) =>
      replyTo === null &&
      (authorId === user.id || (readingId === null ? judges.has(authorId ?? '') : own.has(readingId))),
  )
  const roots = new Set(begun.map(({ id }) => id))
  return rows.filter(
    ({ id, replyTo, authorId }) =>
      roots.has(id) || (roots.has(replyTo ?? '') && (authorId === user.id || judges.has(authorId ?? ''))),
  )
}

export async function add(
  ctx: Context,
  { itemId, readingId, replyTo, text, at }: Parsed<'labelling/comment'>,
  { user }: Caller,
): Promise<Answer<'labelling/comment'>> {
  const seen = await requireItem(ctx.db, user, itemId, 'read')
  const begun = replyTo === null ? null : (await seenIn(ctx.db, user, seen)).find(({ id }) => id === replyTo)
  if (begun === undefined || (begun && begun.replyTo !== null)) throw fail('comment_missing')
  const about = begun ? begun.readingId : readingId
  if (begun === null && about !== null) {
    const { item } = await requireReading(ctx.db, user, about)
    if (item.id !== itemId) throw fail('reading_missing')
  }
  const said = { seen, readingId: about, authorId: user.id, text, replyTo, at }
  return shownOne(ctx.db, user, await ctx.db.transaction((tx) => say(ctx, tx, said)))
}

type Said = {
  seen: SeenItem
  readingId: string | null
  authorId: string
  text: string
  replyTo?: string | null
  at?: LabelComment['at']
}

export async function say(
  ctx: Context,
  tx: Tx,
  { seen, readingId, authorId, text, replyTo = null, at = null }: Said,
): Promise<CommentRow> {
  const itemId = seen.item.id
  // Comments of an image wait for each other, so that the limit is exact.
  await tx.select().from(labelItems).where(eq(labelItems.id, itemId)).for('no key update')
  const count = await tx.$count(labelComments, eq(labelComments.itemId, itemId))
  if (count >= limits.comments) throw fail('too_many_comments', { limit: limits.comments })
  const [stored] = await tx
    .insert(labelComments)
    .values({
      ...{ id: newId(), itemId, readingId, replyTo, authorId, text },
      ...(at ?? {}),
      createdAt: ctx.now(),
    })
    .returning()
  if (!stored) throw fail('internal')
  await announce(ctx, tx, seen.set, stored)
  return stored
}

export async function resolve(
  ctx: Context,
  { commentId, isResolved }: Parsed<'labelling/resolveComment'>,
  { user }: Caller,
): Promise<Answer<'labelling/resolveComment'>> {
  const { comment, set } = await requireComment(ctx.db, user, commentId)
  const changed = await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(labelComments)
      .set({ resolvedAt: isResolved ? (comment.resolvedAt ?? ctx.now()) : null })
      .where(eq(labelComments.id, commentId))
      .returning()
    if (!row) throw fail('comment_missing')
    await announce(ctx, tx, set, row)
    return row
  })
  return shownOne(ctx.db, user, changed)
}

export async function remove(
  ctx: Context,
  { commentId }: Parsed<'labelling/removeComment'>,
  { user }: Caller,
): Promise<Answer<'labelling/removeComment'>> {
  const { comment, set } = await requireComment(ctx.db, user, commentId)
  if (comment.authorId !== user.id && set.right !== 'own') throw fail('not_allowed')
  await ctx.db.transaction(async (tx) => {
    await announce(ctx, tx, set, comment)
    await tx.delete(labelComments).where(eq(labelComments.id, commentId))
  })
  return {}
}

async function requireComment(
  db: Db,
  user: Caller['user'],
  id: string,
): Promise<SeenItem & { comment: CommentRow }> {
  const [found] = await db.select().from(labelComments).where(eq(labelComments.id, id))
  if (!found) throw fail('comment_missing')
  const seen = await requireItem(db, user, found.itemId, 'read').catch((error: unknown) => {
    if (error instanceof Failure) throw fail('comment_missing')
    throw error
  })
  const comment = (await seenIn(db, user, seen)).find((one) => one.id === id)
  if (!comment) throw fail('comment_missing')
  return { ...seen, comment }
}

/** Pages of those who read the image and may see it fetch anew: who reads blind is not told that another one wrote. */
async function announce(ctx: Context, tx: Tx, set: SeenSet, comment: CommentRow): Promise<void> {
  const { itemId } = comment
  const rows = await tx
    .select({ id: labelReadings.id, readerId: labelReadings.readerId })
    .from(labelReadings)
    .where(eq(labelReadings.itemId, itemId))
  const told = set.blind ? await toldOf(tx, set, comment) : null
  for (const { id, readerId } of rows)
    if (told === null || readerId === null || told.has(readerId))
      await ctx.live.passing({ kind: 'reading', id }, 'comments', { itemId }, tx)
}

/** Members who may see a comment of a set that is read blind. */
async function toldOf(tx: Tx, set: SeenSet, { itemId, id, authorId }: CommentRow): Promise<Set<string>> {
  const readers = await tx.select().from(labelReaders).where(eq(labelReaders.setId, set.id))
  const [item] = await tx.select().from(labelItems).where(eq(labelItems.id, itemId))
  const told = new Set([set.ownerId, authorId ?? ''])
  for (const { userId, permission: right } of readers) {
    const rows = item ? await seenIn(tx, { id: userId }, { item, set: { ...set, right } }) : []
    if (rows.some((one) => one.id === id)) told.add(userId)
  }
  return told
}

async function shownOne(db: Db, user: Caller['user'], row: CommentRow): Promise<LabelComment> {
  const [one] = await shown(db, user, [row])
  if (!one) throw fail('comment_missing')
  return one
}

async function shown(db: Db, user: Caller['user'], rows: readonly CommentRow[]): Promise<LabelComment[]> {
  const ids = rows.flatMap(({ authorId }) => authorId ?? [])
  const named = await db
    .select({ id: users.id, name: users.nickName })
    .from(users)
    .where(inArray(users.id, ids))
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return rows.map(({ id, readingId, replyTo, authorId, text, resolvedAt, createdAt, ...place }) => {
    const { x, y, axis, slice } = place
    const isPinned = x !== null && y !== null && axis !== null && slice !== null
    return {
      ...{ id, readingId, replyTo, text },
      author: authorId === user.id ? '' : (names.get(authorId ?? '') ?? '—'),
      at: isPinned ? { x, y, axis, slice } : null,
      isResolved: resolvedAt !== null,
      createdAt: createdAt.toISOString(),
    }
  })
}

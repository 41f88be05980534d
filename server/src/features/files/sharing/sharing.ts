import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Permission } from '@neuroloom/contract/sharing'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { accountKey } from '../../accounts/access.ts'
import { type UserRow, users } from '../../accounts/tables.ts'
import { requireRoomToShare } from '../../plans/access.ts'
import * as plans from '../../plans/service.ts'
import { requireEntry } from '../access.ts'
import { requireWord } from '../patients/patients.ts'
import { type Deed, record } from '../records/records.ts'
import { accessChanged } from '../sending.ts'
import { files } from '../tables.ts'
import { lockCloud } from '../tree.ts'
import { givenAbove } from './above.ts'
import { shareOf } from './lists.ts'
import { tell, tellGroup } from './news.ts'
import { findRecipient, requireThere } from './recipient.ts'
import { groups, type ShareRow, shares } from './tables.ts'

export async function share(
  ctx: Context,
  { id, account, permission, withPatients }: Parsed<'files/share'>,
  { user }: Caller,
): Promise<Answer<'files/share'>> {
  plans.requireSharer(ctx, user)
  await requireEntry(ctx.db, user, id)
  const member = await findRecipient(ctx, user, account)
  const wish = { id, permission, withPatients }
  const shareId = await give(ctx, user, { ...wish, member, account: accountKey(account).key })
  return shareOf(ctx, user, shareId)
}

type Wish = { id: string; permission: Permission; withPatients: boolean }

/** With somebody whom the owner knows by another way than the account, which stays untold. */
export async function shareWith(
  ctx: Context,
  user: SessionUser,
  { memberId, ...wish }: Wish & { memberId: string },
): Promise<void> {
  plans.requireSharer(ctx, user)
  await requireEntry(ctx.db, user, wish.id)
  const [member] = await ctx.db.select().from(users).where(eq(users.id, memberId))
  if (!member) throw fail('account_missing')
  await give(ctx, user, { ...wish, member, account: member.nickName })
}

async function give(
  ctx: Context,
  user: SessionUser,
  { id, member, account, permission, withPatients }: Wish & { member: UserRow; account: string },
): Promise<string> {
  await requireWord(ctx, [id], { withPatients })
  const shareId = newId()
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    const entry = await requireEntry(tx, user, id)
    await requireThere(tx, member.id)
    await requireFree(ctx, tx, { user, entryId: id, member })
    await tx.insert(shares).values({
      id: shareId,
      entryId: id,
      ownerId: user.id,
      userId: member.id,
      account,
      permission,
      withPatients,
      sharedAt: ctx.now(),
    })
    await requireRoomToShare(ctx, tx, { ownerId: user.id, id })
    const detail = { with: 'account', to: member.nickName, permission }
    await record(ctx, tx, [{ action: 'share', actorId: user.id, entry, detail }])
    const params = { owner: user.nickName, name: entry.name }
    await tell(ctx, tx, [{ userId: member.id, kind: 'shared_with_you', params }])
  })
  return shareId
}

export async function changeShare(
  ctx: Context,
  { shareId, permission }: Parsed<'files/changeShare'>,
  { user }: Caller,
): Promise<Answer<'files/changeShare'>> {
  const changed = await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    const [before] = await ownShares(tx, user, [shareId])
    if (!before) throw fail('missing')
    await tx.update(shares).set({ permission }).where(eq(shares.id, shareId))
    // Uploads under way look at their right again.
    await accessChanged(tx, [user.id])
    await record(ctx, tx, [deedOf('share', user, before, { permission })])
    return before.share
  })
  await tellRecipient(ctx, changed)
  return shareOf(ctx, user, shareId)
}

export async function unshare(
  ctx: Context,
  { shareIds }: Parsed<'files/unshare'>,
  { user }: Caller,
): Promise<Answer<'files/unshare'>> {
  const wanted = [...new Set(shareIds)]
  const withdrawn = await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    const before = await ownShares(tx, user, wanted)
    if (before.length < wanted.length) throw fail('missing')
    await tx.delete(shares).where(inArray(shares.id, wanted))
    await accessChanged(tx, [user.id])
    await record(
      ctx,
      tx,
      before.map((one) => deedOf('unshare', user, one)),
    )
    const notices = before.flatMap(({ share: { userId }, entry: { name } }) =>
      userId === null
        ? []
        : [{ userId, kind: 'share_withdrawn' as const, params: { owner: user.nickName, name } }],
    )
    await tell(ctx, tx, notices)
    return before
  })
  for (const { share } of withdrawn) await tellRecipient(ctx, share)
  return { withdrawn: withdrawn.length }
}

export async function leaveShare(
  ctx: Context,
  { shareId }: Parsed<'files/leaveShare'>,
  { user }: Caller,
): Promise<Answer<'files/leaveShare'>> {
  const ownerId = await ctx.db.transaction(async (tx) => {
    const [left] = await tx
      .delete(shares)
      .where(and(eq(shares.id, shareId), eq(shares.userId, user.id)))
      .returning()
    if (!left) throw fail('missing')
    const [entry] = await tx.select().from(files).where(eq(files.id, left.entryId))
    await accessChanged(tx, [left.ownerId])
    if (entry) await record(ctx, tx, [{ action: 'leave', actorId: user.id, entry }])
    return left.ownerId
  })
  await ctx.live.passing({ kind: 'user', id: ownerId }, 'files', {})
  return {}
}

async function requireFree(
  ctx: Context,
  tx: Tx,
  { user, entryId, member }: { user: SessionUser; entryId: string; member: UserRow },
): Promise<void> {
  const rows = await tx
    .select({ userId: shares.userId })
    .from(shares)
    .where(and(eq(shares.entryId, entryId), isNull(shares.groupId)))
  await requireNew(tx, member, entryId)
  const limit = plans.limitsOf(ctx, user).shareAccounts
  if (limit !== null && rows.length >= limit) throw fail('share_limit', { limit })
}

async function requireNew(tx: Tx, { id, nickName: name }: UserRow, entryId: string): Promise<void> {
  const given = await givenAbove(tx, eq(shares.userId, id), entryId)
  if (!given) return
  throw given.id === entryId
    ? fail('share_twice', { name })
    : fail('share_above', { name, folder: given.folder })
}

type GivenShare = {
  share: ShareRow
  entry: { id: string; ownerId: string; name: string }
  to: string | null
  group: string | null
}

/** Also of what is in the recycle station. */
const ownShares = (tx: Tx, user: SessionUser, ids: readonly string[]): Promise<GivenShare[]> =>
  tx
    .select({
      share: shares,
      entry: { id: files.id, ownerId: files.ownerId, name: files.name },
      to: users.nickName,
      group: groups.name,
    })
    .from(shares)
    .innerJoin(files, eq(files.id, shares.entryId))
    .leftJoin(users, eq(users.id, shares.userId))
    .leftJoin(groups, eq(groups.id, shares.groupId))
    .where(and(inArray(shares.id, [...ids]), eq(shares.ownerId, user.id)))

function deedOf(
  action: 'share' | 'unshare',
  user: SessionUser,
  { entry, to, group }: GivenShare,
  detail: { permission?: string } = {},
): Deed {
  const recipient = group === null ? { with: 'account', to: to ?? '' } : { with: 'group', to: group }
  return { action, actorId: user.id, entry, detail: { ...recipient, ...detail } }
}

async function tellRecipient(ctx: Context, { userId, groupId }: ShareRow): Promise<void> {
  if (userId !== null) await ctx.live.passing({ kind: 'user', id: userId }, 'files', {})
  if (groupId !== null) await tellGroup(ctx, groupId)
}

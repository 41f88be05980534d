/** Folders that are given to a service provider for as long as an order lasts. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import type { UserRow } from '../../accounts/tables.ts'
import { requireRoomToShare } from '../../plans/access.ts'
import * as plans from '../../plans/service.ts'
import { record } from '../records/records.ts'
import { accessChanged } from '../sending.ts'
import { files } from '../tables.ts'
import { shares } from './tables.ts'

export type GivenEntry = { entryId: string; withPatients: boolean }
type Giving = { owner: UserRow; member: { id: string; nickName: string }; entries: readonly GivenEntry[] }

/**
 * Shares the entries that their owner still has, to be looked at, and returns the new share of each; none of what the
 * member has by another share already, which stays as it is. Without the lock of the cloud, because the owner's row is held.
 */
export async function giveForOrder(
  ctx: Context,
  tx: Tx,
  { owner, member, entries }: Giving,
): Promise<Map<string, string>> {
  const given = new Map<string, string>()
  const ids = entries.map(({ entryId }) => entryId)
  const live = await tx
    .select()
    .from(files)
    .where(and(inArray(files.id, ids), eq(files.ownerId, owner.id), isNull(files.recycledAt)))
  for (const entry of live) {
    const withPatients = entries.find(({ entryId }) => entryId === entry.id)?.withPatients ?? false
    const [share] = await tx
      .insert(shares)
      .values({
        ...{ id: newId(), entryId: entry.id, ownerId: owner.id, userId: member.id, account: member.nickName },
        ...{ permission: 'view', withPatients, sharedAt: ctx.now() },
      })
      .onConflictDoNothing()
      .returning()
    if (share) given.set(entry.id, share.id)
  }
  const shared = live.filter(({ id }) => given.has(id))
  const detail = { with: 'account', to: member.nickName, permission: 'view' }
  await record(
    ctx,
    tx,
    shared.map((entry) => ({ action: 'share', actorId: owner.id, entry, detail })),
  )
  return given
}

/** Refuses what the owner's level does not share, before anything is paid; what is tried here is undone. */
export async function requireGiveable(ctx: Context, tx: Tx, giving: Giving): Promise<void> {
  const { owner, entries } = giving
  if (entries.length === 0) return
  plans.requireSharer(ctx, owner)
  const limit = plans.limitsOf(ctx, owner).shareAccounts
  for (const { entryId } of entries) {
    const isOfEntry = and(eq(shares.entryId, entryId), isNull(shares.groupId))
    if (limit !== null && (await tx.$count(shares, isOfEntry)) >= limit) throw fail('share_limit', { limit })
  }
  const undo = new Error('Only tried')
  await tx
    .transaction(async (tried) => {
      const given = await giveForOrder(ctx, tried, giving)
      for (const id of given.keys()) await requireRoomToShare(ctx, tried, { ownerId: owner.id, id })
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
}

/** Ends what was given for an order; nothing of what its owner withdrew before. */
export async function endGiven(
  ctx: Context,
  tx: Tx,
  { shareIds, to }: { shareIds: readonly string[]; to: string },
): Promise<void> {
  if (shareIds.length === 0) return
  const ended = await tx
    .delete(shares)
    .where(inArray(shares.id, [...shareIds]))
    .returning()
  if (ended.length === 0) return
  const entries = await tx
    .select()
    .from(files)
    .where(
      inArray(
        files.id,
        ended.map(({ entryId }) => entryId),
      ),
    )
  await accessChanged(tx, [...new Set(ended.map(({ ownerId }) => ownerId))])
  await record(
    ctx,
    tx,
    entries.map((entry) => ({ action: 'unshare', actorId: null, entry, detail: { with: 'account', to } })),
  )
}

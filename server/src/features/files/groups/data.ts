import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { requireRoomToShare } from '../../plans/access.ts'
import * as plans from '../../plans/service.ts'
import { requireEntries } from '../access.ts'
import { requireWord } from '../patients/patients.ts'
import { record } from '../records/records.ts'
import { accessChanged } from '../sending.ts'
import { givenAbove } from '../sharing/above.ts'
import { selectShares, sharedPage } from '../sharing/lists.ts'
import { tellGroup } from '../sharing/news.ts'
import { shares } from '../sharing/tables.ts'
import { files } from '../tables.ts'
import { lockCloud } from '../tree.ts'
import { requireGroup } from './access.ts'

export async function groupData(
  ctx: Context,
  { groupId, after }: Parsed<'files/groupData'>,
  caller: Caller,
): Promise<Answer<'files/groupData'>> {
  const group = await requireGroup(ctx.db, caller.user, groupId)
  const { shown, next } = await sharedPage(ctx, caller, { where: eq(shares.groupId, groupId), after })
  const { id } = caller.user
  return {
    shared: shown.map(({ ownerId, ...one }) => ({
      ...one,
      canWithdraw: ownerId === id || group.ownerId === id,
    })),
    next,
  }
}

export async function giveToGroup(
  ctx: Context,
  { groupId, ids, permission, withPatients }: Parsed<'files/giveToGroup'>,
  { user }: Caller,
): Promise<Answer<'files/giveToGroup'>> {
  plans.requireSharer(ctx, user)
  const wanted = [...new Set(ids)]
  // Whose they are is asked first: nobody learns what is in others' files.
  await requireGroup(ctx.db, user, groupId, 'share')
  await requireEntries(ctx.db, user, wanted)
  await requireWord(ctx, wanted, { withPatients })
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    const group = await requireGroup(tx, user, groupId, 'share')
    const entries = await requireEntries(tx, user, wanted)
    for (const id of wanted) {
      const given = await givenAbove(tx, eq(shares.groupId, groupId), id)
      if (given?.id === id) throw fail('share_twice', { name: group.name })
      if (given) throw fail('share_above', { name: group.name, folder: given.folder })
    }
    await tx.insert(shares).values(
      entries.map(({ id: entryId }) => ({
        id: newId(),
        entryId,
        ownerId: user.id,
        groupId,
        permission,
        withPatients,
        sharedAt: ctx.now(),
      })),
    )
    for (const id of wanted) await requireRoomToShare(ctx, tx, { ownerId: user.id, id })
    const detail = { with: 'group', to: group.name, permission }
    await record(
      ctx,
      tx,
      entries.map((entry) => ({ action: 'share', actorId: user.id, entry, detail })),
    )
  })
  await tellGroup(ctx, groupId)
  return {
    shares: await selectShares(ctx, and(eq(shares.groupId, groupId), inArray(shares.entryId, wanted))),
  }
}

export async function takeFromGroup(
  ctx: Context,
  { groupId, shareId }: Parsed<'files/takeFromGroup'>,
  { user }: Caller,
): Promise<Answer<'files/takeFromGroup'>> {
  await ctx.db.transaction(async (tx) => {
    const group = await requireGroup(tx, user, groupId, 'share')
    const ofGroup = and(eq(shares.id, shareId), eq(shares.groupId, groupId))
    const [found] = await tx
      .select({ entry: { id: files.id, ownerId: files.ownerId, name: files.name } })
      .from(shares)
      .innerJoin(files, eq(files.id, shares.entryId))
      .where(ofGroup)
      .for('update', { of: shares })
    if (!found) throw fail('missing')
    if (found.entry.ownerId !== user.id && group.ownerId !== user.id) throw fail('not_allowed')
    await tx.delete(shares).where(ofGroup)
    await accessChanged(tx, [found.entry.ownerId])
    const detail = { with: 'group', to: group.name }
    await record(ctx, tx, [{ action: 'unshare', actorId: user.id, entry: found.entry, detail }])
  })
  await tellGroup(ctx, groupId)
  return {}
}

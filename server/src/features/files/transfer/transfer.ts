import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { requireEntries, requireInside } from '../access.ts'
import { lockFolder, type Owner } from '../cloud-lock.ts'
import { type Deed, record } from '../records/records.ts'
import { recycle } from '../recycle/recycle.ts'
import { requireRoomAtTop } from '../room-at-top.ts'
import { accessChanged } from '../sending.ts'
import type { FileRow } from '../tables.ts'
import { ancestorsOf, depthOf, folderNames, heightOf, topmost } from '../tree.ts'
import { insertCopies } from './copy.ts'
import { moveIn } from './move.ts'
import { idsOf, planTransfer, type TransferPlan } from './transfer-plan.ts'

/**
 * Within one cloud only. Between two nothing moves: what belongs to whom is not an editor's to change, and what an
 * owner gave to read must not vanish from under it. There one copies, and removes what is one's own.
 */
export async function move(
  ctx: Context,
  { ids, targetId, sameName }: Parsed<'files/move'>,
  { user }: Caller,
): Promise<Answer<'files/move'>> {
  return ctx.db.transaction(async (tx) => {
    const owner = await lockFolder(tx, user, targetId)
    const entries = await requireInside(tx, user, ids)
    if (entries.some(({ ownerId }) => ownerId !== owner.id)) throw fail('not_allowed')
    const leaving = (await topmost(tx, entries)).filter(({ parentId }) => parentId !== targetId)
    const plan = await planInto(tx, { entries: leaving, owner, targetId, sameName })
    if (plan.conflicts.length > 0) return { conflicts: plan.conflicts, done: 0 }
    await requireRoom(ctx, tx, { owner, plan })
    const deeds = await deedsOf(tx, { action: 'move', actorId: user.id, targetId, plan })
    await recycle(ctx, tx, { owner, entries: plan.replaced })
    await moveIn(tx, plan)
    await record(
      ctx,
      tx,
      deeds.map((deed) => ({ ...deed, entry: { ...deed.entry, ownerId: owner.id } })),
    )
    await accessChanged(tx, [owner.id])
    return { conflicts: [], done: plan.going.length }
  })
}

/** The copy belongs to whose folder it goes to, and takes that member's space. */
export async function copy(
  ctx: Context,
  { ids, targetId, sameName }: Parsed<'files/copy'>,
  { user }: Caller,
): Promise<Answer<'files/copy'>> {
  return ctx.db.transaction(async (tx) => {
    const owner = await lockFolder(tx, user, targetId)
    const entries = await topmost(tx, await requireEntries(tx, user, ids, 'view'))
    const plan = await planInto(tx, { entries, owner, targetId, sameName })
    if (plan.conflicts.length > 0) return { conflicts: plan.conflicts, done: 0 }
    await requireRoom(ctx, tx, { owner, plan })
    const deeds = await deedsOf(tx, { action: 'copy', actorId: user.id, targetId, plan })
    await recycle(ctx, tx, { owner, entries: plan.replaced })
    const copies = await insertCopies(ctx, tx, { owner, actorId: user.id, plan })
    const ownerOf = new Map(entries.map(({ id, ownerId }) => [id, ownerId]))
    await record(
      ctx,
      tx,
      deeds.flatMap((deed) => {
        const sourceOwner = ownerOf.get(deed.entry.id) ?? owner.id
        const made = {
          ...deed,
          entry: { ...deed.entry, id: copies.get(deed.entry.id) ?? '', ownerId: owner.id },
        }
        // Whose data it was sees it as well, without where to.
        const { to, ...detail } = deed.detail
        const taken = { ...deed, entry: { ...deed.entry, ownerId: sourceOwner }, detail }
        return sourceOwner === owner.id ? [made] : [made, taken]
      }),
    )
    return { conflicts: [], done: plan.going.length }
  })
}

type Into = {
  entries: readonly FileRow[]
  owner: Owner
  targetId: string | null
  sameName: Parsed<'files/move'>['sameName']
}

async function planInto(tx: Tx, { entries, owner, targetId, sameName }: Into): Promise<TransferPlan> {
  const above = targetId === null ? [] : ((await ancestorsOf(tx, [targetId])).get(targetId) ?? [])
  const inside = new Set(targetId === null ? [] : [targetId, ...above])
  if (entries.some(({ id }) => inside.has(id))) throw fail('folder_into_itself')
  const depth = (await depthOf(tx, targetId)) + (await heightOf(tx, idsOf(entries)))
  if (depth > limits.depth) throw fail('too_deep', { limit: limits.depth })
  return planTransfer(tx, { entries, ownerId: owner.id, targetId, sameName })
}

async function requireRoom(
  ctx: Context,
  tx: Tx,
  { owner, plan }: { owner: Owner; plan: TransferPlan },
): Promise<void> {
  const atTop = plan.placed.filter(({ folderId, kind }) => folderId === null && kind === 'folder').length
  if (atTop > 0) await requireRoomAtTop(ctx, tx, { caller: { user: owner }, folders: atTop })
}

type Told = Omit<Deed, 'entry' | 'detail'> & {
  entry: { id: string; name: string }
  detail: Record<string, string | number>
}

/** One for each chosen thing, with the names of the folders at that time; '' is the top. */
async function deedsOf(
  tx: Tx,
  {
    action,
    actorId,
    targetId,
    plan,
  }: { action: 'move' | 'copy'; actorId: string; targetId: string | null; plan: TransferPlan },
): Promise<Told[]> {
  const names = await folderNames(tx, [targetId, ...plan.going.map(({ parentId }) => parentId)])
  const [first] = plan.going
  return plan.going.map((entry) => ({
    action,
    actorId,
    entry,
    detail: {
      from: names.get(entry.parentId ?? '') ?? '',
      to: names.get(targetId ?? '') ?? '',
      ...(entry.kind === 'folder' ? { count: entry.fileCount } : {}),
      ...(entry === first && plan.replaced.length > 0 ? { replaced: plan.replaced.length } : {}),
    },
  }))
}

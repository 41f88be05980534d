/** The folders that work is about: named with the demand, seen by its provider from the payment to the end alone. */
import type { DemandData } from '@neuroloom/contract/market/demand'
import { demandStates, isUnderWay } from '@neuroloom/contract/market/states'
import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { type UserRow, users } from '../accounts/tables.ts'
import { requireFolder } from '../files/access.ts'
import { endGiven, giveForOrder, requireGiveable, requireWord } from '../files/service.ts'
import { files } from '../files/tables.ts'
import { type DemandRow, demandData, demands } from './tables.ts'

/** Own folders alone; those with files that name their patient only with the owner's word. */
export async function requireData(
  ctx: Context,
  user: SessionUser,
  { folderIds, withPatients }: { folderIds: readonly string[]; withPatients: boolean },
): Promise<void> {
  const wanted = [...new Set(folderIds)]
  for (const id of wanted) await requireFolder(ctx.db, user, id, 'own')
  if (wanted.length > 0) await requireWord(ctx, wanted, { withPatients })
}

export async function keepData(
  tx: Tx,
  {
    demandId,
    folderIds,
    withPatients,
  }: { demandId: string; folderIds: readonly string[]; withPatients: boolean },
): Promise<void> {
  await tx.delete(demandData).where(eq(demandData.demandId, demandId))
  const rows = [...new Set(folderIds)].map((entryId, position) => ({
    ...{ demandId, entryId, withPatients, position },
  }))
  if (rows.length > 0) await tx.insert(demandData).values(rows)
}

type Provider = { id: string; nickName: string }

export async function requireDataGiveable(
  ctx: Context,
  tx: Tx,
  { demandId, owner, provider }: { demandId: string; owner: UserRow; provider: Provider },
): Promise<void> {
  const entries = await tx.select().from(demandData).where(eq(demandData.demandId, demandId))
  await requireGiveable(ctx, tx, { owner, member: provider, entries })
}

/** From the payment on. */
export async function giveData(
  ctx: Context,
  tx: Tx,
  { demandId, owner, providerId }: { demandId: string; owner: UserRow; providerId: string },
): Promise<void> {
  const entries = await tx.select().from(demandData).where(eq(demandData.demandId, demandId))
  const [member] = await tx.select().from(users).where(eq(users.id, providerId))
  if (!member || entries.length === 0) return
  const given = await giveForOrder(ctx, tx, { owner, member, entries })
  for (const [entryId, shareId] of given)
    await tx
      .update(demandData)
      .set({ shareId })
      .where(and(eq(demandData.demandId, demandId), eq(demandData.entryId, entryId)))
}

/** With the order: after the last acceptance, a decision, or when the provider gave up. */
export async function endData(ctx: Context, tx: Tx, { id, providerId }: DemandRow): Promise<void> {
  const rows = await tx.select().from(demandData).where(eq(demandData.demandId, id))
  const [member] = await tx
    .select({ nickName: users.nickName })
    .from(users)
    .where(eq(users.id, providerId ?? ''))
  const shareIds: string[] = []
  for (const { entryId, shareId } of rows)
    if (shareId !== null && !(await handOver(tx, { demandId: id, entryId, shareId, providerId })))
      shareIds.push(shareId)
  await endGiven(ctx, tx, { shareIds, to: member?.nickName ?? '' })
}

type Given = { demandId: string; entryId: string; shareId: string; providerId: string | null }

/** Another order under way may be about the same folder, with the same provider: then the share goes on for that. */
async function handOver(tx: Tx, { demandId, entryId, shareId, providerId }: Given): Promise<boolean> {
  const [other] = await tx
    .select({ id: demands.id })
    .from(demandData)
    .innerJoin(demands, eq(demands.id, demandData.demandId))
    .where(
      and(
        ...[eq(demandData.entryId, entryId), ne(demands.id, demandId)],
        ...[eq(demands.providerId, providerId ?? ''), inArray(demands.state, underWay)],
      ),
    )
    .limit(1)
    // One that ends at this moment is waited for.
    .for('update', { of: demands })
  if (!other) return false
  await tx
    .update(demandData)
    .set({ shareId })
    .where(and(eq(demandData.demandId, other.id), eq(demandData.entryId, entryId)))
  return true
}

const underWay = demandStates.filter(isUnderWay)

/** For the owner, and for the provider while it has them. */
export const dataOf = (db: Db, demandId: string): Promise<DemandData[]> =>
  db
    .select({ id: demandData.entryId, name: files.name })
    .from(demandData)
    .innerJoin(files, and(eq(files.id, demandData.entryId), isNull(files.recycledAt)))
    .where(eq(demandData.demandId, demandId))
    .orderBy(asc(demandData.position))

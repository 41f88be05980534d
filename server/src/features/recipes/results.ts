import type { PrepareReason } from '@neuroloom/contract/recipes/recipe'
import { and, eq } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { requireEntries, requireFolder } from '../files/access.ts'
import {
  addFiles,
  childrenOf,
  folderAt,
  lockCloud,
  type MadeFile,
  makeFolder,
  numberedName,
  ownerOf,
  queueCheck,
  requireRoomAtTop,
  type Target,
  targetOf,
} from '../files/service.ts'
import * as plans from '../plans/service.ts'
import { leases, returnSpace } from './lease.ts'
import { folderOf } from './roles.ts'
import { type ItemMade, type ItemRow, type PreparationRow, preparationItems, preparations } from './tables.ts'

/** What became of an item: stored already, seen by nobody yet. */
export type Outcome = {
  item: ItemRow
  reason: PrepareReason | null
  before: ItemRow['before']
  made: (ItemMade & MadeFile)[]
}

/** Works on groups give one file beside the first, all others a folder with the folders of the source. */
export const isSingle = ({ work }: Pick<PreparationRow, 'work'>): boolean =>
  work.kind === 'merge' && work.as !== 'folder'

/** In one step seen, counted and written down. */
export async function keepOutcomes(
  ctx: Context,
  row: PreparationRow,
  outcomes: readonly Outcome[],
): Promise<void> {
  const bytes = bytesOf(outcomes)
  const place = await placeOf(ctx, row)
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, place.ownerId)
    await leases.hold(tx, row)
    // It may have gone, or the right to it, while the work went on.
    if (place.parentId !== null) await requireFolder(tx, { id: row.ownerId }, place.parentId, 'edit')
    await returnSpace(tx, eq(preparations.id, row.id))
    const owner = await ownerOf(tx, place)
    await plans.reserve(ctx, tx, owner, bytes)
    const target = await rootOf(ctx, tx, row, { place, hasSome: bytes > 0 || outcomes.some(isMade) })
    const kept: Outcome[] = []
    for (const [path, some] of byFolder(outcomes))
      kept.push(...(await putDown(ctx, tx, row, { target, path, outcomes: some })))
    await plans.commit(tx, place.ownerId, { reservedBytes: bytes, usedBytes: bytesOf(kept) })
    for (const { item, reason, before, made } of kept) {
      const state = reason === null ? ('done' as const) : ('failed' as const)
      const told = made.map(({ sha256: _, sizeBytes: __, ...one }) => one)
      await tx.update(preparationItems).set({ state, reason, before, made: told }).where(isItem(item))
    }
  })
  queueCheck(ctx, place.ownerId)
}

const bytesOf = (outcomes: readonly Outcome[]): number =>
  outcomes.flatMap(({ made }) => made).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
const isMade = ({ made }: Outcome): boolean => made.length > 0
const isItem = ({ preparationId, position }: ItemRow) =>
  and(eq(preparationItems.preparationId, preparationId), eq(preparationItems.position, position))

/** Sets aside as much as the sources take, before anything is made: what will not fit fails early. */
export async function reserveFor(ctx: Context, row: PreparationRow, bytes: number): Promise<void> {
  const place = await placeOf(ctx, row)
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    await returnSpace(tx, eq(preparations.id, row.id))
    await plans.reserve(ctx, tx, await ownerOf(tx, place), bytes)
    await tx
      .update(preparations)
      .set({ reservedFor: place.ownerId, reservedBytes: bytes })
      .where(eq(preparations.id, row.id))
  })
}

/** Beside the source, or where an earlier attempt began. */
async function placeOf(ctx: Context, { id, ownerId, sourceId }: PreparationRow): Promise<Target> {
  const [row] = await ctx.db.select().from(preparations).where(eq(preparations.id, id))
  const member = { id: ownerId }
  if (row?.resultId != null) {
    const [result] = await requireEntries(ctx.db, member, [row.resultId], 'edit').catch(() => [])
    if (result?.kind === 'folder') return { ownerId: result.ownerId, parentId: result.id }
    if (!result) await ctx.db.update(preparations).set({ resultId: null }).where(eq(preparations.id, id))
  }
  const [source] = sourceId === null ? [] : await requireEntries(ctx.db, member, [sourceId], 'view')
  if (!source) throw fail('missing')
  return targetOf(ctx, ownerId, source)
}

/** The new folder, made with the first of its files. */
async function rootOf(
  ctx: Context,
  tx: Tx,
  row: PreparationRow,
  { place, hasSome }: { place: Target; hasSome: boolean },
): Promise<Target> {
  const [now] = await tx.select().from(preparations).where(eq(preparations.id, row.id))
  if (isSingle(row) || !hasSome || now?.resultId != null) return place
  if (place.parentId === null)
    await requireRoomAtTop(ctx, tx, { caller: { user: await ownerOf(tx, place) }, folders: 1 })
  const { id, name } = await makeFolder(ctx, tx, {
    memberId: row.ownerId,
    target: place,
    name: row.resultName,
  })
  await tx.update(preparations).set({ resultId: id, resultName: name }).where(eq(preparations.id, row.id))
  return { ownerId: place.ownerId, parentId: id }
}

function byFolder(outcomes: readonly Outcome[]): Map<string, Outcome[]> {
  const groups = new Map<string, Outcome[]>()
  for (const one of outcomes) {
    const path = folderOf(one.item.path).join('/')
    groups.set(path, [...(groups.get(path) ?? []), one])
  }
  return groups
}

type Down = { target: Target; path: string; outcomes: readonly Outcome[] }

/** A second file of a name is told so; nothing that is there is ever replaced. */
async function putDown(
  ctx: Context,
  tx: Tx,
  row: PreparationRow,
  { target, path, outcomes }: Down,
): Promise<Outcome[]> {
  if (!outcomes.some(isMade)) return [...outcomes]
  const memberId = row.ownerId
  const names = isSingle(row) || path === '' ? [] : path.split('/')
  const parentId = await folderAt(ctx, tx, { memberId, target, path: names })
  const taken = new Set((await childrenOf(tx, target.ownerId, [parentId])).map(({ name }) => name))
  const kept = outcomes.map((outcome): Outcome => {
    const twice = isSingle(row) ? undefined : outcome.made.find(({ name }) => taken.has(name))
    if (twice) {
      const reason = { name: 'name_taken' as const, params: { file: twice.name } }
      return { ...outcome, reason, made: [] }
    }
    const made = isSingle(row)
      ? outcome.made.map((one) => ({ ...one, name: singleName(row, one, taken) }))
      : outcome.made
    for (const { name } of made) taken.add(name)
    return { ...outcome, made }
  })
  const [first] = await addFiles(ctx, tx, {
    memberId,
    target: { ownerId: target.ownerId, parentId },
    made: kept.flatMap(({ made }) => made),
  })
  if (isSingle(row) && first !== undefined) {
    const name = kept[0]?.made[0]?.name ?? row.resultName
    await tx
      .update(preparations)
      .set({ resultId: first, resultName: name })
      .where(eq(preparations.id, row.id))
  }
  return kept
}

/** What was asked for, with the ending that tells the truth. */
function singleName(row: PreparationRow, { name }: { name: string }, taken: ReadonlySet<string>): string {
  const ending = /(\.nii\.gz|\.[^.]+)$/i.exec(name)?.[0] ?? ''
  const isTaken = (one: string): boolean => taken.has(one + ending)
  const stem = row.resultName.toLowerCase().endsWith(ending.toLowerCase())
    ? row.resultName.slice(0, row.resultName.length - ending.length)
    : row.resultName
  return (isTaken(stem) ? numberedName({ name: stem, kind: 'folder' }, isTaken) : stem) + ending
}

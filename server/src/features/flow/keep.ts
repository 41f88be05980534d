/** The bytes of studies: set aside before they are made, counted against the owner's space while they are there. */
import type { FlowProblem, FlowStudy } from '@neuroloom/contract/flow/study'
import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { addBlob } from '../../infra/storage/blobs.ts'
import { ownerOf, storeMade } from '../files/service.ts'
import * as plans from '../plans/service.ts'
import { leases, returnSpace } from './lease.ts'
import { flowSharpenings } from './sharpen/tables.ts'
import { projectsWith } from './show.ts'
import { readHead } from './study-file.ts'
import { type FlowRow, flowStudies } from './tables.ts'

/** What will not fit fails before anything is made. */
export async function reserveFor(ctx: Context, row: FlowRow, bytes: number): Promise<void> {
  await ctx.room.require(bytes)
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    await plans.reserve(ctx, tx, await ownerOf(tx, row), bytes)
    await tx.update(flowStudies).set({ reservedBytes: bytes }).where(eq(flowStudies.id, row.id))
  })
}

/** Stored first, then, in one step, counted and ready; what it was made finer of is needed no longer. */
export async function keepStudy(
  ctx: Context,
  held: FlowRow,
  { path, interpolated, problems }: { path: string; interpolated?: string; problems: FlowProblem[] },
): Promise<void> {
  const head = await readHead(path)
  await requireMark(held, head, interpolated)
  const { sha256, ...stored } = await storeMade(ctx, path)
  const beside = interpolated === undefined ? null : await storeMade(ctx, interpolated)
  const interpolatedSha256 = beside?.sha256 ?? null
  // Both are the owner's; where they are the same bytes they are kept once and counted twice.
  const sizeBytes = stored.sizeBytes + (beside?.sizeBytes ?? 0)
  await ctx.db.transaction(async (tx) => {
    const row = await hold(tx, held)
    await returnSpace(tx, row)
    await plans.reserve(ctx, tx, await ownerOf(tx, row), sizeBytes)
    await plans.commit(tx, row.ownerId, { reservedBytes: sizeBytes, usedBytes: sizeBytes })
    for (const blob of [{ sha256, ...stored }, ...(beside ? [beside] : [])]) await addBlob(tx, blob)
    const made = { head, sha256, interpolatedSha256, sizeBytes, problems }
    await tx
      .update(flowStudies)
      .set({ state: 'ready', failure: null, leaseUntil: null, ...made })
      .where(eq(flowStudies.id, row.id))
    await tx.delete(flowSharpenings).where(eq(flowSharpenings.studyId, row.id))
  })
}

/** A study that a network made finer says so, and the interpolated one has the same grid; no other has either. */
async function requireMark(
  { sharpened }: FlowRow,
  head: FlowStudy,
  interpolated: string | undefined,
): Promise<void> {
  const marks = [head.sharpened?.runId, head.sharpened?.trainingId, head.sharpened?.weights]
  const asked = [sharpened?.runId, sharpened?.trainingId, sharpened?.weights]
  if (marks.join() !== asked.join()) throw new Error('A study does not say what made it')
  if ((interpolated !== undefined) !== (sharpened !== null))
    throw new Error('One of two studies was not made')
  if (interpolated === undefined) return
  const beside = await readHead(interpolated)
  const isSame = beside.size.join() === head.size.join() && beside.frames === head.frames
  if (!isSame || beside.sharpened) throw new Error('An interpolated study is not what it stands beside')
}

/** As it is now: what was set aside is written down in it alone. */
export async function hold(tx: Tx, held: FlowRow): Promise<FlowRow> {
  await leases.hold(tx, held)
  const [row] = await tx.select().from(flowStudies).where(eq(flowStudies.id, held.id))
  return row ?? held
}

/** Of a row that is held: the work is queued anew, and what an earlier one made is gone with that. */
export async function begin(
  tx: Tx,
  row: FlowRow,
  changes: Pick<FlowRow, 'step'> & Partial<FlowRow>,
): Promise<FlowRow> {
  await returnSpace(tx, row)
  await plans.free(tx, row.ownerId, row.sizeBytes)
  const [begun] = await tx
    .update(flowStudies)
    .set({
      ...{ state: 'waiting', failure: null, problems: [], attempts: 0, leaseUntil: null },
      ...{ head: null, sha256: null, interpolatedSha256: null, sizeBytes: 0, ...changes },
    })
    .where(eq(flowStudies.id, row.id))
    .returning()
  if (!begun) throw new Error('A study that was held is gone')
  return begun
}

/** Of a row that is held. Work under way loses its lease with it, and it leaves the projects that have it. */
export async function drop(ctx: Context, tx: Tx, row: FlowRow): Promise<void> {
  for (const { projectId } of await projectsWith(tx, row.id))
    await ctx.live.publish(tx, { kind: 'project', id: projectId }, 'changed', {})
  await returnSpace(tx, row)
  await plans.free(tx, row.ownerId, row.sizeBytes)
  await tx.delete(flowStudies).where(eq(flowStudies.id, row.id))
}

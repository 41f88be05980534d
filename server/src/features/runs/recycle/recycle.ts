import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { projects as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { latestTime } from '../../../infra/due.ts'
import { users } from '../../accounts/tables.ts'
import { accessChanged } from '../../files/service.ts'
import { requireRoomToShare } from '../../plans/access.ts'
import * as plans from '../../plans/service.ts'
import { projects } from '../../projects/tables.ts'
import { requireRun } from '../access.ts'
import { eraseRun } from '../erase.ts'
import { isModelIn, requireRoom } from '../models.ts'
import { requestStop } from '../service.ts'
import { showRun } from '../show.ts'
import { allRuns, type RunRow, runArtifacts, runs } from '../tables.ts'

/**
 * Gone for everybody at once, with all that it produced. One under way is stopped and keeps what it learned until then;
 * nobody is told, because the run is deleted, not stopped.
 */
export async function remove(
  ctx: Context,
  { id }: Parsed<'runs/remove'>,
  { user }: Caller,
): Promise<Answer<'runs/remove'>> {
  await ctx.db.transaction(async (tx) => {
    const { projectId } = await requireRun(tx, user, id, 'own')
    await requestStop(ctx, tx, { id, by: null })
    const recycledAt = await latestTime(ctx, tx)
    const removed = await tx
      .update(runs)
      .set({ recycledAt, clearsAt: plans.clearingOf(ctx, { recycledAt, clearsAt: null }, user) })
      .where(eq(runs.id, id))
      .returning({ id: runs.id })
    if (removed.length === 0) throw fail('run_missing')
    await accessChanged(tx, [user.id])
    await ctx.live.rightsChanged(tx, { kind: 'run', id })
    await tellProject(ctx, tx, projectId)
  })
  return { recycleDays: plans.limitsOf(ctx, user).recycleDays }
}

/** Those of a project that is in the recycle station itself come and go with it. */
export async function recycled(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'runs/recycled'>> {
  const rows = await ctx.db
    .select({ run: allRuns, project: projects.name, sizeBytes })
    .from(allRuns)
    .innerJoin(projects, eq(projects.id, allRuns.projectId))
    .where(isInStation(user.id))
    .orderBy(desc(allRuns.recycledAt), desc(allRuns.id))
    .limit(limits.recycledShown)
  return {
    runs: rows.map(({ run, project, sizeBytes: bytes }) => ({
      ...{ id: run.id, kind: run.kind, number: run.number, task: run.task },
      ...{ projectId: run.projectId, project, datasetName: run.datasetName, sizeBytes: bytes },
      recycledAt: (run.recycledAt ?? ctx.now()).toISOString(),
      clearsAt: plans.clearingOf(ctx, run, user).toISOString(),
    })),
    recycleDays: plans.limitsOf(ctx, user).recycleDays,
  }
}

/** With its number, its results and its tests; of a training if its owner may have one more. */
export async function restore(
  ctx: Context,
  { id }: Parsed<'runs/restore'>,
  { user }: Caller,
): Promise<Answer<'runs/restore'>> {
  await ctx.db.transaction(async (tx) => {
    // Against deleting it for good at the same moment.
    const [run] = await selectInStation(tx, and(isInStation(user.id), eq(allRuns.id, id))).for('update', {
      of: allRuns,
    })
    if (!run) throw fail('run_missing')
    // It freed its place when it was deleted, and somebody else may have taken that.
    const isModel = (await tx.$count(allRuns, and(eq(allRuns.id, id), isModelIn(allRuns)))) > 0
    if (isModel) await requireRoom(ctx, tx, user.id)
    await tx.update(allRuns).set({ recycledAt: null, clearsAt: null }).where(eq(allRuns.id, id))
    if (isModel) await requireRoomToShare(ctx, tx, { ownerId: user.id, id, comesBack: true })
    await tellProject(ctx, tx, run.projectId)
  })
  return showRun(ctx.db, id)
}

/** The member's own wish: for good. */
export async function purgeOwn(
  ctx: Context,
  { ids }: Parsed<'runs/purge'>,
  { user }: Caller,
): Promise<Answer<'runs/purge'>> {
  const chosen = ids === null ? undefined : inArray(allRuns.id, ids)
  const rows = await selectInStation(ctx.db, and(isInStation(user.id), chosen))
  if (ids !== null && rows.length < new Set(ids).size) throw fail('run_missing')
  let purged = 0
  for (const { id } of rows) if (await purgeOne(ctx, id, () => true)) purged += 1
  return { purged }
}

/** Deletes what has been in the recycle station for its time, wherever its project is meanwhile. */
export async function purge(ctx: Context): Promise<void> {
  const rows = await ctx.db
    .select({ id: allRuns.id, recycledAt: allRuns.recycledAt, clearsAt: allRuns.clearsAt, owner: users })
    .from(allRuns)
    .innerJoin(users, eq(users.id, allRuns.userId))
    .where(lte(allRuns.recycledAt, plans.soonestCleared(ctx)))
    .orderBy(asc(allRuns.recycledAt))
  for (const { owner, ...row } of rows) {
    const isDue = (found: Recycled): boolean => plans.clearingOf(ctx, found, owner) <= ctx.now()
    if (isDue(row)) await purgeOne(ctx, row.id, isDue)
  }
}

type Recycled = Pick<RunRow, 'recycledAt' | 'clearsAt'>

/** Each in a transaction of its own: what a crash leaves is still in the recycle station. False when it came back. */
async function purgeOne(ctx: Context, id: string, isDue: (run: Recycled) => boolean): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const [going] = await tx
      .select({ recycledAt: allRuns.recycledAt, clearsAt: allRuns.clearsAt })
      .from(allRuns)
      .where(and(eq(allRuns.id, id), isNotNull(allRuns.recycledAt)))
      .for('update')
    // Asked again: it may have come back, and have been removed anew.
    if (!going || !isDue(going)) return false
    await eraseRun(ctx, tx, id)
    return true
  })
}

const selectInStation = (db: Db, where: SQL | undefined) =>
  db
    .select({ id: allRuns.id, projectId: allRuns.projectId })
    .from(allRuns)
    .innerJoin(projects, eq(projects.id, allRuns.projectId))
    .where(where)

/** Over the join with projects. */
const isInStation = (userId: string): SQL | undefined =>
  and(eq(allRuns.userId, userId), isNotNull(allRuns.recycledAt), isNull(projects.recycledAt))

/** Of the files that came out of it. */
const sizeBytes = sql<number>`coalesce((
  select sum(${runArtifacts.sizeBytes}) from ${runArtifacts} where ${runArtifacts.runId} = ${allRuns.id}
), 0)`.mapWith(Number)

/** Its pages fetch anew. */
const tellProject = (ctx: Context, tx: Tx, id: string) =>
  ctx.live.publish(tx, { kind: 'project', id }, 'changed', {})

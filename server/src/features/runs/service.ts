import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { isOpen } from '@neuroloom/contract/run-states'
import { and, count, desc, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import type { CountTrainings } from '../networks/service.ts'
import type { ProjectPart } from '../projects/service.ts'
import { projects } from '../projects/tables.ts'
import { requireRun } from './access.ts'
import { archiveOf } from './archive.ts'
import { eraseRun } from './erase.ts'
import { isKeptModel } from './models.ts'
import { announce } from './queue/announce.ts'
import { wake } from './queue/queue.ts'
import { showRun } from './show.ts'
import { allRuns, isOpenRun, type RunRow, runEvidence, runs, trainings } from './tables.ts'

export { type Applied, appliedOf } from './applied.ts'
export { curvesOf, evidenceOf } from './compare/evidence.ts'
export { orders as groupOrders, testGroups } from './compare/groups.ts'
export { itemMetric } from './compare/tallies.ts'
export { coversOf } from './covers.ts'
export { findRuns } from './find.ts'
export { createForecaster } from './forecast.ts'
export type { RunKind, RunPlace } from './kinds.ts'
export { pictureUrl, resultName } from './links.ts'
export { readStored } from './manifests.ts'
export { keptModels } from './models.ts'
export { type PinnedImage, predict, predictPinned } from './predict/predict.ts'
export { predictByTool, recipeOfTraining, sourceOf } from './predict/predict-by-tool.ts'
export { CannotBegin, linkInto } from './queue/folder.ts'
export { pictureName, picturesOf } from './queue/outputs.ts'
export { positions } from './queue/queue.ts'
export { repeat } from './rerun.ts'
export { capacityOf } from './settings.ts'
export { showRun } from './show.ts'
export { type Division, divide } from './split.ts'
export { keepNetwork, queueRun, start } from './start.ts'
export type { Earlier } from './start-from.ts'
export { findTrained, test, testLent } from './testing.ts'
export { runJobs } from './told-jobs.ts'

export async function stop(
  ctx: Context,
  { id }: Parsed<'runs/stop'>,
  { user }: Caller,
): Promise<Answer<'runs/stop'>> {
  const run = await requireRun(ctx.db, user, id, 'edit')
  const isStopped = await ctx.db.transaction((tx) => requestStop(ctx, tx, { id: run.id, by: user.id }))
  if (!isStopped) throw fail('run_ended')
  return showRun(ctx.db, id)
}

/** Stops a run of any member; its people are told, because somebody else stopped it. */
export async function stopByOffice(
  ctx: Context,
  tx: Tx,
  { id, by }: { id: string; by: string },
): Promise<void> {
  const isStopped = await requestStop(ctx, tx, { id, by })
  if (!isStopped) throw fail('run_ended')
}

/** Puts a waiting run before all others, or back to the place that its member has. */
export async function prefer(
  ctx: Context,
  tx: Tx,
  { id, isPreferred }: { id: string; isPreferred: boolean },
): Promise<void> {
  const [run] = await tx.select({ state: runs.state }).from(runs).where(eq(runs.id, id)).for('update')
  if (!run) throw fail('missing')
  if (!isOpen(run)) throw fail('run_ended')
  await tx
    .update(runs)
    .set({ preferredAt: isPreferred ? ctx.now() : null })
    .where(eq(runs.id, id))
  await wake(tx)
}

/** False when the run has ended already. A run that never began ends here; any other ends with a worker. */
export async function requestStop(
  ctx: Context,
  tx: Tx,
  { id, by }: { id: string; by: string | null },
): Promise<boolean> {
  const [run] = await tx.select().from(runs).where(eq(runs.id, id)).for('update')
  if (!run || !isOpen(run)) return false
  // What an interrupted run learned lies in its checkpoint; only a worker can make weights of it.
  const hasBegun = run.attempt > 0
  const ended = { state: 'stopped', pauseRequested: false, endedAt: sql`now()` } as const
  const awake = run.state === 'paused' ? ({ state: 'queued' } as const) : {}
  const [after] = await tx
    .update(runs)
    .set({ stopRequested: true, stoppedBy: run.stoppedBy ?? by, ...(hasBegun ? awake : ended) })
    .where(eq(runs.id, id))
    .returning()
  if (after) await announce(ctx, tx, after)
  await wake(tx, run.state === 'running' ? `stop ${id}` : 'queued')
  return true
}

export const countTrainings: CountTrainings = async (db, network) => {
  const rows = await db
    .select({ version: runs.ownNetworkVersion, trainings: count() })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(
      and(
        eq(runs.network, network),
        inArray(runs.kind, trainings),
        isNotNull(runs.ownNetworkVersion),
        isNull(projects.recycledAt),
      ),
    )
    .groupBy(runs.ownNetworkVersion)
  return new Map(rows.map(({ version, trainings }) => [version ?? 0, trainings]))
}

export const projectPart: ProjectPart = {
  async summarise(db, projectIds) {
    if (projectIds.length === 0) return new Map()
    const [counted, latest] = await Promise.all([countRuns(db, projectIds), latestRuns(db, projectIds)])
    return new Map(
      counted.map(({ projectId, all, ...counts }) => {
        const last = latest.find((run) => run.projectId === projectId)
        const lastRun = last ? { id: last.id, state: last.state, score: last.score } : null
        return [projectId, { counts: { runs: all, ...counts }, lastRun }]
      }),
    )
  },
  async removed(ctx, tx, projectId) {
    const open = await tx
      .select({ id: runs.id })
      .from(runs)
      .where(and(eq(runs.projectId, projectId), isOpenRun))
      // All rows before the first announcement: workers lock in this order too, so nobody waits in a circle.
      .orderBy(runs.id)
      .for('update')
    for (const { id } of open) await requestStop(ctx, tx, { id, by: null })
  },
  archive: (ctx, project) => archiveOf(ctx, project.id),
  async purged(ctx, tx, projectId) {
    // Also those that were deleted before the project was.
    const going = await tx.select({ id: allRuns.id }).from(allRuns).where(eq(allRuns.projectId, projectId))
    for (const { id } of going) await eraseRun(ctx, tx, id)
  },
}

/** A finished test or flow run has its report, and so has a cross-validation that came to its end. */
const isReport = sql`${runs.state} = 'done' and (${runs.kind} in ('test', 'flow') or (
  ${runs.kind} = 'train' and ${runs.validation}->>'method' = 'kfold'
  and exists (select 1 from ${runEvidence} where ${runEvidence.runId} = ${runs.id})
))`

const countRuns = (db: Db, projectIds: string[]) =>
  db
    .select({
      projectId: runs.projectId,
      all: count(),
      models: sql<number>`count(*) filter (where ${isKeptModel})`.mapWith(Number),
      reports: sql<number>`count(*) filter (where ${isReport})`.mapWith(Number),
    })
    .from(runs)
    .where(inArray(runs.projectId, projectIds))
    .groupBy(runs.projectId)

const latestRuns = (
  db: Db,
  projectIds: string[],
): Promise<Pick<RunRow, 'id' | 'projectId' | 'state' | 'score'>[]> =>
  db
    .selectDistinctOn([runs.projectId], {
      id: runs.id,
      projectId: runs.projectId,
      state: runs.state,
      score: runs.score,
    })
    .from(runs)
    // A prediction has no result that a project could be judged by.
    .where(and(inArray(runs.projectId, projectIds), ne(runs.kind, 'predict')))
    .orderBy(runs.projectId, desc(runs.createdAt), desc(runs.number))

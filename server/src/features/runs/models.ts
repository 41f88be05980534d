import { openStates } from '@neuroloom/contract/run-states'
import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import type { SharedThings } from '../plans/access.ts'
import * as plans from '../plans/service.ts'
import { seenByOthersSince } from '../projects/access.ts'
import { projects } from '../projects/tables.ts'
import { type allRuns, isLearnedRow, type LearnedRow, runArtifacts, runs, trainings } from './tables.ts'

type Runs = typeof runs | typeof allRuns

const isKeptModelIn = (table: Runs): SQL => sql`${inArray(table.kind, trainings)} and exists (
  select 1 from ${runArtifacts} where ${runArtifacts.runId} = ${table.id} and ${runArtifacts.kind} = 'weights'
)`

/** A training whose weights are kept. */
export const isKeptModel = isKeptModelIn(runs)

/** Also while it is on its way, or two at once would both pass a limit. */
export const isModelIn = (table: Runs): SQL | undefined =>
  or(and(inArray(table.kind, trainings), inArray(table.state, openStates)), isKeptModelIn(table))

const isModel = isModelIn(runs)

/** Of these trainings those whose weights are kept, in live projects of the member. */
export async function keptModels(
  db: Db,
  ownerId: string,
  ids: readonly string[],
): Promise<Pick<LearnedRow, 'id' | 'task'>[]> {
  const rows = await db
    .select({ run: runs })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(
      and(inArray(runs.id, [...ids]), eq(runs.userId, ownerId), isNull(projects.recycledAt), isKeptModel),
    )
  return rows.map(({ run }) => run).filter(isLearnedRow)
}

/** Others have a model by a project that others see. */
export const sharedModels: SharedThings = async (_ctx, db, ownerId) => {
  const since = sql`greatest(${runs.createdAt}, ${seenByOthersSince})`.mapWith(runs.createdAt)
  const rows = await db
    .select({ id: runs.id, projectId: projects.id, since })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(and(eq(runs.userId, ownerId), isNotNull(seenByOthersSince), isModel))
  return rows.map(({ id, projectId, since: at }) => ({
    kind: 'models',
    key: id,
    ids: [id, projectId],
    since: at,
  }))
}

/**
 * Refuses a training when the plan of the project's owner keeps no further model, whoever starts it. Also makes the
 * starts of an owner queue up, so that the count is exact.
 */
export async function requireRoom(ctx: Context, tx: Tx, ownerId: string): Promise<void> {
  const [owner] = await tx.select().from(users).where(eq(users.id, ownerId))
  if (!owner) throw fail('project_missing')
  const limit = plans.limitsOf(ctx, owner).trainedModels
  if (limit === null) return
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`models ${ownerId}`}, 0))`)
  if ((await countModels(tx, ownerId)) >= limit) throw fail('plan_limit', { limit })
}

/** Trained networks of a member that are kept, or on their way. */
export async function countModels(db: Db, ownerId: string): Promise<number> {
  const [row] = await db
    .select({ kept: sql<number>`count(*)`.mapWith(Number) })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(and(eq(runs.userId, ownerId), isNull(projects.recycledAt), isModel))
  return row?.kept ?? 0
}

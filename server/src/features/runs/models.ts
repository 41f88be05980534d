import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import * as plans from '../plans/service.ts'
import { projects } from '../projects/tables.ts'
import { runArtifacts, runs } from './tables.ts'

/** A training whose weights are kept. */
export const isKeptModel: SQL = sql`${runs.kind} = 'train' and exists (
  select 1 from ${runArtifacts} where ${runArtifacts.runId} = ${runs.id} and ${runArtifacts.kind} = 'weights'
)`

/**
 * Refuses a training when the member's plan keeps no further model; those on their way count, or two at once would
 * both pass. Also makes a member's starts queue up, so that the count is exact.
 */
export async function requireRoom(ctx: Context, tx: Tx, user: SessionUser): Promise<void> {
  const limit = plans.limitsOf(ctx, user).trainedModels
  if (limit === null) return
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`models ${user.id}`}, 0))`)
  const onTheWay = sql`${runs.kind} = 'train' and ${runs.state} in ('queued', 'running')`
  const [row] = await tx
    .select({ kept: sql<number>`count(*)`.mapWith(Number) })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(and(eq(runs.userId, user.id), isNull(projects.recycledAt), sql`(${onTheWay} or (${isKeptModel}))`))
  if ((row?.kept ?? 0) >= limit) throw fail('plan_limit', { limit })
}

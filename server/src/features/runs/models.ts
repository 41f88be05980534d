import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import * as plans from '../plans/service.ts'
import { projects } from '../projects/tables.ts'
import { isOpenRun, runArtifacts, runs } from './tables.ts'

/** A training whose weights are kept. */
export const isKeptModel: SQL = sql`${runs.kind} = 'train' and exists (
  select 1 from ${runArtifacts} where ${runArtifacts.runId} = ${runs.id} and ${runArtifacts.kind} = 'weights'
)`

/**
 * Refuses a training when the plan of the project's owner keeps no further model, whoever starts it; those on their way
 * count, or two at once would both pass. Also makes the starts of an owner queue up, so that the count is exact.
 */
export async function requireRoom(ctx: Context, tx: Tx, ownerId: string): Promise<void> {
  const [owner] = await tx.select().from(users).where(eq(users.id, ownerId))
  if (!owner) throw fail('project_missing')
  const limit = plans.limitsOf(ctx, owner).trainedModels
  if (limit === null) return
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`models ${ownerId}`}, 0))`)
  const onTheWay = and(eq(runs.kind, 'train'), isOpenRun)
  const [row] = await tx
    .select({ kept: sql<number>`count(*)`.mapWith(Number) })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(and(eq(runs.userId, ownerId), isNull(projects.recycledAt), sql`(${onTheWay} or (${isKeptModel}))`))
  if ((row?.kept ?? 0) >= limit) throw fail('plan_limit', { limit })
}

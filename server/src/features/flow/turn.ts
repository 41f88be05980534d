/** Who may have something worked out of flow, and how many studies of a member wait at a time. */
import { flowLimits as limits, toolbox } from '@neuroloom/contract/limits'
import { hasTool } from '@neuroloom/contract/toolbox/toolbox'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { missingFlowPackages } from '../../infra/engine/packages.ts'
import * as plans from '../plans/service.ts'
import { flowStudies } from './tables.ts'

/** Work on the device asks for bronze, and nothing can be worked out of a study without Python's packages. */
export async function requireWork(ctx: Context, user: SessionUser): Promise<void> {
  if (!hasTool(plans.standingOf(ctx, user), toolbox.queueLevel)) throw fail('application_unavailable')
  await requirePackages(ctx)
}

export async function requirePackages(ctx: Context): Promise<void> {
  const missing = await missingFlowPackages(ctx.config.enginePython)
  if (missing.length > 0) throw fail('flow_packages', { packages: missing.join(', ') })
}

/** Two calls at once do not pass the limit together. */
export async function requireTurn(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`flow ${ownerId}`}, 0))`)
  const isOpen = inArray(flowStudies.state, ['waiting', 'running'])
  const open = await tx.$count(flowStudies, and(eq(flowStudies.ownerId, ownerId), isOpen))
  if (open >= limits.waiting) throw fail('flow_waiting', { limit: limits.waiting })
}

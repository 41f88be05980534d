import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, desc, eq, getTableColumns, isNotNull } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { requireProject } from '../../projects/access.ts'
import { requireRun } from '../../runs/access.ts'
import { curvesOf, showRun } from '../../runs/service.ts'
import { runArtifacts, runs } from '../../runs/tables.ts'
import { runFlowTraining } from './tables.ts'

export async function training(
  ctx: Context,
  { id }: Parsed<'flow/training'>,
  { user }: Caller,
): Promise<Answer<'flow/training'>> {
  await requireRun(ctx.db, user, id, 'view')
  // One moment: a run that ends between two questions would be done without results.
  return ctx.db.transaction(
    async (tx) => {
      const { asked, results } = getTableColumns(runFlowTraining)
      const [found] = await tx
        .select({ asked, results })
        .from(runFlowTraining)
        .where(eq(runFlowTraining.runId, id))
      // One that is no such training is not there by this name.
      if (!found) throw fail('run_missing')
      return { run: await showRun(tx, id), ...found, curves: await curvesOf(tx, id) }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** Of every training that left weights and results, also of one that was stopped. */
export async function sharpeners(
  ctx: Context,
  { projectId }: Parsed<'flow/sharpeners'>,
  { user }: Caller,
): Promise<Answer<'flow/sharpeners'>> {
  await requireProject(ctx.db, user, projectId, 'view')
  const rows = await ctx.db
    .select({ run: runs, results: runFlowTraining.results })
    .from(runs)
    .innerJoin(runFlowTraining, eq(runFlowTraining.runId, runs.id))
    .innerJoin(runArtifacts, and(eq(runArtifacts.runId, runs.id), eq(runArtifacts.kind, 'weights')))
    .where(and(eq(runs.projectId, projectId), isNotNull(runFlowTraining.results)))
    .orderBy(desc(runs.number))
  return {
    sharpeners: rows.flatMap(({ run, results }) => {
      if (results === null || run.endedAt === null) return []
      const { id, number, network, ownNetworkName: name, ownNetworkVersion: version, endedAt } = run
      const { factor, scores, gain, parts, wins } = results
      return {
        ...{ trainingId: id, number, network, factor, scores, gain, kept: parts.test, wins },
        ownNetwork: name === null || version === null ? null : { name, version },
        endedAt: endedAt.toISOString(),
      }
    }),
  }
}

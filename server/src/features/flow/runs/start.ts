import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { runProblems } from '@neuroloom/contract/flow/run-problems'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { flowWork } from '@neuroloom/contract/forecast'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { requireFile } from '../../files/access.ts'
import { requireProject } from '../../projects/access.ts'
import { queueRun, showRun } from '../../runs/service.ts'
import type { RunRow } from '../../runs/tables.ts'
import { type FlowRow, flowStudies } from '../tables.ts'
import { requirePackages } from '../turn.ts'
import { flowProjectStudies, runFlow } from './tables.ts'

/** By whoever may edit the project, on a study that is in it, whoever's it is. */
export async function start(
  ctx: Context,
  { projectId, studyId, asked }: Parsed<'flow/start'>,
  { user }: Caller,
): Promise<Answer<'flow/start'>> {
  const project = await requireProject(ctx.db, user, projectId, 'edit')
  if (project.task !== 'flow') throw fail('task_differs')
  const { head } = await requireReady(ctx.db, { projectId, studyId })
  const [problem] = runProblems(asked, head)
  if (problem) {
    const { field, reason, params } = problem
    throw fail('flow_options_refused', { field, reason, ...params })
  }
  await requirePackages(ctx)
  const run = await ctx.db.transaction(async (tx) => {
    const study = await requireReady(tx, { projectId, studyId })
    const mask = asked.mask.kind === 'file' ? await requireFile(tx, user, asked.mask.fileId, 'view') : null
    const row = await queueRun(ctx, tx, {
      ...{ userId: project.ownerId, startedBy: user.id, projectId, kind: 'flow', task: 'flow' },
      ...{ network: '', datasetId: null, datasetName: study.name, classes: [] },
      cost: flowWork(study.head),
    })
    await tx.insert(runFlow).values({
      ...{ runId: row.id, studyId, studyName: study.name, studySha256: study.sha256, head: study.head },
      ...{ maskSha256: mask?.sha256 ?? null, asked },
    })
    return row
  })
  return showRun(ctx.db, run.id)
}

type Ready = FlowRow & { head: FlowStudy; sha256: string }

async function requireReady(
  db: Context['db'],
  { projectId, studyId }: { projectId: string; studyId: string },
): Promise<Ready> {
  const [found] = await db
    .select({ study: flowStudies })
    .from(flowStudies)
    .innerJoin(flowProjectStudies, eq(flowProjectStudies.studyId, flowStudies.id))
    .where(and(eq(flowStudies.id, studyId), eq(flowProjectStudies.projectId, projectId)))
  if (!found) throw fail('study_missing')
  const { state, head, sha256 } = found.study
  if (state !== 'ready' || head === null || sha256 === null) throw fail('study_not_ready')
  return { ...found.study, head, sha256 }
}

/** The same study, mask and wishes under a new number, whatever became of the study since. */
export async function again(tx: Tx, { past, next }: { past: RunRow; next: RunRow }): Promise<void> {
  const [flow] = await tx.select().from(runFlow).where(eq(runFlow.runId, past.id))
  if (!flow) throw fail('data_gone')
  const { studyId, studyName, studySha256, head, maskSha256, asked } = flow
  await tx
    .insert(runFlow)
    .values({ runId: next.id, studyId, studyName, studySha256, head, maskSha256, asked })
}

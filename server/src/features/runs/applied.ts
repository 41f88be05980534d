/** A trained network that is applied: of a training here, or one that another feature keeps. */
import { and, eq } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { isLearnedRow, type LearnedRow, type RunRow, runArtifacts, runInputs } from './tables.ts'

export type Applied = Pick<LearnedRow, 'task' | 'classes' | 'hyper' | 'validation'> & {
  inputs: Pick<
    typeof runInputs.$inferSelect,
    'plan' | 'planHash' | 'networkText' | 'manifestSha256' | 'recipe'
  >
  weightsSha256: string
}

/** Refuses a training that has left no weights. */
export async function appliedOf(ctx: Context, run: RunRow): Promise<Applied> {
  const { inputs, weightsSha256 } = await requireTrained(ctx, run)
  if (!isLearnedRow(run)) throw fail('task_differs')
  const { task, classes, hyper, validation } = run
  return { task, classes, hyper, validation, inputs, weightsSha256 }
}

type Trained = { inputs: typeof runInputs.$inferSelect; weightsSha256: string }

/** A training that left weights; a test, or a training that learned nothing yet, cannot be tested. */
export async function requireTrained(ctx: Context, run: RunRow): Promise<Trained> {
  const weightsSha256 = await requireWeights(ctx, run)
  const [inputs] = await ctx.db.select().from(runInputs).where(eq(runInputs.runId, run.id))
  if (!inputs) throw fail('train_first')
  return { inputs, weightsSha256 }
}

export async function requireWeights(ctx: Context, run: RunRow): Promise<string> {
  const [weights] = await ctx.db
    .select()
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, run.id), eq(runArtifacts.kind, 'weights')))
  if (run.kind !== 'train' || !weights) throw fail('train_first')
  return weights.sha256
}

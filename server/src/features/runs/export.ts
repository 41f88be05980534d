import { asc, eq } from 'drizzle-orm'
import { type ArchivedFile, freeNames, jsonList } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { resultName } from './links.ts'
import { type RunRow, runArtifacts, runCurves, runInputs, runs } from './tables.ts'

/** Settings, curves and numbers of every run, and the files that came out: trained models, predictions, masks. */
export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('runs.json', rowsOf(ctx, userId))
  const freeName = freeNames()
  for (const run of await findRuns(ctx, userId)) {
    const artifacts = await ctx.db.select().from(runArtifacts).where(eq(runArtifacts.runId, run.id))
    for (const { kind, sha256 } of artifacts) {
      yield {
        path: `runs/${freeName(await resultName(ctx, run, kind))}`,
        isText: false,
        ...(run.endedAt ? { modifiedAt: run.endedAt } : {}),
        read: () => ctx.storage.read(sha256),
      }
    }
  }
}

const findRuns = (ctx: Context, userId: string): Promise<RunRow[]> =>
  ctx.db.select().from(runs).where(eq(runs.userId, userId)).orderBy(asc(runs.createdAt), asc(runs.id))

async function* rowsOf(ctx: Context, userId: string): AsyncIterable<object> {
  for (const run of await findRuns(ctx, userId)) {
    const { id, projectId, parentId, kind, number, task, state, network, datasetId, datasetName } = run
    const { classes, hyper, validation, metrics, perClass, confusion, counts, parameters, score } = run
    const { error, createdAt, startedAt, endedAt } = run
    const [inputs] = await ctx.db
      .select({ plan: runInputs.plan })
      .from(runInputs)
      .where(eq(runInputs.runId, id))
    const curves = await ctx.db
      .select({
        fold: runCurves.fold,
        epoch: runCurves.epoch,
        split: runCurves.split,
        values: runCurves.numbers,
      })
      .from(runCurves)
      .where(eq(runCurves.runId, id))
      .orderBy(asc(runCurves.fold), asc(runCurves.epoch), asc(runCurves.split))
    yield {
      ...{ id, projectId, parentId, kind, number, task, state, network, datasetId, datasetName },
      ...{ classes, hyper, validation, metrics, perClass, confusion, counts, parameters, score },
      ...{ error, createdAt, startedAt, endedAt },
      plan: inputs?.plan ?? null,
      curves,
    }
  }
}

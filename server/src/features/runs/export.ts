import { toldRecipe } from '@neuroloom/contract/recipes/recipe'
import { asc, eq } from 'drizzle-orm'
import { type ArchivedFile, freeNames, jsonList } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { curvesOf } from './compare/evidence.ts'
import { kindOf } from './kinds.ts'
import { resultName, stemOf } from './links.ts'
import { runSetAside } from './predict/predict-tables.ts'
import { allRuns, type RunRow, runArtifacts, runEvidence, runFolds, runInputs } from './tables.ts'

/**
 * Settings, curves and numbers of every run, also of those in the recycle station, and the files that came out: trained
 * models, predictions, masks.
 */
export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('runs.json', rowsOf(ctx, userId))
  const freeName = freeNames()
  for await (const run of runsOf(ctx, userId)) {
    const artifacts = await ctx.db.select().from(runArtifacts).where(eq(runArtifacts.runId, run.id))
    for (const { kind, sha256 } of artifacts) {
      yield {
        path: `runs/${freeName(await resultName(ctx, run, kind))}`,
        isText: false,
        ...(run.endedAt ? { modifiedAt: run.endedAt } : {}),
        read: () => ctx.storage.read(sha256),
      }
    }
    for await (const file of kindOf(ctx, run)?.archive(ctx, run) ?? []) {
      const name = `${await stemOf(ctx, run)}-${file.path.replaceAll('/', '-')}`
      yield { ...file, path: `runs/${freeName(name)}` }
    }
  }
}

/** One after the other: each holds results of its own. */
async function* runsOf(ctx: Context, userId: string): AsyncIterable<RunRow> {
  const own = await ctx.db
    .select({ id: allRuns.id })
    .from(allRuns)
    .where(eq(allRuns.userId, userId))
    .orderBy(asc(allRuns.createdAt), asc(allRuns.id))
  for (const { id } of own) yield* await ctx.db.select().from(allRuns).where(eq(allRuns.id, id))
}

async function* rowsOf(ctx: Context, userId: string): AsyncIterable<object> {
  for await (const run of runsOf(ctx, userId)) {
    const { id, projectId, parentId, kind, number, task, state, network, datasetId, datasetName } = run
    const { classes, hyper, validation, metrics, perClass, confusion, counts, parameters, score } = run
    const { ownNetworkName, ownNetworkVersion, error, createdAt, startedAt, endedAt } = run
    const { startFrom, takenOver, versions, computedOn, busySeconds, tool, recycledAt, clearsAt } = run
    const [inputs] = await ctx.db
      .select({ plan: runInputs.plan, networkText: runInputs.networkText, recipe: runInputs.recipe })
      .from(runInputs)
      .where(eq(runInputs.runId, id))
    const [found] = await ctx.db
      .select({ evidence: runEvidence.evidence })
      .from(runEvidence)
      .where(eq(runEvidence.runId, id))
    yield {
      ...{ id, projectId, parentId, kind, number, task, state, network, datasetId, datasetName },
      ...{ classes, hyper, validation, metrics, perClass, confusion, counts, parameters, score },
      ...{ ownNetworkName, ownNetworkVersion, error, createdAt, startedAt, endedAt },
      ...{ startFrom, takenOver, versions, computedOn, busySeconds, tool, recycledAt, clearsAt },
      // What is inside a tool is its maker's to tell.
      plan: tool ? null : (inputs?.plan ?? null),
      networkText: inputs?.networkText ?? null,
      recipe: inputs?.recipe ? toldRecipe(inputs.recipe) : null,
      curves: await curvesOf(ctx.db, id),
      folds: await foldsOf(ctx, id),
      evidence: found?.evidence ?? null,
      setAside: await setAsideOf(ctx, id),
      ...(await toldOf(ctx, id)),
    }
  }
}

/** What features to the right know of it. */
async function toldOf(ctx: Context, runId: string): Promise<object> {
  const all: object[] = []
  for (const { told } of ctx.told('runKinds').flat()) all.push(await told(ctx.db, runId))
  return Object.assign({}, ...all)
}

const foldsOf = ({ db }: Context, runId: string): Promise<object[]> =>
  db
    .select({ fold: runFolds.fold, perClass: runFolds.perClass, confusion: runFolds.confusion })
    .from(runFolds)
    .where(eq(runFolds.runId, runId))
    .orderBy(asc(runFolds.fold))

/** Files of a prediction that could not be read. */
const setAsideOf = ({ db }: Context, runId: string): Promise<object[]> =>
  db
    .select({ name: runSetAside.name, reason: runSetAside.reason })
    .from(runSetAside)
    .where(eq(runSetAside.runId, runId))
    .orderBy(asc(runSetAside.place))

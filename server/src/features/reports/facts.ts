import type { CurvePoint } from '@neuroloom/contract/runs'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { datasets } from '../datasets/tables.ts'
import { requireRun } from '../runs/access.ts'
import {
  runArtifacts,
  runCurves,
  runEvidence,
  runInputs,
  runItems,
  runPictures,
  runs,
} from '../runs/tables.ts'

/** Pictures that a report shows: those that the network did worst on. */
const PICTURES = 6

export type Facts = Awaited<ReturnType<typeof factsOf>>

/** Everything that a report tells of a finished test, if the caller may see the run. */
export async function factsOf(ctx: Context, user: Pick<Caller['user'], 'id'>, id: string) {
  const test = await requireRun(ctx.db, user, id, 'view')
  if (test.kind !== 'test' || test.state !== 'done') throw fail('report_not_ready')
  const { db } = ctx
  const [training] = await db
    .select()
    .from(runs)
    .where(eq(runs.id, test.parentId ?? ''))
  const [inputs] = await db.select().from(runInputs).where(eq(runInputs.runId, id))
  if (!inputs) throw fail('report_not_ready')
  const [evidence] = await db.select().from(runEvidence).where(eq(runEvidence.runId, id))
  const [tested] = await db.select().from(datasets).where(eq(datasets.id, test.datasetId ?? ''))
  const [learned] = await db
    .select()
    .from(datasets)
    .where(eq(datasets.id, training?.datasetId ?? ''))
  return {
    test,
    training: training ?? null,
    project: test.project,
    inputs,
    evidence: evidence?.evidence ?? null,
    /** Null where the data set was forgotten since. */
    tested: tested ?? null,
    learned: learned ?? null,
    curves: training ? await curvesOf(db, training.id) : [],
    artifacts: training
      ? await db.select().from(runArtifacts).where(eq(runArtifacts.runId, training.id))
      : [],
    worst: await worstOf(db, id),
    items: await db.$count(runItems, eq(runItems.runId, id)),
  }
}

const curvesOf = (db: Db, runId: string): Promise<CurvePoint[]> =>
  db
    .select({
      fold: runCurves.fold,
      epoch: runCurves.epoch,
      split: runCurves.split,
      values: runCurves.numbers,
    })
    .from(runCurves)
    .where(eq(runCurves.runId, runId))
    .orderBy(asc(runCurves.fold), asc(runCurves.epoch), asc(runCurves.split))

export type WorstItem = Awaited<ReturnType<typeof worstOf>>[number]

/** With the SHA-256 of what is to be shown of each: the drawn picture, or the image itself. */
async function worstOf(db: Db, runId: string) {
  const rows = await db
    .select({ result: runItems.result })
    .from(runItems)
    .where(eq(runItems.runId, runId))
    .orderBy(sql`${runItems.score} asc nulls last`, asc(runItems.place))
    .limit(PICTURES)
  const names = rows.map(({ result }) => `test/${result.id}`)
  const drawn = await db
    .select()
    .from(runPictures)
    .where(and(eq(runPictures.runId, runId), inArray(runPictures.name, names)))
  const overlays = new Map(drawn.map(({ name, sha256 }) => [name, sha256]))
  return rows.map(({ result }) => {
    const overlay = overlays.get(`test/${result.id}`) ?? null
    return { result, overlay, image: result.image }
  })
}

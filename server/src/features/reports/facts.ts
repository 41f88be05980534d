import { asc, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { datasets } from '../datasets/tables.ts'
import { requireRun } from '../runs/access.ts'
import { curvesOf, evidenceOf, groupOrders, pictureName, picturesOf, testGroups } from '../runs/service.ts'
import { runArtifacts, runInputs, runItems, runs } from '../runs/tables.ts'

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
  const [tested] = await db
    .select()
    .from(datasets)
    .where(eq(datasets.id, test.datasetId ?? ''))
  const [learned] = await db
    .select()
    .from(datasets)
    .where(eq(datasets.id, training?.datasetId ?? ''))
  return {
    test,
    training: training ?? null,
    project: test.project,
    inputs,
    evidence: await evidenceOf(db, id),
    /** Null where the data set was forgotten since. */
    tested: tested ?? null,
    learned: learned ?? null,
    curves: training ? await curvesOf(db, training.id) : [],
    artifacts: training
      ? await db.select().from(runArtifacts).where(eq(runArtifacts.runId, training.id))
      : [],
    worst: await worstOf(db, id),
    groups: (await testGroups(ctx, test)).sort(groupOrders.worst),
    items: await db.$count(runItems, eq(runItems.runId, id)),
  }
}

export type WorstItem = Awaited<ReturnType<typeof worstOf>>[number]

/** With the SHA-256 of what is to be shown of each: what the engine drew, and the image itself. */
async function worstOf(db: Db, runId: string) {
  const rows = await db
    .select({ result: runItems.result })
    .from(runItems)
    .where(eq(runItems.runId, runId))
    .orderBy(sql`${runItems.score} asc nulls last`, asc(runItems.place))
    .limit(PICTURES)
  const drawn = await picturesOf(db, runId, { kind: 'test', itemIds: rows.map(({ result }) => result.id) })
  return rows.map(({ result }) => ({
    result,
    overlay: drawn.get(pictureName('test', result.id, 'overlay')) ?? null,
    heat: drawn.get(pictureName('test', result.id, 'heat')) ?? null,
    image: result.image,
  }))
}

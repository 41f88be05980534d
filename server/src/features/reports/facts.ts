import type { Evidence } from '@neuroloom/contract/evidence'
import { asc, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { type DatasetRow, datasetItems, datasets } from '../datasets/tables.ts'
import { countDeidentified } from '../files/service.ts'
import { labelHistory } from '../labelling/service.ts'
import { statementsOf } from '../projects/service.ts'
import type { SeenRun } from '../runs/access.ts'
import { curvesOf, evidenceOf, groupOrders, pictureName, picturesOf, testGroups } from '../runs/service.ts'
import { isLearnedRow, type LearnedRow, runArtifacts, runInputs, runItems, runs } from '../runs/tables.ts'
import { besideOf, countItems } from './beside.ts'
import { peopleOf } from './people.ts'

/** Pictures that a report shows: those that the network did worst on, and on its first page the best beside them. */
const WORST = 6
const BEST = 3

export type Facts = Awaited<ReturnType<typeof factsOf>>

/** Everything that a report tells of a finished test, which the reader may see. A cross-validation is test and training in one. */
export async function factsOf(ctx: Context, user: Pick<Caller['user'], 'id'>, test: SeenRun) {
  const { db } = ctx
  const { id } = test
  const evidence = await evidenceOf(db, id)
  if (!isLearnedRow(test) || !hasReport(test, evidence)) throw fail('report_not_ready')
  const isCross = test.kind === 'train'
  const [parent] = await db
    .select()
    .from(runs)
    .where(eq(runs.id, test.parentId ?? ''))
  const training = isCross ? test : parent && isLearnedRow(parent) ? parent : null
  const [inputs] = await db.select().from(runInputs).where(eq(runInputs.runId, id))
  if (!inputs) throw fail('report_not_ready')
  const [prepared] = await db
    .select({ recipe: runInputs.recipe })
    .from(runInputs)
    .where(eq(runInputs.runId, training?.id ?? ''))
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
    training,
    project: test.project,
    /** All images were tested in turn, each by a network that had not seen it. */
    isCross,
    inputs,
    /** By which the files that were learned from were prepared. */
    recipe: prepared?.recipe ?? null,
    evidence,
    /** Null where the data set was forgotten since. */
    tested: tested ?? null,
    learned: learned ?? null,
    curves: training ? await curvesOf(db, training.id) : [],
    artifacts: training
      ? await db.select().from(runArtifacts).where(eq(runArtifacts.runId, training.id))
      : [],
    worst: await picturedOf(db, id, { first: 'worst', count: WORST }),
    best: await picturedOf(db, id, { first: 'best', count: BEST }),
    scores: await scoresOf(db, id),
    groups: (await testGroups(ctx, test)).sort(groupOrders.worst),
    items: await countItems(db, id, evidence),
    statements: await statementsOf(db, test.projectId),
    people: await peopleOf(ctx, {
      ...{ test, training, learned: learned ?? null, tested: tested ?? null },
    }),
    /** Images learned from that were de-identified by the upload. */
    deidentified: learned ? await deidentifiedOf(db, learned) : 0,
    /** Of labels that were made here; null where the data brought theirs along. */
    labels: learned?.labelled
      ? await labelHistory(db, {
          ...{ viewerId: user.id, ownerId: learned.ownerId, labelled: learned.labelled },
        })
      : null,
    beside: await besideOf(ctx, {
      readerId: user.id,
      test,
      training,
      learned: learned ?? null,
    }),
  }
}

/** Of a cross-validation that was stopped there is no result of all images. */
const hasReport = ({ kind, state, validation }: LearnedRow, evidence: Evidence | null): boolean =>
  state === 'done' &&
  (kind === 'test' || (kind === 'train' && validation.method === 'kfold' && evidence !== null))

const deidentifiedOf = (db: Db, { id, ownerId }: DatasetRow): Promise<number> =>
  countDeidentified(db, {
    ownerId,
    digests: db
      .select({ sha256: datasetItems.imageSha256 })
      .from(datasetItems)
      .where(eq(datasetItems.datasetId, id)),
  })

export type PicturedItem = Awaited<ReturnType<typeof picturedOf>>[number]

/** With the SHA-256 of what is to be shown of each: what the engine drew, and the image itself. */
async function picturedOf(
  db: Db,
  runId: string,
  { first, count }: { first: 'worst' | 'best'; count: number },
) {
  const { score, place } = runItems
  const rows = await db
    .select({ result: runItems.result })
    .from(runItems)
    .where(eq(runItems.runId, runId))
    .orderBy(first === 'worst' ? sql`${score} asc nulls last` : sql`${score} desc nulls last`, asc(place))
    .limit(count)
  const drawn = await picturesOf(db, runId, { kind: 'test', itemIds: rows.map(({ result }) => result.id) })
  return rows.map(({ result }) => ({
    result,
    overlay: drawn.get(pictureName('test', result.id, 'overlay')) ?? null,
    heat: drawn.get(pictureName('test', result.id, 'heat')) ?? null,
    image: result.image,
  }))
}

/** Of all items that have one. */
async function scoresOf(db: Db, runId: string): Promise<number[]> {
  const rows = await db.select({ score: runItems.score }).from(runItems).where(eq(runItems.runId, runId))
  return rows.flatMap(({ score }) => score ?? [])
}

import type { Evidence } from '@neuroloom/contract/evidence'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { type Overlap, overlapOf } from '../datasets/service.ts'
import { type DatasetRow, datasets } from '../datasets/tables.ts'
import { evidenceOf } from '../runs/service.ts'
import { allRuns, isLearnedRow, type LearnedRow, runInputs, runItems, runs } from '../runs/tables.ts'

/** Tests on so many other data sets stand beside each other; more do not fit on paper. */
const MOST = 3

/** A test of the same training: on what was kept aside, or on another data set. */
export type Beside = {
  test: LearnedRow
  evidence: Evidence | null
  items: number
  isInternal: boolean
  /** The training itself, which tested all its images in turn. */
  isCross: boolean
  /** Null of an internal test, and where the data set was forgotten since. */
  overlap: Overlap | null
}

type Asked = { readerId: string; test: LearnedRow; training: LearnedRow | null; learned: DatasetRow | null }

/**
 * This test and the newest one of its training on each other data set; the internal one first. Where the training was a
 * cross-validation, that is its internal test: the part that its network was not trained on is one of its parts.
 */
export async function besideOf(
  ctx: Context,
  { readerId, test, training, learned }: Asked,
): Promise<Beside[]> {
  const others = training === null ? [] : await testsOf(ctx, training.id)
  const newest = new Map<string, Tested>()
  for (const one of others) newest.set(one.test.datasetId ?? '', one)
  const own = others.find((one) => one.test.id === test.id)
  if (own) newest.set(test.datasetId ?? '', own)
  const cross = training === null ? [] : await crossOf(ctx, training)
  const isShown = (one: Tested): boolean => cross.length === 0 || !one.isInternal || one.test.id === test.id
  const chosen = [...newest.values()]
    .filter(isShown)
    .sort((one, two) => Number(two.isInternal) - Number(one.isInternal))
  const shown = [...cross, ...chosen].filter((one, index) => index <= MOST || one.test.id === test.id)
  return Promise.all(shown.map((one) => withFigures(ctx, one, { readerId, learned })))
}

async function withFigures(
  ctx: Context,
  one: Tested,
  asked: Pick<Asked, 'readerId' | 'learned'>,
): Promise<Beside> {
  const evidence = await evidenceOf(ctx.db, one.test.id)
  return {
    ...one,
    evidence,
    items: await countItems(ctx.db, one.test.id, evidence),
    overlap: one.isInternal ? null : await overlapWith(ctx, one.test, asked),
  }
}

/** Cross-validations of before kept no result of each image. */
export const countItems = async (db: Db, runId: string, evidence: Evidence | null): Promise<number> =>
  (await db.$count(runItems, eq(runItems.runId, runId))) || (evidence?.items ?? 0)

type Tested = Pick<Beside, 'test' | 'isInternal' | 'isCross'>

/** The training as a test of all its images; nothing where it was none, or was stopped. */
async function crossOf({ db }: Context, training: LearnedRow): Promise<Tested[]> {
  if (training.validation.method !== 'kfold' || training.state !== 'done') return []
  if ((await evidenceOf(db, training.id)) === null) return []
  return [{ test: training, isInternal: true, isCross: true }]
}

/** The newest last. */
async function testsOf({ db }: Context, trainingId: string): Promise<Tested[]> {
  const rows = await db
    .select({ test: runs, part: runInputs.part })
    .from(runs)
    .innerJoin(runInputs, eq(runInputs.runId, runs.id))
    // By the table, which has an index of parents: the view, which hides deleted ones, has none.
    .where(and(inArray(runs.id, childrenOf(db, trainingId)), eq(runs.kind, 'test'), eq(runs.state, 'done')))
    .orderBy(desc(runs.number))
  return rows
    .reverse()
    .flatMap(({ test, part }) =>
      isLearnedRow(test) ? [{ test, isInternal: part === 'held-out', isCross: false }] : [],
    )
}

const childrenOf = (db: Db, trainingId: string) =>
  db.select({ id: allRuns.id }).from(allRuns).where(eq(allRuns.parentId, trainingId))

async function overlapWith(
  { db }: Context,
  { datasetId }: LearnedRow,
  { readerId, learned }: Pick<Asked, 'readerId' | 'learned'>,
): Promise<Overlap | null> {
  const [tested] = await db
    .select()
    .from(datasets)
    .where(eq(datasets.id, datasetId ?? ''))
  return tested && learned ? overlapOf(db, readerId, [tested, learned]) : null
}

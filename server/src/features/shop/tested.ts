/** What a test said, in full: its repetition must say the same to the last digit. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { mainMetric } from '@neuroloom/contract/metric'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../infra/db.ts'
import { evidenceOf } from '../runs/service.ts'
import { isLearnedRow, type RunRow, runInputs, runItems } from '../runs/tables.ts'
import type { Tested } from './tables.ts'

/** Null where the run measured nothing. */
export async function testedOf(db: Db, run: RunRow): Promise<Tested | null> {
  if (!isLearnedRow(run) || run.score === null || run.state !== 'done') return null
  const rows = await db
    .select({ id: runItems.itemId, score: runItems.score, wrong: runItems.wrong, result: runItems.result })
    .from(runItems)
    .where(eq(runItems.runId, run.id))
    .orderBy(asc(runItems.place))
  const evidence = await evidenceOf(db, run.id)
  const [inputs] = await db
    .select({ part: runInputs.part })
    .from(runInputs)
    .where(eq(runInputs.runId, run.id))
  const [low, high] = evidence?.intervals[mainMetric[run.task]] ?? []
  const { score, metrics, perClass, confusion } = run
  return {
    ...{ score, metrics, perClass, confusion },
    items: rows.length,
    results: createHash('sha256')
      .update(JSON.stringify(rows.map(measured)))
      .digest('hex'),
    interval: low === undefined || high === undefined ? null : { low, high },
    part: inputs?.part === 'held-out' ? 'held_out' : 'all',
  }
}

type Row = Pick<typeof runItems.$inferSelect, 'score' | 'wrong' | 'result'> & { id: string }

/** In which colours a picture was drawn is no result, and earlier tests did not say it. */
function measured({ id, score, wrong, result: { palette: _, ...result } }: Row): Row {
  return { id, score, wrong, result }
}

/** Whether a repetition says all that the seller's test said. Figures that nobody measured then are no difference. */
export function repeats(again: Tested, tested: Tested): boolean {
  const known = {
    ...again,
    metrics: onlyNamesOf(again.metrics, tested.metrics),
    perClass: again.perClass.map((one, index) => ({
      ...one,
      values: onlyNamesOf(one.values, tested.perClass[index]?.values ?? {}),
    })),
  }
  return isDeepStrictEqual(known, tested)
}

const onlyNamesOf = (values: Tested['metrics'], others: Tested['metrics']): Tested['metrics'] =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in others))

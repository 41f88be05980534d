/** The results of a test image by image: in an order, those of a bin of the scores or a cell of the matrix, or the bad ones. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { SURE_BOX } from '@neuroloom/contract/decision'
import { training } from '@neuroloom/contract/limits'
import { mainMetric, metricKind } from '@neuroloom/contract/metric'
import { isLearned } from '@neuroloom/contract/task'
import { and, asc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { requireRun } from './access.ts'
import { withPictures } from './show.ts'
import { type RunRow, runItems } from './tables.ts'

export async function items(
  ctx: Context,
  { id, order, after, bin, cell, bad }: Parsed<'runs/items'>,
  caller: Caller,
): Promise<Answer<'runs/items'>> {
  const run = await requireRun(ctx.db, caller.user, id, 'view')
  const where = and(
    eq(runItems.runId, run.id),
    order === 'wrong' ? eq(runItems.wrong, true) : undefined,
    bin === null ? undefined : sql`${binOf(await spanOf(ctx.db, run))} = ${bin}`,
    cell === null ? undefined : sql`${truth} = ${cell.truth} and ${named} = ${cell.named}`,
    bad ? isBad(run) : undefined,
  )
  const byScore =
    order === 'best' ? sql`${runItems.score} desc nulls last` : sql`${runItems.score} asc nulls last`
  const rows = await ctx.db
    .select({ result: runItems.result })
    .from(runItems)
    .where(where)
    .orderBy(byScore, asc(runItems.place))
    .offset(after)
    .limit(training.resultsPage)
  const total = await ctx.db.$count(runItems, where)
  const page = rows.map(({ result }) => result)
  const next = after + page.length
  return {
    items: await withPictures(ctx, caller, { run, kind: 'test', items: page }),
    next: page.length > 0 && next < total ? next : null,
    total,
  }
}

export async function scores(
  ctx: Context,
  { id }: Parsed<'runs/scores'>,
  caller: Caller,
): Promise<Answer<'runs/scores'>> {
  const run = await requireRun(ctx.db, caller.user, id, 'view')
  const span = await spanOf(ctx.db, run)
  const rows = await ctx.db
    .select({ bin: binOf(span), count: sql<number>`count(*)::int` })
    .from(runItems)
    .where(and(eq(runItems.runId, run.id), isNotNull(runItems.score)))
    .groupBy(sql`1`)
  const counts = Array.from({ length: BINS }, () => 0)
  for (const { bin, count } of rows) counts[bin] = count
  const ofRun = eq(runItems.runId, run.id)
  const [bad, total] = [
    await ctx.db.$count(runItems, and(ofRun, isBad(run))),
    await ctx.db.$count(runItems, ofRun),
  ]
  return { ...span, counts, bad, total }
}

const BINS = 20

type Span = { low: number; high: number }

/** Shares lie between nothing and all; decibels between the lowest and the highest of the test. */
async function spanOf(db: Db, { id, task }: Pick<RunRow, 'id' | 'task'>): Promise<Span> {
  if (isLearned(task) && metricKind(mainMetric[task]) !== 'decibels') return { low: 0, high: 1 }
  const [found] = await db
    .select({
      low: sql<number>`coalesce(floor(min(${runItems.score})), 0)`.mapWith(Number),
      high: sql<number>`coalesce(ceil(max(${runItems.score})), 1)`.mapWith(Number),
    })
    .from(runItems)
    .where(eq(runItems.runId, id))
  const { low, high } = found ?? { low: 0, high: 1 }
  return { low, high: Math.max(high, low + 1) }
}

/** The last bin holds its upper end, too. */
function binOf({ low, high }: Span): SQL<number> {
  const place = sql`floor((${runItems.score} - ${low}::float8) / ${high - low}::float8 * ${BINS}::float8)`
  return sql<number>`greatest(0, least(${BINS - 1}::float8, ${place}))::int`
}

/** Of boxes an image with a missed one: a box too many is seen at once, a missed finding is not. */
const isBad = ({ task }: Pick<RunRow, 'task'>): SQL =>
  task === 'detection' ? hasMissed : eq(runItems.wrong, true)

const trueBoxes = sql`jsonb_array_length(${runItems.result} -> 'boxes' -> 'truth')`

/** Those that the network believes in; results of before do not tell how many these are. */
const foundBoxes = sql`coalesce(
  (${runItems.result} -> 'values' ->> 'found')::float8,
  (
    select count(*)::float8
    from jsonb_array_elements(${runItems.result} -> 'boxes' -> 'found') told (box)
    where (told.box ->> 'score')::float8 >= ${SURE_BOX}::float8
  )
)`

/** The score is the F1 of an image's boxes: twice the right ones, of all found and true ones. */
const hasMissed = sql`${trueBoxes} > round(coalesce(${runItems.score}, 0) * (${trueBoxes} + ${foundBoxes}) / 2)`

const truth = sql`(${runItems.result} ->> 'truth')::int`

/** As `namedClass` of the contract has it: what training's thresholds name, in results of before the likeliest. */
const named = sql`coalesce(
  (${runItems.result} -> 'named' ->> 0)::int,
  (
    select told.place::int - 1
    from jsonb_array_elements_text(${runItems.result} -> 'probabilities') with ordinality told (sure, place)
    order by told.sure::float8 desc, told.place
    limit 1
  )
)`

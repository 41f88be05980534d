import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { expectedGain, orderDifference } from '@neuroloom/contract/labelling/gain'
import type { LabelRound, Rounds } from '@neuroloom/contract/labelling/proposals'
import { labelling as limits } from '@neuroloom/contract/limits'
import { isLearned, type Task } from '@neuroloom/contract/task'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { runs } from '../../runs/tables.ts'
import { requireSet } from '../access.ts'
import { labelItems } from '../tables.ts'
import { freshOf, type Whose } from './finished.ts'
import { chosenOf } from './helpers.ts'
import { labelJudgements, labelProposals, labelRounds, type RoundRow } from './tables.ts'

/** One's own alone: whoever reads blind learns nothing of another one's labels, by no figure either. */
export async function rounds(
  ctx: Context,
  { id }: Parsed<'labelling/rounds'>,
  { user }: Caller,
): Promise<Answer<'labelling/rounds'>> {
  const set = await requireSet(ctx.db, user, id, 'read')
  const whose = { setId: set.id, userId: user.id }
  const found = await ctx.db
    .select({ round: labelRounds, runId: runs.id })
    .from(labelRounds)
    .leftJoin(runs, eq(runs.id, labelRounds.runId))
    .where(and(eq(labelRounds.setId, set.id), eq(labelRounds.userId, user.id)))
    .orderBy(asc(labelRounds.createdAt), asc(labelRounds.id))
  const rows = found.map(({ round, runId }) => ({ ...round, runId }))
  const measured = rows.filter(({ state, labels }) => state === 'done' && labels !== null)
  const images = commonOf(measured)
  const helper = await chosenOf(ctx.db, whose)
  const more = helper?.every ?? limits.roundEvery.usual
  const points = measured.map(({ labels, order, scores }) => ({
    ...{ labels: labels ?? 0, order },
    scores: images.map((image) => scores[image] ?? 0),
  }))
  const [expected, difference] = [expectedGain(points, { more }), orderDifference(points, { more })]
  return {
    rounds: rows.map((row) => roundOf(row, images)),
    metric: metricOf(await taskOf(ctx.db, helper?.runId ?? rows.at(-1)?.baseId ?? null)),
    images: images.length,
    fresh: await freshOf(ctx.db, whose),
    expected: expected && { ...expected, more },
    difference: difference && { ...difference, more },
    shares: await sharesOf(ctx.db, whose),
  }
}

export function roundOf(row: RoundRow, images: readonly string[]): LabelRound {
  const { id, state, failure, failureParams: params, order, labels, runId, scores, createdAt } = row
  const own = state === 'done' && images.length > 0 ? images.map((image) => scores[image] ?? 0) : null
  return {
    ...{ id, state, order, labels, runId },
    failure: failure === null ? null : { name: failure, params },
    score: own && own.reduce((sum, score) => sum + score, 0) / own.length,
    tested: Object.keys(scores).length,
    createdAt: createdAt.toISOString(),
  }
}

/** Images that every round was tested on. */
function commonOf(rows: readonly RoundRow[]): string[] {
  const [first, ...others] = rows
  return Object.keys(first?.scores ?? {})
    .filter((image) => others.every(({ scores }) => image in scores))
    .sort()
}

async function taskOf(db: Db, runId: string | null): Promise<Task | null> {
  if (runId === null) return null
  const [run] = await db.select({ task: runs.task }).from(runs).where(eq(runs.id, runId))
  return run && isLearned(run.task) ? run.task : null
}

function metricOf(task: Task | null): Rounds['metric'] {
  if (task === null) return null
  if (task === 'classification') return 'accuracy'
  return task === 'segmentation' || task === 'volume_segmentation' ? 'dice' : 'f1'
}

async function sharesOf(db: Db, { setId, userId }: Whose): Promise<Rounds['shares']> {
  const count = (judgement: string) =>
    sql<number>`count(*) filter (where ${labelJudgements.judgement} = ${judgement})`.mapWith(Number)
  const counts = { accepted: count('accepted'), mended: count('mended'), refused: count('refused') }
  const day = sql<string>`to_char(${labelJudgements.judgedAt} at time zone 'utc', 'YYYY-MM-DD')`
  const own = and(eq(labelItems.setId, setId), eq(labelProposals.userId, userId))
  const classes = await db
    .select({ class: labelJudgements.class, ...counts })
    .from(labelJudgements)
    .innerJoin(labelProposals, eq(labelProposals.id, labelJudgements.proposalId))
    .innerJoin(labelItems, eq(labelItems.id, labelProposals.itemId))
    .where(own)
    .groupBy(labelJudgements.class)
    .orderBy(labelJudgements.class)
  const days = await db
    .select({ day, ...counts })
    .from(labelJudgements)
    .innerJoin(labelProposals, eq(labelProposals.id, labelJudgements.proposalId))
    .innerJoin(labelItems, eq(labelItems.id, labelProposals.itemId))
    .where(own)
    .groupBy(sql`1`)
    .orderBy(sql`1 desc`)
    .limit(limits.shareDays)
  return { classes, days: days.reverse() }
}

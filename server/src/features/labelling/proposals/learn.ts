/**
 * A round: the labels of a member become a data set, the chosen network learns from it and is tested on the images kept aside.
 * By the calls that pages use, so that their rules and limits hold. Each step is looked for before it is done, so a worker
 * that was killed anywhere goes on.
 */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { canTune, labelling as limits } from '@neuroloom/contract/limits'
import { isOpen } from '@neuroloom/contract/run-states'
import { and, desc, eq, isNull, notInArray, or, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { Failure, fail } from '../../../http/fail.ts'
import type { Context, WorkerContext } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { levelAt } from '../../accounts/access.ts'
import { users } from '../../accounts/tables.ts'
import { beginLabelled } from '../../datasets/service.ts'
import { datasetParts, datasets } from '../../datasets/tables.ts'
import { standingOf } from '../../plans/service.ts'
import { start, test } from '../../runs/service.ts'
import { isLearnedRow, type LearnedRow, type RunRow, runItems, runs } from '../../runs/tables.ts'
import { requireSet } from '../access.ts'
import { labelSets } from '../tables.ts'
import { finishedOf, freshOf, type Whose } from './finished.ts'
import { chosenOf, classesByName } from './helpers.ts'
import { roundOf } from './rounds.ts'
import { labelHelpers, labelRounds, type RoundRow } from './tables.ts'

export async function train(
  ctx: Context,
  { id }: Parsed<'labelling/train'>,
  { user }: Caller,
): Promise<Answer<'labelling/train'>> {
  const set = await requireSet(ctx.db, user, id, 'read')
  const round = await ctx.db.transaction((tx) => begin(ctx, tx, { setId: set.id, userId: user.id }))
  return roundOf(round, [])
}

/** After so many finished images since the last round, where the member wants it. Called within the transaction that finishes one. */
export async function trainWhenDue(ctx: Context, tx: Tx, whose: Whose): Promise<void> {
  const helper = await chosenOf(tx, whose)
  if (!helper?.runId || helper.every === null) return
  if ((await freshOf(tx, whose)) < helper.every) return
  await begin(ctx, tx, whose).catch((error: unknown) => {
    // One is under way, or there are too many: the labels are finished all the same.
    if (!(error instanceof Failure)) throw error
  })
}

async function begin(ctx: Context, tx: Tx, whose: Whose): Promise<RoundRow> {
  const helper = await chosenOf(tx, whose)
  if (!helper?.runId) throw fail('helper_missing')
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`rounds ${whose.userId}`}, 0))`)
  const mine = and(eq(labelRounds.setId, whose.setId), eq(labelRounds.userId, whose.userId))
  if ((await tx.$count(labelRounds, and(mine, isOpenRound))) > 0) throw fail('round_open')
  if ((await tx.$count(labelRounds, mine)) >= limits.rounds)
    throw fail('too_many_rounds', { limit: limits.rounds })
  const finished = await finishedOf(tx, whose)
  if (finished === 0) throw fail('nothing_labelled')
  const [round] = await tx
    .insert(labelRounds)
    .values({
      ...{ id: newId(), ...whose, baseId: helper.runId, order: helper.order, finished },
      ...{ state: 'waiting', createdAt: ctx.now() },
    })
    .returning()
  if (!round) throw fail('internal')
  await queue(ctx, tx, round.id)
  return round
}

const isOpenRound = notInArray(labelRounds.state, ['done', 'failed'])

const queue = (ctx: Context, tx: Tx | null, roundId: string) =>
  ctx.jobs.send(tx, 'labelling.round', { roundId }, { singletonKey: roundId })

/** Told when a run has ended, in its transaction. */
export async function goOnLater(ctx: Context, tx: Tx, run: Pick<RunRow, 'id'>): Promise<void> {
  const rounds = await tx
    .select({ id: labelRounds.id })
    .from(labelRounds)
    .where(and(or(eq(labelRounds.runId, run.id), eq(labelRounds.testId, run.id)), isOpenRound))
  for (const { id } of rounds) await queue(ctx, tx, id)
}

/** Those that wait for a data set, and what a killed worker left. */
export async function recoverRounds(ctx: WorkerContext): Promise<void> {
  const rounds = await ctx.db.select({ id: labelRounds.id }).from(labelRounds).where(isOpenRound)
  for (const { id } of rounds) await queue(ctx, null, id)
}

/** As far as it can go now. The row stays locked meanwhile: two workers never take the same step. */
export async function goOn(ctx: WorkerContext, roundId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [round] = await tx
      .select()
      .from(labelRounds)
      .where(and(eq(labelRounds.id, roundId), isOpenRound))
      .for('update', { skipLocked: true })
    if (!round) return
    const change = await nextStep(ctx, round).catch((error: unknown): Step => {
      if (!(error instanceof Failure)) throw error
      return { state: 'failed', failure: error.failure, failureParams: error.params }
    })
    if (!change) return
    await tx.update(labelRounds).set(change).where(eq(labelRounds.id, roundId))
    if (change.state === 'done') await adopt(ctx, tx, { ...round, ...change })
    await ctx.live.passing({ kind: 'user', id: round.userId }, 'labelRound', {}, tx)
    await queue(ctx, tx, roundId)
  })
}

type Step = Partial<Omit<RoundRow, 'id'>>

/** What changes; null while there is something to wait for. */
async function nextStep(ctx: WorkerContext, round: RoundRow): Promise<Step | null> {
  switch (round.state) {
    case 'waiting':
      return { state: 'reading', datasetId: await datasetFor(ctx, round) }
    case 'reading':
      return trainOn(ctx, round)
    case 'training': {
      const run = await ended(ctx, round.runId)
      if (run === 'open') return null
      return { state: 'testing', testId: await testFor(ctx, round, run) }
    }
    case 'testing': {
      const run = await ended(ctx, round.testId)
      return run === 'open' ? null : { state: 'done', scores: await scoresOf(ctx.db, run) }
    }
    case 'done':
    case 'failed':
      return null
  }
}

async function datasetFor(ctx: WorkerContext, round: RoundRow): Promise<string> {
  const [made] = await ctx.db
    .select({ id: datasets.id })
    .from(datasets)
    .where(
      sql`${datasets.labelled} ->> 'setId' = ${round.setId} and ${datasets.labelled} ->> 'round' = ${round.id}`,
    )
  if (made) return made.id
  const user = await memberOf(ctx, round.userId)
  const base = await requireBase(ctx, round)
  const { name, folderId } = await requireSet(ctx.db, user, round.setId, 'read')
  const labelled = { setId: round.setId, from: 'mine' as const, round: round.id }
  const { id } = await beginLabelled(ctx, user, {
    ...{ projectId: base.projectId, use: 'train', folderId, labelled },
    name: `${name} · ${round.finished}`,
  })
  return id
}

async function trainOn(ctx: WorkerContext, round: RoundRow): Promise<Step | null> {
  const [dataset] = await ctx.db
    .select()
    .from(datasets)
    .where(eq(datasets.id, round.datasetId ?? ''))
  if (!dataset) throw fail('dataset_missing')
  if (dataset.state === 'checking') return null
  if (dataset.state === 'failed' || !dataset.facts) return { state: 'failed', failure: 'dataset_not_ready' }
  const { given, items } = dataset.facts
  const isGiven = given !== null && given.train > 0 && given.test > 0
  const labels = isGiven ? given.train : items
  const known = await runWith(ctx.db, dataset.id, 'train')
  if (known) return { state: 'training', runId: known, labels }
  const user = await memberOf(ctx, round.userId)
  const base = await requireBase(ctx, round)
  const parts = await ctx.db
    .select({ id: datasetParts.id })
    .from(datasetParts)
    .where(eq(datasetParts.datasetId, dataset.id))
  const { numClass: _, ...hyper } = base.hyper
  const run = await start(
    ctx,
    {
      ...{ projectId: base.projectId, parts: parts.map(({ id }) => id), network: base.network },
      // Who may not choose settings learns with those that fit the data.
      ...{ hyper: canTune(standingOf(ctx, user)) ? hyper : {}, startFrom: null, force: true },
    },
    callerOf(user),
  )
  return { state: 'training', runId: run.id, labels }
}

async function testFor(ctx: WorkerContext, round: RoundRow, run: RunRow): Promise<string> {
  const known = await runWith(ctx.db, round.datasetId ?? '', 'test')
  if (known) return known
  const user = await memberOf(ctx, round.userId)
  return (await test(ctx, { id: run.id, datasets: [round.datasetId ?? ''] }, callerOf(user))).id
}

async function runWith(db: Db, datasetId: string, kind: RunRow['kind']): Promise<string | null> {
  const [run] = await db
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.datasetId, datasetId), eq(runs.kind, kind)))
    .orderBy(desc(runs.createdAt))
    .limit(1)
  return run?.id ?? null
}

async function ended(ctx: WorkerContext, runId: string | null): Promise<RunRow | 'open'> {
  const [run] = await ctx.db
    .select()
    .from(runs)
    .where(eq(runs.id, runId ?? ''))
  if (!run) throw fail('run_missing')
  if (isOpen(run)) return 'open'
  if (run.state !== 'done') throw fail('round_run_failed')
  return run
}

/** Right or wrong where an image is of one class; else how good each is. */
async function scoresOf(db: Db, { id, task }: RunRow): Promise<Record<string, number>> {
  const rows = await db
    .select({ result: runItems.result, wrong: runItems.wrong })
    .from(runItems)
    .where(eq(runItems.runId, id))
  return Object.fromEntries(
    rows.flatMap(({ result, wrong }) => {
      const score = task === 'classification' ? Number(!wrong) : result.score
      return result.image !== null && score !== null ? [[result.image, score]] : []
    }),
  )
}

/** The newest network proposes from now on, unless the member has chosen another one meanwhile. */
async function adopt(ctx: WorkerContext, tx: Tx, round: RoundRow): Promise<void> {
  const [run] = await tx
    .select()
    .from(runs)
    .where(eq(runs.id, round.runId ?? ''))
  const [set] = await tx.select().from(labelSets).where(eq(labelSets.id, round.setId))
  if (!run || !set) return
  await tx
    .update(labelHelpers)
    .set({ runId: run.id, classes: classesByName(run, set), changedAt: ctx.now() })
    .where(
      and(
        eq(labelHelpers.setId, round.setId),
        eq(labelHelpers.userId, round.userId),
        round.baseId === null ? isNull(labelHelpers.runId) : eq(labelHelpers.runId, round.baseId),
      ),
    )
}

async function requireBase(ctx: WorkerContext, { baseId }: RoundRow): Promise<LearnedRow> {
  const [base] = await ctx.db
    .select()
    .from(runs)
    .where(eq(runs.id, baseId ?? ''))
  if (!base || !isLearnedRow(base)) throw fail('run_missing')
  return base
}

/** As the member is now: rights and levels are those of this moment. */
async function memberOf(ctx: WorkerContext, id: string): Promise<SessionUser> {
  const [row] = await ctx.db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isNull(users.cancelledAt)))
  if (!row) throw fail('not_allowed')
  const { role, vipSuper, nickName, photo } = row
  return { id, role, vipSuper, nickName, photo, vipLevel: levelAt(row, ctx.now()) }
}

const callerOf = (user: SessionUser): Caller => ({
  user,
  sessionId: '',
  secondFactorAt: null,
  address: '',
  language: 'en',
})

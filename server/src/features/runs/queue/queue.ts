import { queue, training } from '@neuroloom/contract/limits'
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import type { Device } from '../../../infra/engine/engine.ts'
import { type RunRow, runDevices, allRuns as runs, trainings } from '../tables.ts'
import { announce } from './announce.ts'

/** What makes a worker's writes count: the fencing number grows with every claim, so a late worker's is too small. */
export type Hold = { runId: string; worker: string; attempt: number }

/** This worker no longer has the run: another took it over, or it was removed. Whatever it was about to write is void. */
export class HoldLost extends Error {
  constructor({ runId, attempt }: Hold) {
    super(`Attempt ${attempt} no longer holds run ${runId}`)
  }
}

/** Payload `queued`, or `stop <run>`. */
export const QUEUE_CHANNEL = 'runs'

/** Takes the next run for `worker`, or null. Any number of workers may ask at once; each run is given once. */
export async function claim(ctx: Context, worker: string): Promise<RunRow | null> {
  return ctx.db.transaction(async (tx) => {
    const next = await tx.execute<{ id: string }>(sql`
      select r.id
      from runs r
      join (${waitingInOrder}) q on q.id = r.id
      where r.state = 'queued'
      order by q.place
      limit 1
      for update of r skip locked`)
    const id = next.rows[0]?.id
    if (id === undefined) return null
    const [run] = await tx
      .update(runs)
      .set({
        state: 'running',
        worker,
        attempt: sql`${runs.attempt} + 1`,
        leaseUntil: leaseEnd,
        startedAt: sql`coalesce(${runs.startedAt}, now())`,
        claimedAt: sql`now()`,
        phase: null,
        progress: null,
      })
      .where(eq(runs.id, id))
      .returning()
    if (!run) return null
    await announce(ctx, tx, run)
    return run
  })
}

export const holdOf = (run: RunRow): Hold => ({
  runId: run.id,
  worker: run.worker ?? '',
  attempt: run.attempt,
})

/** Changes the run as its holder, or throws `HoldLost`. Every write of a worker goes through here. */
export async function writeAs(tx: Tx, hold: Hold, values: PgUpdateSetSource<typeof runs>): Promise<RunRow> {
  const [run] = await tx.update(runs).set(values).where(isHeldBy(hold)).returning()
  if (!run) throw new HoldLost(hold)
  return run
}

/** What members want of a run that is under way. */
export type Wish = Pick<RunRow, 'stopRequested' | 'pauseRequested'>

/** Prolongs the lease; answers what somebody wants of the run. */
export async function renew(db: Db, hold: Hold): Promise<Wish> {
  const [run] = await db
    .update(runs)
    .set({ leaseUntil: leaseEnd })
    .where(isHeldBy(hold))
    .returning({ stopRequested: runs.stopRequested, pauseRequested: runs.pauseRequested })
  if (!run) throw new HoldLost(hold)
  return run
}

/**
 * Puts a run back that was interrupted in good order: its checkpoint is there, nothing counts against it. One that
 * somebody wants paused becomes paused, unless somebody wants it stopped: that needs a worker once more. Making way is a
 * pause as well, and no interruption to report.
 */
export async function giveBack(
  ctx: Context,
  hold: Hold,
  { hasMadeWay = false, ...end }: Quiet & { hasMadeWay?: boolean } = {},
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const pauses = sql`${runs.pauses} + (case when ${hasMadeWay} or (${shallPause}) then 1 else 0 end)`
    const run = await writeAs(tx, hold, { ...leaving, pauses, ...quietOf(end) })
    await announce(ctx, tx, run)
    await wake(tx)
  })
}

/** The attempt broke off: back as above, or failed when attempts keep breaking off without getting further. */
export async function giveUp(ctx: Context, hold: Hold): Promise<RunRow> {
  return ctx.db.transaction(async (tx) => {
    const losses = sql`case when ${runs.reached} > ${runs.reachedAtLoss} then 1 else ${runs.losses} + 1 end`
    const run = await writeAs(tx, hold, {
      ...leaving,
      losses,
      reachedAtLoss: runs.reached,
    })
    if (run.losses < training.maxAttempts) {
      await announce(ctx, tx, run)
      await wake(tx)
      return run
    }
    const [failed] = await tx
      .update(runs)
      .set({
        state: 'failed',
        error: { code: 'program_terminated', params: {} },
        pauseRequested: false,
        endedAt: sql`now()`,
      })
      .where(eq(runs.id, run.id))
      .returning()
    if (!failed) throw new HoldLost(hold)
    await announce(ctx, tx, failed)
    return failed
  })
}

/** Runs whose worker fell silent go back into the queue. Answers how many. */
export async function takeBackExpired(ctx: Context): Promise<number> {
  const expired = await ctx.db
    .select()
    .from(runs)
    .where(and(eq(runs.state, 'running'), sql`${runs.leaseUntil} < now()`))
  return takeBack(ctx, expired)
}

/** The same without waiting for the lease, for workers that are known to be dead. */
export async function takeBackFrom(ctx: Context, workers: string[]): Promise<number> {
  if (workers.length === 0) return 0
  const theirs = await ctx.db
    .select()
    .from(runs)
    .where(and(eq(runs.state, 'running'), inArray(runs.worker, workers)))
  return takeBack(ctx, theirs)
}

async function takeBack(ctx: Context, lost: RunRow[]): Promise<number> {
  let count = 0
  for (const run of lost) {
    try {
      await giveUp(ctx, holdOf(run))
      count += 1
      ctx.log.warn({ run: run.id, worker: run.worker, attempt: run.attempt }, 'a worker was lost')
    } catch (error) {
      // Another worker took it back first.
      if (!(error instanceof HoldLost)) throw error
    }
  }
  return count
}

/** Workers that hold runs now. */
export async function holders(db: Db): Promise<string[]> {
  const rows = await db.selectDistinct({ worker: runs.worker }).from(runs).where(eq(runs.state, 'running'))
  return rows.flatMap(({ worker }) => (worker === null ? [] : [worker]))
}

/** In the order in which they will be taken; `isAhead`: a short one, for which a training under way makes way. */
export async function waitingRuns(db: Db): Promise<{ id: string; isAhead: boolean }[]> {
  const { rows } = await db.execute<{ id: string; isAhead: boolean }>(
    sql`select id, is_ahead as "isAhead" from (${waitingInOrder}) q order by place`,
  )
  return rows
}

/** Place in the queue by run: 1 = next. */
export async function positions(db: Db): Promise<Map<string, number>> {
  return new Map((await waitingRuns(db)).map(({ id }, index) => [id, index + 1]))
}

/** Runs whose pages are told that they moved up: those further back look at their place when they are opened. */
const TOLD = 20

/** Everybody in the queue moves up when one is taken. */
export async function tellWaiting(ctx: Context): Promise<void> {
  for (const [id, position] of await positions(ctx.db)) {
    if (position <= TOLD) await ctx.live.passing({ kind: 'run', id }, 'position', { position })
  }
}

export async function wake(tx: Db, payload = 'queued'): Promise<void> {
  await tx.execute(sql`select pg_notify(${QUEUE_CHANNEL}, ${payload})`)
}

/** What runs will be computed on, as the worker last heard of says; null before any worker has started. */
export async function findDevice(db: Db): Promise<Device | null> {
  return (await findPlace(db))?.device ?? null
}

/** With how busy others keep it. */
export async function findPlace(db: Db): Promise<{ device: Device; others: number } | null> {
  const [latest] = await db.select().from(runDevices).orderBy(desc(runDevices.seenAt)).limit(1)
  return latest ?? null
}

/** Tells the HTTP processes what this worker computes on. */
export async function reportDevice(
  db: Db,
  worker: string,
  { device, others }: { device: Device; others: number },
): Promise<void> {
  const seen = { device, others, seenAt: sql`now()` }
  await db
    .insert(runDevices)
    .values({ worker, ...seen })
    .onConflictDoUpdate({ target: runDevices.worker, set: seen })
  // Each start is a new worker; those before leave their rows behind.
  await db.delete(runDevices).where(sql`${runDevices.seenAt} < now() - interval '1 day'`)
}

const leaseEnd = sql`now() + ${queue.leaseMs} * interval '1 millisecond'`

/** Of the attempt that ends; a worker that was lost was there until its lease ran out. */
export const busyOf = sql`${runs.busySeconds}
  + greatest(0, coalesce(extract(epoch from least(now(), ${runs.leaseUntil}) - ${runs.claimedAt}), 0))`

/** What the engine says of the attempt that ends; an older one, or another system, says nothing. */
type Quiet = { quietSeconds?: number | undefined }
export const quietOf = ({ quietSeconds }: Quiet) =>
  quietSeconds === undefined
    ? {}
    : { quietSeconds: sql`coalesce(${runs.quietSeconds}, 0) + ${quietSeconds}::float8` }

const shallPause = sql`${runs.pauseRequested} and not ${runs.stopRequested}`

/** What becomes of a run whose attempt ends without ending the run. */
const leaving = {
  state: sql`case when ${shallPause} then 'paused' else 'queued' end`,
  pauses: sql`${runs.pauses} + (case when ${shallPause} then 1 else 0 end)`,
  pauseRequested: false,
  busySeconds: busyOf,
  worker: null,
  leaseUntil: null,
}

const isHeldBy = ({ runId, worker, attempt }: Hold): SQL | undefined =>
  and(eq(runs.id, runId), eq(runs.worker, worker), eq(runs.attempt, attempt), eq(runs.state, 'running'))

/** Of the run `r`: over before anybody minds. */
const isShort = sql`(r.kind in ('test', 'predict') and coalesce(r.foreseen_seconds < ${queue.shortSeconds}, false))`
const isInterrupted = sql`(r.attempt > 0 and r.claimed_at >= r.queued_at)`

/**
 * Short tests and predictions go before long runs, a few of each member while the same long run waits, so that it goes on
 * in the end. Interrupted runs come next: their place was theirs already; whoever paused gave it up, and a resumed run was
 * queued after it was last claimed. Then what an administrator put first (null comes last). Beyond that, fair between
 * members: everybody's first run, then everybody's second, and so on; within a round whoever has waited longest since
 * something of theirs began. `besides` is a run under way, as if it had been interrupted now.
 */
const order = (besides: SQL = sql`false`): SQL => sql`
  select
    id,
    is_ahead,
    row_number() over (
      order by is_ahead desc, is_interrupted desc, preferred_at, turn, since, queued_at, id
    ) as place
  from (
    select
      r.id,
      ${isInterrupted} as is_interrupted,
      r.queued_at,
      r.preferred_at,
      ${isShort} and row_number() over (partition by r.user_id, ${isShort} order by r.queued_at, r.id) + (
        select count(*) from runs served
        where served.user_id = r.user_id and served.kind in ('test', 'predict') and served.claimed_at >= long.since
      ) <= ${queue.shortAhead} as is_ahead,
      row_number() over (partition by r.user_id order by r.queued_at, r.id) as turn,
      greatest(
        (select max(served.started_at) from runs served where served.user_id = r.user_id),
        min(r.queued_at) over (partition by r.user_id)
      ) as since
    from runs r
    cross join (
      select coalesce(min(r.claimed_at) filter (where ${isInterrupted}), min(r.queued_at)) as since
      from runs r
      where (r.state = 'queued' or ${besides}) and not ${isShort}
    ) long
    where r.state = 'queued' or ${besides}
  ) waiting`
const waitingInOrder = order()

/** Trainings make way one after the other, not all at once: `r` is the one that began last, unless it is over soon. */
const isNextToMakeWay = sql`
  r.state = 'running' and not r.stop_requested and not r.pause_requested
  and ${inArray(sql`r.kind`, [...trainings])}
  and coalesce(r.foreseen_seconds >= ${queue.shortSeconds}, true)
  and not exists (
    select from runs later
    where later.state = 'running' and ${inArray(sql`later.kind`, [...trainings])} and later.claimed_at > r.claimed_at
  )`
/** Until it may: what it computes in between is never nothing. */
const secondsOfItsOwn = sql`
  greatest(0, ${queue.makesWayAfterMs / 1000} - extract(epoch from now() - r.claimed_at))`

/** The training that would make way for a short run, and in how many seconds; null where none would. */
export async function nextToMakeWay(db: Db): Promise<{ id: string; inSeconds: number } | null> {
  const { rows } = await db.execute<{ id: string; seconds: string }>(
    sql`select r.id, ${secondsOfItsOwn} as seconds from runs r where ${isNextToMakeWay} limit 1`,
  )
  return rows[0] ? { id: rows[0].id, inSeconds: Number(rows[0].seconds) } : null
}

/**
 * Whether the training that a worker holds is to be interrupted now, for a short test or prediction that waits: it saves
 * itself, waits until these are done, and goes on where it was.
 */
export async function makesWay(db: Db, { runId }: Hold): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from runs r
    join (${order(sql`r.id = ${runId}`)}) next on next.place = 1 and next.is_ahead
    where r.id = ${runId} and ${isNextToMakeWay} and ${secondsOfItsOwn} = 0`)
  return rows.length > 0
}

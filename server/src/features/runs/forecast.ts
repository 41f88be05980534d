import { availableParallelism } from 'node:os'
import {
  type Cost,
  type Forecast,
  forecast,
  type Measured,
  type Place,
  shareDone,
  startsOf,
} from '@neuroloom/contract/forecast'
import { queue } from '@neuroloom/contract/limits'
import type { Hyper } from '@neuroloom/contract/suggest/hyper'
import { and, desc, eq, inArray, isNotNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../infra/db.ts'
import type { Device } from '../../infra/engine/engine.ts'
import { findPlace, nextToMakeWay, waitingRuns } from './queue/queue.ts'
import { type RunRow, runDevices, allRuns as runs, trainings } from './tables.ts'

/** Runs that ended lately tell how fast the device is now. */
const LOOKED_AT = 200
/** What saving and ending takes. */
const ENDING_SECONDS = 5

type Computed = Pick<RunRow, 'kind' | 'task' | 'network'> & {
  hyper: Pick<Hyper, 'mixedPrecision'> | null
  cost: Cost
}
type Forecaster = (run: Computed) => Forecast

/** Forecasts from what runs took on the device that the queue is computed on; of all members, whose times tell nothing else. */
export async function createForecaster(db: Db): Promise<Forecaster> {
  const found = await findPlace(db)
  const measured = found === null ? [] : await measuredOn(db, found.device)
  return ({ cost, ...run }) => {
    if (run.kind === 'flow') return forecast({ ...run, work: cost }, { place: processorOf(found), measured })
    const isHalf = run.hyper?.mixedPrecision ?? false
    // What takes 16 bits an hour tells nothing of 32.
    const like = measured.filter((ended) => ended.isHalf === isHalf)
    return forecast({ ...run, work: cost }, { place: placeOf(found, { isHalf }), measured: like })
  }
}

/** Flow is computed by one core, whatever else is there; how quick a device is with networks tells nothing of that. */
function processorOf(found: { device: Device; others: number } | null): Place {
  return { kind: 'cpu', threads: 1, cores: availableParallelism(), others: found?.others ?? 0 }
}

function placeOf(found: { device: Device; others: number } | null, { isHalf }: { isHalf: boolean }): Place {
  const threads = availableParallelism()
  if (found === null) return { kind: 'cpu', threads, cores: threads, others: 0 }
  const { device, others } = found
  const rates = isHalf ? (device.rates?.half ?? device.rates?.full) : device.rates?.full
  const { kind, threads: own, cores = own } = device
  return { kind, threads: own, cores, others, ...(rates ? { rates } : {}) }
}

/** Of a waiting run: seconds until it begins, and what it then takes; null where that cannot be told. */
type Expected = { starts: number | null; takes: Forecast | null }

/** By waiting run. */
export async function expectedOf(db: Db): Promise<Map<string, Expected>> {
  const order = await waitingRuns(db)
  const ids = order.map(({ id }) => id)
  const going = await db.select().from(runs).where(eq(runs.state, 'running'))
  const waiting = ids.length === 0 ? [] : await db.select().from(runs).where(inArray(runs.id, ids))
  const predict = await createForecaster(db)
  const byId = new Map(waiting.map((run) => [run.id, run]))
  const idle = Math.max(0, (await workersAlive(db)) - going.length)
  const shorts = order.filter(({ isAhead }) => isAhead).length
  const giver = shorts > 0 && idle === 0 ? await nextToMakeWay(db) : null
  const places = going.map((run) => {
    const own = leftOf(run, predict) ?? Number.POSITIVE_INFINITY
    const way = run.id === giver?.id ? giver.inSeconds + ENDING_SECONDS : Number.POSITIVE_INFINITY
    return { free: Math.min(own, way), rest: Math.max(0, own - way) }
  })
  const needed = ids.map((id) => neededBy(byId.get(id), predict))
  // Whoever makes way goes on behind the short ones.
  const behind = places.flatMap(({ rest }) => (rest > 0 ? [rest] : []))
  const starts = startsOf(
    [...places.map(({ free }) => free), ...Array.from({ length: idle }, () => 0)],
    [...needed.slice(0, shorts), ...behind, ...needed.slice(shorts)],
  )
  starts.splice(shorts, behind.length)
  return new Map(
    ids.map((id, index) => [id, { starts: starts[index] ?? null, takes: forecastOf(byId.get(id), predict) }]),
  )
}

/** What a run under way still takes: by its own account, else by the forecast. */
function leftOf(run: RunRow, predict: Forecaster): number | null {
  if (run.stopRequested || run.pauseRequested) return ENDING_SECONDS
  if (run.progress) return run.progress.etaSeconds + ENDING_SECONDS
  const needed = neededBy(run, predict)
  const elapsed = run.claimedAt ? (Date.now() - run.claimedAt.getTime()) / 1000 : 0
  return needed === null ? null : Math.max(ENDING_SECONDS, needed - elapsed)
}

/** Of a run that has been interrupted, only what is left. */
function neededBy(run: RunRow | undefined, predict: Forecaster): number | null {
  if (run?.stopRequested) return ENDING_SECONDS
  return forecastOf(run, predict)?.seconds ?? null
}

function forecastOf(run: RunRow | undefined, predict: Forecaster): Forecast | null {
  if (!run || run.cost === null) return null
  const { seconds, isSure } = predict({ ...run, cost: run.cost })
  return { seconds: seconds * (1 - shareDone(run.progress)), isSure }
}

async function measuredOn(db: Db, device: Device): Promise<(Measured & { isHalf: boolean })[]> {
  const rows = await db
    .select({
      kind: runs.kind,
      task: runs.task,
      network: runs.network,
      work: runs.cost,
      // Older ones told nothing of the load beside them.
      quietSeconds: sql<number>`coalesce(${runs.quietSeconds}, ${runs.busySeconds})`.mapWith(Number),
      isHalf: sql<boolean>`coalesce((${runs.hyper} ->> 'mixedPrecision')::boolean, false)`,
    })
    .from(runs)
    .where(
      and(
        eq(runs.state, 'done'),
        isNotNull(runs.cost),
        isWhole,
        or(eq(runs.kind, 'flow'), isComputedOn(device)),
      ),
    )
    .orderBy(desc(runs.endedAt))
    .limit(LOOKED_AT)
  return rows.flatMap(({ work, ...row }) => (work ? [{ ...row, work }] : []))
}

/** A training that could end early, or a run whose attempts did things twice, tells nothing of the speed. */
const isWhole = sql`${runs.losses} = 0 and (${notInArray(runs.kind, trainings)} or (${runs.hyper} ->> 'patience')::int = 0)`

/** As the engine names a processor; whatever else it names is the machine's GPU. */
function isComputedOn({ kind, threads }: Device): SQL {
  return kind === 'cpu'
    ? eq(runs.computedOn, `cpu, ${threads} threads`)
    : sql`${runs.computedOn} not like 'cpu,%'`
}

/** Workers that were heard of lately; each computes one run at a time. */
const workersAlive = (db: Db): Promise<number> =>
  db.$count(runDevices, sql`${runDevices.seenAt} > now() - ${queue.leaseMs} * interval '1 millisecond'`)

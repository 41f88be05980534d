import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineEvent } from '@neuroloom/contract/engine'
import { queue } from '@neuroloom/contract/limits'
import type { Context, WorkerContext } from '../../../infra/context.ts'
import type { Device, EngineExit, EngineProcess } from '../../../infra/engine/engine.ts'
import { newId } from '../../../infra/ids.ts'
import { isDiskFull } from '../../../infra/room.ts'
import type { RunRow } from '../tables.ts'
import { type Attempt, createRecorder } from './events.ts'
import { endAsFailed, finish, type Outcome } from './finish.ts'
import { CannotBegin, layOut, sweepFolders } from './folder.ts'
import { forgetEngine, rememberEngine, waitForEngine } from './leftover.ts'
import { createLoad } from './load.ts'
import { sweepStagedTexts } from './outputs.ts'
import {
  claim,
  giveBack,
  giveUp,
  type Hold,
  HoldLost,
  holders,
  holdOf,
  makesWay,
  QUEUE_CHANNEL,
  renew,
  reportDevice,
  takeBackExpired,
  takeBackFrom,
  tellWaiting,
} from './queue.ts'

const RETRY_MS = 500

export type Runner = {
  /** Lets the run under way save itself and go back into the queue; resolves when it has. */
  stop(): Promise<void>
}

/** Takes runs from the queue, one at a time on this machine's device, until it is told to stop. */
export function startRunner(ctx: WorkerContext): Runner {
  const worker = `${hostname()}/${process.pid}/${newId()}`
  const bell = createBell()
  const state: State = { worker, current: null, stopping: false }
  const heard = (payload: string): void => {
    if (payload === 'queued') bell.ring()
    else if (payload === `stop ${state.current?.hold.runId}`) void state.current?.look()
  }
  ctx.listener.on(QUEUE_CHANNEL, heard, bell.ring)
  ctx.engine.warm()
  const mayBegin = roomWatch(ctx)
  let device: Device | null = null
  const load = createLoad()
  const report = async (): Promise<void> => {
    if (!device) return
    await reportDevice(ctx.db, worker, { device, others: load.others(state.current ? device.threads : 0) })
  }
  const watch = setInterval(() => {
    takeBackExpired(ctx).catch(logged(ctx))
    report().catch(logged(ctx))
  }, queue.heartbeatMs)

  const loop = async (): Promise<void> => {
    device = await ctx.engine.device()
    await report().catch(logged(ctx))
    await takeBackFrom(ctx, await deadWorkers(ctx, worker)).catch(logged(ctx))
    await sweepFolders(ctx).catch(logged(ctx))
    await sweepStagedTexts(ctx).catch(logged(ctx))
    while (!state.stopping) {
      device = await ctx.engine.device()
      const run = (await mayBegin()) ? await claim(ctx, worker).catch(logged(ctx)) : null
      if (run) {
        tellWaiting(ctx).catch(logged(ctx))
        await attemptRun(ctx, { run, device, state })
      } else if (!(await bell.wait(queue.heartbeatMs))) {
        // Nobody wants to compute: now it disturbs nobody to find out how quick this machine is.
        ctx.engine.measure().catch(logged(ctx))
      }
    }
  }
  const ended = loop()

  return {
    async stop() {
      state.stopping = true
      clearInterval(watch)
      bell.ring()
      state.current?.leave()
      await ended
    },
  }
}

type State = { worker: string; current: Current | null; stopping: boolean }
type Current = { hold: Hold; look: () => Promise<void>; leave: () => void }

/** One attempt, whatever becomes of it; never throws, because the next run waits. */
async function attemptRun(
  ctx: WorkerContext,
  { run, device, state }: { run: RunRow; device: Device; state: State },
): Promise<void> {
  const hold = holdOf(run)
  const log = ctx.log.child({ run: run.id, attempt: run.attempt })
  log.info('run begins')
  try {
    await waitForEngine(ctx, run.id)
    const folder = await layOut(ctx, run, device)
    await compute(ctx, { attempt: { run, hold, folder }, state })
  } catch (error) {
    await mend(ctx, hold, error)
  } finally {
    state.current = null
    await sweepFolders(ctx).catch(logged(ctx))
  }
  log.info('run leaves this worker')
}

async function compute(
  ctx: WorkerContext,
  { attempt, state }: { attempt: Attempt; state: State },
): Promise<void> {
  const { hold, folder } = attempt
  const record = createRecorder(ctx, attempt)
  const told: Omit<Outcome, 'end'> = { error: null, pooled: null, artifacts: [] }
  const child = ctx.engine.start(folder.path, async (event: EngineEvent) => {
    if (event.type === 'error') told.error = event
    if (event.type === 'pooled') told.pooled = event
    if (event.type === 'artifact') told.artifacts.push(event)
    await patiently(() => record(event))
  })
  const heart = createHeart(ctx, hold, child)
  state.current = { hold, look: heart.beat, leave: child.leave }
  const follow = async (): Promise<EngineExit> => {
    await rememberEngine(folder.path, child.pid)
    // A stop that came in before the process was there.
    if (state.stopping) child.leave()
    else await heart.beat()
    return child.exited
  }
  const exit = await follow()
    .catch((error: unknown) => {
      child.kill()
      throw error
    })
    .finally(heart.rest)
  await forgetEngine(folder.path)
  await conclude(ctx, { attempt, exit, told, why: heart.asked() ?? (state.stopping ? 'shutdown' : null) })
}

async function conclude(
  ctx: Context,
  { attempt, exit, told, why }: { attempt: Attempt; exit: EngineExit; told: Omit<Outcome, 'end'>; why: Why },
): Promise<void> {
  const { hold, run } = attempt
  const isLeaving = why !== null && why !== 'stop'
  if (told.error) ctx.log.error({ run: run.id, code: told.error.code, trace: told.error.trace }, 'run failed')
  if (exit.end?.state === 'stopped' && isLeaving)
    return giveBack(ctx, hold, { ...exit.end, hasMadeWay: why === 'way' })
  if (exit.end) return finish(ctx, attempt, { end: exit.end, ...told })
  ctx.log.error(
    { run: run.id, code: exit.code, signal: exit.signal, said: exit.lastWords },
    'the engine broke off',
  )
  await giveUp(ctx, hold)
}

/** Why the engine was asked to end before it was done; null = it was not. `way`: a short run goes first. */
type Why = 'stop' | 'pause' | 'way' | 'shutdown' | null

/**
 * Renews the lease, passes a wish to stop or to pause on, lets short runs go first, and ends the engine when the run is no
 * longer this worker's.
 */
function createHeart(ctx: Context, hold: Hold, child: EngineProcess) {
  let asked: Why = null
  const beat = async (): Promise<void> => {
    try {
      const { stopRequested, pauseRequested } = await renew(ctx.db, hold)
      // An engine that saves itself hears nothing more: a stop that comes then is the next attempt's.
      if (asked) return
      if (stopRequested) {
        asked = 'stop'
        child.stop()
      } else if (pauseRequested) {
        asked = 'pause'
        child.leave()
      } else if ((await makesWay(ctx.db, hold)) && asked === null) {
        asked = 'way'
        child.leave()
      }
    } catch (error) {
      // A database that is away for a moment is no reason to lose work: whoever takes the run over bars our writes.
      if (error instanceof HoldLost) child.kill()
      else ctx.log.warn({ err: error, run: hold.runId }, 'the lease could not be renewed')
    }
  }
  const timer = setInterval(beat, queue.heartbeatMs)
  return { beat, asked: () => asked, rest: () => clearInterval(timer) }
}

/** A database that restarts costs a moment, not the run: the engine waits while its events are told again. */
async function patiently(work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + queue.leaseMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof HoldLost || performance.now() > deadline) throw error
      await sleep(RETRY_MS)
    }
  }
}

/** What to do with a run whose attempt threw. */
async function mend(ctx: Context, hold: Hold, error: unknown): Promise<void> {
  if (error instanceof HoldLost) {
    ctx.log.warn({ run: hold.runId, attempt: hold.attempt }, 'the run is no longer held by this worker')
    return
  }
  ctx.log.error({ err: error, run: hold.runId }, 'the attempt broke off')
  try {
    if (error instanceof CannotBegin) await endAsFailed(ctx, hold, { code: error.code, params: error.params })
    else if (isDiskFull(error)) await endAsFailed(ctx, hold, { code: 'disk_full', params: {} })
    else await giveUp(ctx, hold)
  } catch (second) {
    // The lease runs out, and then the run is taken back as from a dead worker.
    if (!(second instanceof HoldLost)) logged(ctx)(second)
  }
}

/** Runs wait in the queue while the disk is nearly full: what they learned so far is not put at risk. */
function roomWatch(ctx: Context): () => Promise<boolean> {
  let had = true
  return async () => {
    const has = await ctx.room.has()
    if (had && !has) ctx.log.warn('the disk is nearly full: runs wait in the queue until there is room')
    had = has
    return has
  }
}

/** Workers of this machine whose process is gone, such as the one that this one replaces. */
async function deadWorkers(ctx: Context, self: string): Promise<string[]> {
  const all = await holders(ctx.db)
  return all.filter((name) => {
    const [host, pid] = name.split('/')
    if (host !== hostname() || name === self) return false
    return Number(pid) === process.pid || !isAlive(Number(pid))
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Wakes the one who waits; a ring before the waiting counts. */
function createBell() {
  let rung = false
  let wakeUp = (): void => undefined
  return {
    ring(): void {
      rung = true
      wakeUp()
    },
    /** False where nobody rang for so long. */
    async wait(ms: number): Promise<boolean> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wakeUp = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      const wasRung = rung
      rung = false
      return wasRung
    },
  }
}

const logged =
  (ctx: Context) =>
  (error: unknown): null => {
    ctx.log.error({ err: error }, 'the run queue met an error')
    return null
  }

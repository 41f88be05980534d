/** A job process's context beside a test server: the real engine, by the Python that has what it needs. */
import { tmpdir } from 'node:os'
import { vi } from 'vitest'
import { findDevice } from '../src/features/runs/queue/queue.ts'
import { features } from '../src/features.ts'
import type { WorkerContext } from '../src/infra/context.ts'
import { createEngine, type Engine } from '../src/infra/engine/engine.ts'
import { createLog } from '../src/infra/log.ts'
import type { TestServer } from './harness.ts'

const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'

/** PyTorch takes seconds to be imported: a process that waits for a run serves the next test file, too. */
const shared = createEngine({ python, workFolder: tmpdir(), log: createLog('silent', 'test') })
let device: ReturnType<Engine['device']> | undefined

export function makeWorker({ ctx }: TestServer): WorkerContext {
  const own = createEngine({ python, workFolder: ctx.config.dataDir, log: ctx.log })
  const engine: Engine = {
    ...own,
    warm: shared.warm,
    warmed: shared.warmed,
    start: shared.start,
    // The machine stays the same; how quick it is, is measured where that is tested.
    device: () => (device ??= shared.device()),
    measure: async () => undefined,
  }
  return { ...ctx, engine }
}

export type TestWorker = { stop(): Promise<void> }

/** All jobs and the queue of runs, in this process; `spawnWorker` is for tests that kill it. */
export async function startWorker(server: TestServer): Promise<TestWorker> {
  const ctx = makeWorker(server)
  await ctx.listener.ready()
  await ctx.jobs.start()
  for (const { jobs } of features) await jobs?.(ctx)
  const runners = features.flatMap(({ runner }) => (runner ? [runner(ctx)] : []))
  await untilDeviceIsKnown(server)
  return {
    async stop() {
      for (const runner of runners) await runner.stop()
      await ctx.jobs.stop()
      ctx.engine.close()
    },
  }
}

/** Settings are chosen for the device: before, the same wish would become another run. */
export async function untilDeviceIsKnown({ ctx }: TestServer): Promise<void> {
  await vi.waitFor(
    async () => {
      if ((await findDevice(ctx.db)) === null) throw new Error('The worker has not told its device yet')
    },
    { timeout: 60_000, interval: 100 },
  )
}

/** The job process: housekeeping and training, until it is told to stop. Serves nothing. */
import { readConfig } from './config.ts'
import { features } from './features.ts'
import { closeContext, createContext, type WorkerContext } from './infra/context.ts'
import { createEngine } from './infra/engine/engine.ts'
import * as housekeeping from './infra/housekeeping.ts'
import { createLog } from './infra/log.ts'
import { refuseNewer } from './infra/postgres/migrate.ts'
import { keepPrivate } from './infra/private.ts'
import { runUntilStopped } from './process.ts'

const config = readConfig()
const log = createLog(config.logLevel, 'worker')

await runUntilStopped(log, async () => {
  await keepPrivate(config.dataDir)
  const context = await createContext(config, { log, features })
  await refuseNewer(context.pool)
  const engine = createEngine({ python: config.enginePython, workFolder: config.dataDir, log })
  const ctx: WorkerContext = { ...context, engine }
  await ctx.listener.ready()
  await ctx.planLimits.load()
  await ctx.modules.load()
  await ctx.jobs.start()
  await housekeeping.register(ctx)
  for (const { jobs } of features) await jobs?.(ctx)
  const runners = features.flatMap(({ runner }) => (runner ? [runner(ctx)] : []))
  process.send?.({ ready: true })
  return async () => {
    for (const runner of runners) await runner.stop()
    engine.close()
    await closeContext(ctx)
  }
})

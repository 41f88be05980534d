/** The job process: housekeeping and training, until it is told to stop. Serves nothing. */
import { readConfig } from './config.ts'
import * as accounts from './features/accounts/jobs.ts'
import { eraseOf as eraseDatasets } from './features/datasets/erase.ts'
import * as datasets from './features/datasets/jobs.ts'
import { eraseOf as eraseFiles } from './features/files/erase.ts'
import * as files from './features/files/jobs.ts'
import { eraseOf as eraseNetworks } from './features/networks/erase.ts'
import { eraseOf as eraseProjects } from './features/projects/erase.ts'
import * as projects from './features/projects/jobs.ts'
import { eraseOf as eraseRuns } from './features/runs/erase.ts'
import { startRunner } from './features/runs/jobs.ts'
import { closeContext, createContext, type WorkerContext } from './infra/context.ts'
import { createEngine } from './infra/engine.ts'
import * as housekeeping from './infra/housekeeping.ts'
import { createLog } from './infra/log.ts'
import { refuseNewer } from './infra/migrate.ts'
import { keepPrivate } from './infra/private.ts'
import { runUntilStopped } from './process.ts'

const config = readConfig()
const log = createLog(config.logLevel, 'worker')

await runUntilStopped(log, async () => {
  await keepPrivate(config.dataDir)
  const context = await createContext(config, { log })
  await refuseNewer(context.pool)
  const engine = createEngine({ python: config.enginePython, workFolder: config.dataDir, log })
  const ctx: WorkerContext = { ...context, engine }
  await ctx.listener.ready()
  await ctx.jobs.start()
  await housekeeping.register(ctx)
  await accounts.register(ctx, [eraseRuns, eraseNetworks, eraseDatasets, eraseProjects, eraseFiles])
  await files.register(ctx)
  await projects.register(ctx)
  await datasets.register(ctx)
  const runner = startRunner(ctx)
  process.send?.({ ready: true })
  return async () => {
    await runner.stop()
    engine.close()
    await closeContext(ctx)
  }
})

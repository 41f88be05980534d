/** The HTTP process: serves calls, pages and live connections until it is told to stop. Never decodes an image. */
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { makeApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { features } from './features.ts'
import { type Context, closeContext, createContext } from './infra/context.ts'
import { createLog } from './infra/log.ts'
import { refuseNewer } from './infra/postgres/migrate.ts'
import { keepPrivate } from './infra/private.ts'
import { runUntilStopped } from './process.ts'

const config = readConfig()
const log = createLog(config.logLevel, 'server')

await runUntilStopped(log, async () => {
  await keepPrivate(config.dataDir)
  const ctx = await createContext(config, { log, features })
  await refuseNewer(ctx.pool)
  await ctx.planLimits.load()
  await ctx.modules.load()
  const app = await makeApp(ctx)
  await listen(app, config)
  // Listening on a port of TCP, never on a pipe.
  const { port } = app.server.address() as AddressInfo
  log.info({ port }, 'listening')
  await tellRoom(ctx)
  process.send?.({ ready: true, port })
  return async () => {
    await app.close()
    await closeContext(ctx)
  }
})

async function tellRoom({ room, log }: Context): Promise<void> {
  const left = await room.left()
  if (await room.has()) log.info(left, 'room on the disk')
  else log.warn(left, 'the disk is nearly full: uploads and runs are refused until there is room')
}

/** After a crash the last process may hold the port for a moment. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await app.listen({ host, port })
      return
    } catch (error) {
      if (tries === 4 || !isTaken(error)) throw error
      await wait(1000)
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
